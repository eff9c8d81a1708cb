package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/lts"
)

// widest bounds the columns of actors, places and actions: a longer text is
// printed whole and pushes the rest of its own line to the right.
const (
	widestActor  = 28
	widestPlace  = 36
	widestAction = 60
)

// Legend explains the marks of Text.
const Legend = "> context switch   ! preemption   * matters   - does not matter\n"

// Text returns the trace as lines: the steps, the finding, and who is blocked.
//
//	   1   main        ab.go:9   go main.first
//	!  2 * main.first  ab.go:17  lock a         a: free → main.first
func (t *Trace) Text() string {
	var b strings.Builder
	b.WriteString(t.BeforeText())
	b.WriteString(t.StepsText(1, len(t.Steps)))
	if t.Finding.Kind != "" {
		b.WriteString(t.Finding.Error() + "\n")
	}
	b.WriteString(t.CauseText())
	b.WriteString(t.StacksText())
	b.WriteString(t.WaitingText())
	b.WriteString(t.WhyText())
	b.WriteString(t.Summary() + "\n")
	if len(t.Steps) > 0 {
		b.WriteString(Legend)
	}
	return b.String()
}

// BeforeText returns what went between actors and others before the first step, one
// line each, or "".
func (t *Trace) BeforeText() string {
	if len(t.Before) == 0 {
		return ""
	}
	actor, at, _ := t.widths(func(int) bool { return true })
	digits := max(len(strconv.Itoa(len(t.Steps))), 3)
	var b strings.Builder
	for _, e := range t.Before {
		line := fmt.Sprintf("  %*s   %s  %s  %s", digits, "·", pad(e.Actor, actor), pad(place(e.Pos), at), e.Action)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// widths returns the widths of the columns of actors, places and actions, of some steps.
func (t *Trace) widths(told func(i int) bool) (actor, at, action int) {
	for _, e := range t.Before {
		actor = max(actor, min(width(e.Actor), widestActor))
		at = max(at, min(width(place(e.Pos)), widestPlace))
	}
	for i := t.Untold(); i < len(t.Steps); i++ {
		s := &t.Steps[i]
		if !told(i) {
			continue
		}
		actor = max(actor, min(width(s.Actor), widestActor))
		at = max(at, min(width(place(s.Pos)), widestPlace))
		action = max(action, min(width(s.Action), widestAction))
	}
	return actor, at, action
}

// StepsText returns steps from one number to another, one line each.
func (t *Trace) StepsText(from, to int) string {
	return t.someSteps(from, to, func(int) bool { return true }, func(int) string { return "" })
}

// someSteps does so for some of them, with what is to be said in the place of others before each.
func (t *Trace) someSteps(from, to int, told func(i int) bool, instead func(n int) string) string {
	actor, at, action := t.widths(told)
	digits := max(len(strconv.Itoa(len(t.Steps))), 3)
	left := 0
	var b strings.Builder
	first := max(from-1, 0)
	if n := untold(len(t.Steps)); first < n && to-from > 0 {
		fmt.Fprintf(&b, "  %*s   the first %d steps are not told\n", digits, "", n)
		first = n
	}
	for i := first; i < min(to, len(t.Steps)); i++ {
		s := &t.Steps[i]
		if !told(i) {
			left++
			continue
		}
		if left > 0 {
			fmt.Fprintf(&b, "  %*s   %s\n", digits, "...", instead(left))
			left = 0
		}
		if i+1 == t.Loop {
			fmt.Fprintf(&b, "  %*s   the loop:\n", digits, "")
		}
		line := fmt.Sprintf("%s %*d %s %s  %s  %s  %s", s.switchMark(), digits, i+1, s.weightMark(),
			pad(s.Actor, actor), pad(place(s.Pos), at), pad(s.Action, action), changes(s.Changed))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
		if t.Loop > 0 && i+1 == len(t.Path) {
			fmt.Fprintf(&b, "  %*s   and again from step %d on, forever\n", digits, "", t.Loop)
		}
	}
	if left > 0 {
		fmt.Fprintf(&b, "  %*s   %s\n", digits, "...", instead(left))
	}
	return b.String()
}

func (s *Step) switchMark() string {
	switch {
	case s.Preemption:
		return "!"
	case s.Switch:
		return ">"
	}
	return " "
}

func (s *Step) weightMark() string {
	switch s.Weight {
	case Key:
		return "*"
	case Past:
		return " "
	}
	return "-"
}

// WaitingText returns who is blocked at the end, one line each, or "".
func (t *Trace) WaitingText() string {
	if len(t.Waiting) == 0 {
		return ""
	}
	actor, at := 0, 0
	for _, w := range t.Waiting {
		actor = max(actor, min(width(w.Actor), widestActor))
		at = max(at, min(width(place(w.Pos)), widestPlace))
	}
	var b strings.Builder
	b.WriteString("blocked:\n")
	for _, w := range t.Waiting {
		fmt.Fprintf(&b, "  %s  %s  %s; %s\n", pad(w.Actor, actor), pad(place(w.Pos), at), w.For, released(w.Releasers))
	}
	return b.String()
}

// lastUse returns the last step of another one on what an actor waits for, if nobody can release it and it waits for one thing; or -1.
func (t *Trace) lastUse(w *lts.Waiting) int {
	if len(w.Releasers) > 0 || len(w.On) != 1 {
		return -1
	}
	for i := len(t.Steps) - 1; i >= 0; i-- {
		s := &t.Steps[i]
		if s.Actor != w.Actor && s.Action != w.For && slices.ContainsFunc(s.Touched, func(x lts.Touch) bool { return x.Thing == w.On[0] }) {
			return i
		}
	}
	return -1
}

// released says who could have released an actor.
func released(by []string) string {
	if len(by) == 0 {
		return "nobody can release it"
	}
	return "could have been released by " + some(by, ", ")
}

// some joins the first few texts and says how many more there are.
func some(texts []string, sep string) string {
	const few = 3
	if len(texts) <= few {
		return strings.Join(texts, sep)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(texts[:few], sep), len(texts)-few)
}

// WhyText returns the reasons of the steps that others depend on, or "".
func (t *Trace) WhyText() string {
	var b strings.Builder
	for i := range t.Steps {
		s := &t.Steps[i]
		if s.Weight != Key {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("why:\n")
		}
		texts := make([]string, len(s.Why))
		for k, r := range s.Why {
			texts[k] = r.Text
		}
		fmt.Fprintf(&b, "%5d * %s\n", i+1, some(texts, "; "))
	}
	return b.String()
}

// Summary returns the numbers of the trace on one line.
func (t *Trace) Summary() string {
	text := fmt.Sprintf("%s, %s", count(len(t.Steps), "step"), count(t.Switches, "context switch"))
	if t.Preemptions > 0 {
		text += fmt.Sprintf(" (%s)", count(t.Preemptions, "preemption"))
	}
	switch {
	case t.Loop > 0:
		n := len(t.Path) - t.Loop + 1
		text += fmt.Sprintf(": %s to the loop, %s in it", count(t.Loop-1, "step"), count(n, "step"))
	case t.Fewest && t.Switches > 0:
		text += ": no path of this length or shorter has fewer switches"
	case t.Switches > 0:
		text += ": not proven to be the fewest"
	}
	return text
}
