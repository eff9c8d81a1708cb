package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A paint colours pieces of text, or leaves them as they are.
type paint bool

func (p paint) with(code, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p paint) bold(s string) string { return p.with("1", s) }
func (p paint) bad(s string) string  { return p.with("1;31", s) }

// verdict colours the words of a verdict sentence up to its first colon.
func (p paint) verdict(v Verdict, s string) string {
	head, rest, _ := strings.Cut(s, ":")
	code := "1;33"
	switch v {
	case Verified:
		code = "1;32"
	case Violation:
		code = "1;31"
	}
	return p.with(code, head) + ":" + rest
}

// writeText writes one report for a person: findings, each with its story, what
// makes states differ if the search was cut off and what to try then, and last the verdict.
func writeText(w io.Writer, run *Run, r *Report, p paint) error {
	var b strings.Builder
	writeBody(&b, r, p, true)
	b.WriteString(p.verdict(r.Verdict, run.Sentence(r)) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// writeBody writes what is to be said of a target besides the verdict, or only what matters most.
func writeBody(b *strings.Builder, r *Report, p paint, all bool) {
	writeIgnored(b, r, p)
	for i := range r.Findings {
		writeFinding(b, &r.Findings[i], p)
	}
	for _, l := range r.Left {
		if l.Story != "" || l.Diff != "" {
			fmt.Fprintf(b, "%s %s\n", p.bad(l.Reason+":"), oneLine(l.Text))
			b.WriteString(l.Diff)
			writeCover(b, &l)
			if l.Story != "" {
				b.WriteString(strings.TrimRight(l.Story, "\n") + "\n")
			}
			writePlace(b, l.Folder, l.Replay, l.See)
		}
	}
	if r.Verdict == Inconclusive && all {
		writeDiffer(b, r.Differ)
	}
	r.Tests.write(b)
	for _, a := range r.Advice {
		fmt.Fprintf(b, "try: %s\n", oneLine(a))
	}
	if r.Verdict == Inconclusive && all {
		writeWords(b, r.Left)
	}
	for _, o := range r.Outcomes {
		fmt.Fprintf(b, "outcome: %s\n", oneLine(o))
	}
	if r.Traffic != nil {
		b.WriteString(r.Traffic.words() + "\n")
	}
}

// writeWords writes how to have the reasons explained. Who has interrupted a search knows.
func writeWords(b *strings.Builder, left []Left) {
	var see []string
	for _, l := range left {
		if word := "heddle explain " + l.Reason; l.Reason != "interrupted" && !slices.Contains(see, word) && len(l.See) == 0 {
			see = append(see, word)
		}
	}
	if len(see) > 0 {
		fmt.Fprintf(b, "more: %s\n", strings.Join(see, ", "))
	}
}

// writeCover writes which rules would make two answers of a peer equal, as they can be typed.
func writeCover(b *strings.Builder, l *Left) {
	if l.Why != "" {
		fmt.Fprintf(b, "  %s\n", oneLine(l.Why))
	}
	if len(l.Rules) == 0 {
		return
	}
	b.WriteString("  if the difference does not matter:")
	for _, rule := range l.Rules {
		if strings.Contains(rule, " ") {
			rule = "'" + rule + "'" // which is not in it
		}
		b.WriteString(" -rule " + rule)
	}
	b.WriteString("\n")
}

// Headline is what is told first: of a deadlock its cause, if that is known, since that main waits says little.
func (f *Finding) Headline() string {
	if f.Kind == "deadlock" && f.Cause != "" {
		return f.Cause
	}
	return cmp.Or(f.Told, f.Message)
}

func writeFinding(b *strings.Builder, f *Finding, p paint) {
	if f.Pos.IsValid() {
		b.WriteString(p.bold(f.Pos.String()+":") + " ")
	}
	fmt.Fprintf(b, "%s %s\n", p.bad(f.Kind+":"), oneLine(f.Headline()))
	if f.Story != "" {
		b.WriteString(p.story(strings.TrimRight(f.Story, "\n") + "\n"))
	} else {
		writeStacks(b, f.Stacks)
		writeSteps(b, f.Steps, p)
		writeBlocked(b, f.Blocked)
	}
	writePlace(b, f.Folder, f.Replay, f.See)
}

// writePlace writes where the files about something are and how to see it again.
func writePlace(b *strings.Builder, folder, replay string, see []string) {
	if folder != "" {
		fmt.Fprintf(b, "  files: %s\n", folder)
	}
	if replay != "" {
		fmt.Fprintf(b, "  replay: %s\n", replay)
	}
	if len(see) > 0 {
		fmt.Fprintf(b, "  more: %s\n", strings.Join(see, ", "))
	}
}

// writeStacks writes where the sides of a finding came from, one line a frame.
func writeStacks(b *strings.Builder, stacks []Stack) {
	for _, s := range stacks {
		fmt.Fprintf(b, "  %s by %s:\n", oneLine(s.Action), oneLine(s.Actor))
		for _, fr := range s.Frames {
			fmt.Fprintf(b, "    %s  %s\n", oneLine(fr.Func), place(fr.Pos))
		}
		for i, fr := range s.Started {
			word := ""
			if i == 0 {
				word = "started by "
			}
			fmt.Fprintf(b, "    %s%s  %s\n", word, oneLine(fr.Func), place(fr.Pos))
		}
	}
}

// writeSteps writes one line a step, and below it why it matters.
func writeSteps(b *strings.Builder, steps []Step, p paint) {
	if len(steps) == 0 {
		return
	}
	var switches, preemptions, matters bool
	rows := make([][]string, len(steps))
	for i, s := range steps {
		rows[i] = []string{fmt.Sprint(s.N), s.Actor, place(s.Pos), what(s)}
		switches = switches || s.Switch && !s.Preemption
		preemptions = preemptions || s.Preemption
		matters = matters || s.Matters != ""
	}
	alignRight(rows)
	align(rows)
	var marks []string
	if switches {
		marks = append(marks, "> context switch")
	}
	if preemptions {
		marks = append(marks, "! preemption")
	}
	if matters {
		marks = append(marks, "* matters for the verdict")
	}
	b.WriteString("  steps")
	if len(marks) > 0 {
		fmt.Fprintf(b, " (%s)", strings.Join(marks, ", "))
	}
	b.WriteString(":\n")
	for i, s := range steps {
		mark := []byte("  ")
		switch {
		case s.Preemption:
			mark[0] = '!'
		case s.Switch:
			mark[0] = '>'
		}
		line := strings.Join(rows[i], "  ")
		if s.Matters != "" {
			mark[1] = '*'
			line = p.bold(line)
		}
		fmt.Fprintf(b, "  %s %s\n", mark, line)
		if s.Matters != "" {
			fmt.Fprintf(b, "     %*s  * %s\n", utf8.RuneCountInString(rows[i][0]), "", oneLine(s.Matters))
		}
	}
}

// what returns what a step did and what it changed, in one line.
func what(s Step) string {
	text := oneLine(s.Action)
	for i, c := range s.Changed {
		if i == 0 {
			text += "  ["
		} else {
			text += ", "
		}
		text += oneLine(changeWords(c))
	}
	if len(s.Changed) > 0 {
		text += "]"
	}
	return text
}

func changeWords(c Change) string {
	switch {
	case c.Old == "":
		return fmt.Sprintf("%s: %s", c.Name, c.New)
	case c.New == "":
		return fmt.Sprintf("%s: gone, was %s", c.Name, c.Old)
	}
	return fmt.Sprintf("%s: %s -> %s", c.Name, c.Old, c.New)
}

func writeBlocked(b *strings.Builder, blocked []Blocked) {
	if len(blocked) == 0 {
		return
	}
	rows := make([][]string, len(blocked))
	for i, w := range blocked {
		who := "nobody can release it"
		if len(w.Releasers) > 0 {
			who = "could have been released by " + strings.Join(w.Releasers, ", ")
		}
		rows[i] = []string{w.Actor, place(w.Pos), oneLine(w.For) + "; " + who}
	}
	align(rows)
	b.WriteString("  blocked at the end:\n")
	for _, r := range rows {
		fmt.Fprintf(b, "    %s\n", strings.Join(r, "  "))
	}
}

// writeDiffer writes the table of what makes states differ, most values first.
func writeDiffer(b *strings.Builder, differ []Varying) {
	if len(differ) == 0 {
		return
	}
	rows := [][]string{}
	for _, v := range mostFirst(differ) {
		rows = append(rows, []string{fmt.Sprint(v.Values), oneLine(v.Name)})
	}
	alignRight(rows)
	b.WriteString("what makes states differ (number of distinct values, name):\n")
	for _, r := range rows {
		fmt.Fprintf(b, "  %s\n", strings.Join(r, "  "))
	}
}

func mostFirst(differ []Varying) []Varying {
	sorted := slices.Clone(differ)
	slices.SortFunc(sorted, func(a, b Varying) int {
		return cmp.Or(cmp.Compare(b.Values, a.Values), strings.Compare(a.Name, b.Name))
	})
	return sorted
}

// place prints a position, and nothing for none.
func place(p diag.Pos) string {
	if !p.IsValid() {
		return ""
	}
	return p.String()
}

// align pads all columns but the last to one width.
func align(rows [][]string) {
	for col := range len(rows[0]) - 1 {
		width := columnWidth(rows, col)
		for _, r := range rows {
			r[col] += strings.Repeat(" ", width-utf8.RuneCountInString(r[col]))
		}
	}
}

// alignRight pads the first column on its left.
func alignRight(rows [][]string) {
	width := columnWidth(rows, 0)
	for _, r := range rows {
		r[0] = strings.Repeat(" ", width-utf8.RuneCountInString(r[0])) + r[0]
	}
}

func columnWidth(rows [][]string, col int) int {
	width := 0
	for _, r := range rows {
		width = max(width, utf8.RuneCountInString(r[col]))
	}
	return width
}
