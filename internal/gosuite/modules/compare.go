package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A part is what was found out about one package.
type part struct {
	Module, Package string
	Heddle          string // its commit
	Native          []outcomes
	Machine         outcomes
	Seconds         []float64 // natively, in the machine
}

// A difference is a test that does something else in the machine.
type difference struct {
	pkg, test     string
	native, there string // what became of it
	detail        string // the first line that differs, or the refusal
	why           *reason
}

// compare returns the names of all tests and those that differ. Natively they
// have run several times: a test that did not do the same each time may do any
// of it, and what it prints is compared if it was the same each time.
func (p *part) compare() (tests []string, diffs []difference) {
	names := map[string]bool{}
	for _, o := range append(slices.Clone(p.Native), p.Machine) {
		for name := range o {
			names[name] = name != ""
		}
	}
	for _, name := range sorted(names) {
		if name == "" {
			continue
		}
		tests = append(tests, name)
		if d, ok := p.differs(name); ok {
			diffs = append(diffs, d)
		}
	}
	return tests, diffs
}

func (p *part) differs(name string) (d difference, ok bool) {
	there := p.Machine.result(name)
	d = difference{pkg: p.Package, test: name, there: there.Result, detail: there.Why}
	var results, outputs []string
	for _, run := range p.Native {
		o := run.result(name)
		results = append(results, o.Result)
		outputs = append(outputs, plain(o.Output))
	}
	slices.Sort(results)
	results = slices.Compact(results)
	d.native = strings.Join(results, " or ")
	if !slices.Contains(results, there.Result) {
		if d.detail == "" {
			d.detail = firstDifference(outputs[0], plain(there.Output))
		}
		return d, true
	}
	same := slices.Compact(slices.Clone(outputs))
	if got := plain(there.Output); len(results) == 1 && len(same) == 1 && got != same[0] {
		d.there = "other output"
		d.detail = firstDifference(same[0], got)
		return d, true
	}
	return d, false
}

func (tests outcomes) result(name string) outcome {
	if o, ok := tests[name]; ok {
		return o
	}
	return outcome{Result: missing}
}

// Of what is printed, these parts are replaced: no two runs have them in common,
// or the machine has others, which docs/LIMITS.md says.
var varying = []struct {
	re *regexp.Regexp
	by string
}{
	// Tracebacks: the machine has no arguments of functions to show, as compiled
	// code has none of those that are inlined, and another
	// code.
	{regexp.MustCompile(`(?m)\(((\{|\.\.\.|0x)[^\n()]*)?\)$`), "(...)"},
	{regexp.MustCompile(`(?m)(\.(go|s):\d+) \+0x[0-9a-f]+$`), "$1"},
	{regexp.MustCompile(`\d{4}[-/]\d\d[-/]\d\d([ T]\d\d:\d\d:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?( UTC)?( m=[+-][\d.]+)?`), "TIME"},
	{regexp.MustCompile(`\b\d\d:\d\d:\d\d(\.\d+)?`), "TIME"},
	{regexp.MustCompile(`\b(\d+h)?(\d+m)?\d+(\.\d+)?(ns|µs|ms|s)\b`), "DURATION"},
	{regexp.MustCompile(`(127\.0\.0\.1|\[::1?\]|localhost|0\.0\.0\.0):\d+`), "$1:PORT"},
	{regexp.MustCompile(`\b0x[0-9a-f]{6,}\b|\bc[0-9a-f]{9}\b`), "ADDRESS"},
	{regexp.MustCompile(`\b(goroutine|Goroutine) \d+`), "$1 N"},
	{regexp.MustCompile(`/tmp/\S+`), "FILE"},
}

// here is the folder that the copies of modules are below, if it can be told.
var here, _ = os.Getwd()

func plain(s string) string {
	s = strings.ReplaceAll(s, here+string(filepath.Separator), "")
	for _, v := range varying {
		s = v.re.ReplaceAllString(s, v.by)
	}
	return s
}

// firstDifference returns the first line that only one of two texts has at its
// place.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "natively " + quote(a[i]) + ", there " + quote(b[i])
		}
	}
	switch {
	case len(a) > len(b):
		return "natively also " + quote(a[len(b)])
	case len(b) > len(a):
		return "there also " + quote(b[len(a)])
	}
	return ""
}

// quote makes text fit for a row of a table.
func quote(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 160 {
		s = string(r[:160]) + "..."
	}
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(s) + "`"
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
