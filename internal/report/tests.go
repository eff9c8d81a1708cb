package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/trace"
)

// A Package ends the reports on the tests of a package.
type Package struct {
	Path    string
	NoFiles bool // there are no test files
	Seconds float64
	Shuffle string // the seed of the order of its tests, or empty
	// Others are examples and fuzz targets, which are not checked.
	Others []string

	reports []*Report // its own
}

// A tally counts tests by how they have ended.
type tally struct {
	verified, ignored, skipped, failed, inconclusive, notChecked int
}

func (t *tally) add(r *Report) {
	n := max(1, r.Functions)
	switch {
	case r.NotChecked != "":
		t.notChecked += n
	case r.Skipped:
		t.skipped += n
	case r.Verdict == Verified:
		t.verified += n - r.SkippedFunctions
		t.skipped += r.SkippedFunctions
	case r.Verdict == OnlyIgnored:
		t.ignored += n
	case r.Verdict == Violation: // one of them fails, and nothing is known of the other
		t.failed++
		t.inconclusive += n - 1
	default:
		t.inconclusive += n
	}
}

func (t *tally) tests() int {
	return t.verified + t.ignored + t.skipped + t.failed + t.inconclusive + t.notChecked
}

// words says how many tests have ended in each way that there is.
func (t *tally) words() string {
	var list []string
	for _, c := range []struct {
		n    int
		what string
	}{{t.verified, "verified"}, {t.ignored, "ignored"}, {t.failed, "failed"}, {t.inconclusive, "inconclusive"}, {t.skipped, "skipped"}, {t.notChecked, "not checked"}} {
		if c.n > 0 {
			list = append(list, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return strings.Join(list, ", ")
}

// whole returns the report on the package itself, which was not checked then, or nil.
func (p *Package) whole() *Report {
	for _, r := range p.reports {
		if r.Test == "" {
			return r
		}
	}
	return nil
}

// tally counts the tests of the package.
func (p *Package) tally() (t tally) {
	for _, r := range p.reports {
		if r.Test != "" {
			t.add(r)
		}
	}
	return t
}

// The words with which lines on tests and packages begin, as those of go test do.
const (
	wordOK   = "ok  "
	wordFail = "FAIL"
	wordSkip = "SKIP"
	wordNone = "?   "
	wordOpen = "inconclusive"

	wordIgnored = "ignored"
)

// word is how the line on a test begins, after the dashes.
func (r *Report) word() string {
	switch {
	case r.NotChecked != "":
		return "not checked"
	case r.Skipped:
		return wordSkip
	case r.Verdict == Verified:
		return "verified"
	case r.Verdict == OnlyIgnored:
		return wordIgnored
	case r.Verdict == Violation:
		return wordFail
	}
	return wordOpen
}

// word colours a word by what it means.
func (p paint) word(s string) string {
	switch s {
	case wordOK, "verified":
		return p.with("1;32", s)
	case wordFail:
		return p.with("1;31", s)
	case wordOpen, wordIgnored, "not checked":
		return p.with("1;33", s)
	}
	return s
}

// testSentence says in one line how a test has ended: the verdict without its first words.
func (run *Run) testSentence(r *Report) string {
	switch {
	case r.NotChecked != "":
		return r.NotChecked
	case r.Err != nil:
		return "not checked: " + oneLine(r.Err.Error())
	case r.Verdict == Verified:
		s, c := r.Counts.words(), run.claim(r)
		if off := c.unusual(); len(off) > 0 {
			s += "; not looked for: " + strings.Join(off, ", ")
		}
		if len(c.Bounds) > 0 {
			s += "; " + c.boundWords()
		}
		return s + r.skipWords()
	}
	s := run.Sentence(r)
	for _, word := range []string{"violation: ", "inconclusive: ", "ignored: every interleaving of "} {
		s = strings.TrimPrefix(s, word+r.Target+": ")
	}
	return s
}

// unusual lists what was not looked for although it usually is.
func (c *Claim) unusual() (off []string) {
	for _, p := range c.Properties {
		if !p.On && !p.Extra {
			off = append(off, p.Name)
		}
	}
	return off
}

// ShortNames returns what takes the import path of a package, also that of its external tests, from the names in a text.
func ShortNames(pkg string) func(text string) string {
	return func(text string) string {
		for _, path := range []string{pkg + "_test.", pkg + "."} {
			text = cutNames(text, path)
		}
		return text
	}
}

// cutNames removes a path where it begins a name.
func cutNames(text, path string) string {
	var b strings.Builder
	for from := 0; ; {
		i := strings.Index(text[from:], path)
		if i < 0 {
			b.WriteString(text[from:])
			return b.String()
		}
		i += from
		end := i + len(path)
		b.WriteString(text[from:i])
		inside := i > 0 && (isNameByte(text[i-1]) || strings.IndexByte("./-", text[i-1]) >= 0)
		rest := text[end:]
		if inside || rest == "" || !isNameByte(rest[0]) && rest[0] != '(' || strings.HasPrefix(rest, "go:") {
			b.WriteString(path)
		}
		from = end
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// writeTest writes the report on a test for a person, as go test does: a line with how it has ended, and what is to be
// told of it below. Of tests that were verified nothing is written, unless it is to be verbose.
func (w *Writers) writeTest(to io.Writer, r *Report, p paint) error {
	if r.Test == "" || r.NotChecked != "" && !w.Verbose || r.Verdict == Verified && !w.Verbose {
		return nil // what there is to say is said with the package
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s: %s (%.2fs): %s\n", p.word(r.word()), r.Test, r.Seconds, w.Run.testSentence(r))
	var body strings.Builder
	writeBody(&body, r, p, w.Verbose)
	text := body.String()
	if strings.Contains(text, trace.Legend) { // once is enough
		if w.legend {
			text = strings.ReplaceAll(text, trace.Legend, "")
		} else if i := strings.Index(text, trace.Legend) + len(trace.Legend); true {
			text = text[:i] + strings.ReplaceAll(text[i:], trace.Legend, "")
			w.legend = true
		}
	}
	text = ShortNames(r.Package)(text)
	for line := range strings.Lines(text) {
		b.WriteString("    " + line)
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// writePackage writes the line on a package.
func (w *Writers) writePackage(to io.Writer, pkg *Package, p paint) error {
	var b strings.Builder
	if r := pkg.whole(); r != nil && r.Err != nil {
		fmt.Fprintf(&b, "# %s\n%v\n", pkg.Path, r.Err)
	}
	if t := pkg.tally(); t.notChecked > 0 && !w.Verbose {
		i := slices.IndexFunc(pkg.reports, func(r *Report) bool { return r.NotChecked != "" })
		fmt.Fprintf(&b, "--- %s: %s: %s\n", p.word("not checked"), plural(int64(t.notChecked), "test"), pkg.reports[i].NotChecked)
	}
	word, rest := pkg.line(w.Run)
	b.WriteString(p.word(word) + rest + "\n")
	_, err := io.WriteString(to, b.String())
	return err
}

// line is the line on a package: its first word, and the rest.
func (p *Package) line(run *Run) (word, rest string) {
	if p.NoFiles {
		return wordNone, "\t" + p.Path + "\t[no test files]"
	}
	if r := p.whole(); r != nil {
		var e *diag.Error
		switch {
		case r.NotChecked != "":
			return wordOpen, "\t" + p.Path + " [not checked: " + r.NotChecked + "]"
		case r.Err == nil:
			return wordOpen, fmt.Sprintf("\t%s\t%.3fs [%s]", p.Path, p.Seconds, leftWords(r.Left))
		case firstError(r.Err, &e) && e.Kind == diag.Unsupported:
			return wordOpen, "\t" + p.Path + " [not supported]"
		case diag.ExitCode(r.Err) == diag.ExitUsage && firstError(r.Err, &e) && e.Pos.IsValid():
			return wordFail, "\t" + p.Path + " [build failed]"
		case diag.ExitCode(r.Err) == diag.ExitUsage:
			return wordFail, "\t" + p.Path + " [not checked]"
		}
		return wordOpen, "\t" + p.Path + " [not checked]"
	}
	t := p.tally()
	switch {
	case t.tests() == 0:
		return wordNone, "\t" + p.Path + "\t[no tests to run" + p.othersWords() + "]"
	case t.failed > 0:
		word = wordFail
	case t.inconclusive+t.notChecked > 0:
		word = wordOpen
	default:
		word = wordOK
	}
	return word, fmt.Sprintf("\t%s\t%.3fs\t(%s%s%s)", p.Path, p.Seconds, t.words(), p.othersWords(), p.claimWords(run))
}

// othersWords says how many examples and fuzz targets were not checked.
func (p *Package) othersWords() string {
	var list []string
	examples := int64(0)
	for _, name := range p.Others {
		if strings.HasPrefix(name, "Example") {
			examples++
		}
	}
	if examples > 0 {
		list = append(list, plural(examples, "example"))
	}
	if n := int64(len(p.Others)) - examples; n > 0 {
		list = append(list, plural(n, "fuzz target"))
	}
	if len(list) == 0 {
		return ""
	}
	return "; " + strings.Join(list, " and ") + " not checked"
}

// firstError finds the first error of ours in another.
func firstError(err error, e **diag.Error) bool {
	var l diag.List
	if errors.As(err, &l) && len(l) > 0 {
		*e = l[0]
		return true
	}
	return errors.As(err, e)
}

// claimWords names what limits the claim that the tests of a package are verified: what was not looked for, and the bounds of
// any of them. What these are is told with each test.
func (p *Package) claimWords(run *Run) string {
	var off, bounds []string
	for _, r := range p.reports {
		if r.Verdict != Verified && r.Verdict != OnlyIgnored || r.Skipped {
			continue
		}
		c := run.claim(r)
		off = c.unusual() // the same for all of a package
		for _, b := range c.Bounds {
			if !slices.Contains(bounds, b.Name) {
				bounds = append(bounds, b.Name)
			}
		}
	}
	s := ""
	if len(off) > 0 {
		s += "; not looked for: " + strings.Join(off, ", ")
	}
	if len(bounds) > 0 {
		slices.Sort(bounds)
		s += "; bounds: " + strings.Join(bounds, ", ")
	}
	return s
}

// writeTests writes what there is to say of all packages together, if there are several.
func (w *Writers) writeTests(to io.Writer, p paint) error {
	var b strings.Builder
	var all tally
	checked, failed := 0, 0
	for _, pkg := range w.Run.Packages {
		t := pkg.tally()
		all.verified += t.verified
		all.ignored += t.ignored
		all.skipped += t.skipped
		all.failed += t.failed
		all.inconclusive += t.inconclusive
		all.notChecked += t.notChecked
		switch {
		case pkg.whole() != nil:
			failed++
		case t.tests() > 0:
			checked++
		}
	}
	if w.Verbose && all.verified+all.skipped > 0 {
		c := Claim{Properties: w.Run.Properties}
		fmt.Fprintf(&b, "verified means: every interleaving was followed, %s\n", c.propertyWords())
	}
	switch {
	case len(w.Run.Reports) == 0:
		b.WriteString(p.verdict(Inconclusive, w.Run.Summary()) + "\n")
	case checked+failed > 1:
		fmt.Fprintf(&b, "%s in %s", plural(int64(all.tests()), "test"), plural(int64(checked), "package"))
		if words := all.words(); words != "" {
			b.WriteString(": " + words)
		}
		if failed > 0 {
			fmt.Fprintf(&b, "; %s not checked", plural(int64(failed), "package"))
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(to, b.String())
	return err
}
