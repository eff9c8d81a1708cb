package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/lts"
)

// How much of a long story is told in brief. One of briefAll steps is told as a whole. Of others those are told that matter, the first and the
// last ones, but no more than briefMost in all. Gaps are briefGap steps at least. Operations of the standard library are left out, unless
// there is nothing else to tell.
const (
	briefAll   = 40
	briefFirst = 5
	briefLast  = 20
	briefMost  = 60
	briefGap   = 3
)

// BriefText returns the steps, one line each, as StepsText does. Of a long story those are left out that matter least, and it is said
// how many there are.
func (t *Trace) BriefText() string {
	if len(t.Steps) <= briefAll || t.Loop > 0 {
		return t.StepsText(1, len(t.Steps))
	}
	lines := slices.Collect(strings.Lines(t.StepsText(1, len(t.Steps))))
	heads := len(lines) - (len(t.Steps) - t.Untold()) // that are no steps
	digits := max(len(strconv.Itoa(len(t.Steps))), 3)
	var b strings.Builder
	for _, line := range lines[:heads] {
		b.WriteString(line)
	}
	left, hint := 0, " (-v tells all)"
	told := t.brief()
	for i, line := range lines[heads:] {
		if !told[t.Untold()+i] {
			left++
			continue
		}
		if left > 0 {
			fmt.Fprintf(&b, "  %*s   %s%s\n", digits, "...", count(left, "step"), hint)
			left, hint = 0, ""
		}
		b.WriteString(line)
	}
	return b.String()
}

// brief says which steps to tell in brief.
func (t *Trace) brief() []bool {
	told := make([]bool, len(t.Steps))
	rest := t.Steps[t.Untold():]
	fold := slices.ContainsFunc(rest, func(s Step) bool { return s.Library }) && slices.ContainsFunc(rest, func(s Step) bool { return !s.Library })
	var list []int // without those that go on with what the one before did
	for i := t.Untold(); i < len(t.Steps); i++ {
		s := &t.Steps[i]
		if fold && s.Library && i < len(t.Steps)-1 {
			continue
		}
		if i == t.Untold() || s.Weight == Key || s.Switch || s.Actor != t.Steps[i-1].Actor || s.Pos != t.Steps[i-1].Pos {
			list = append(list, i)
		}
	}
	for n, i := range list {
		told[i] = len(list) <= briefAll || n < briefFirst || n >= len(list)-briefLast || t.Steps[i].Weight == Key
	}
	list = list[:0]
	for i := t.Untold(); i < len(t.Steps); i++ {
		if gap := len(list) > 0 && told[i] && i-list[len(list)-1] <= briefGap; gap {
			for k := list[len(list)-1] + 1; k < i; k++ {
				if !fold || !t.Steps[k].Library {
					told[k] = true
					list = append(list, k)
				}
			}
		}
		if told[i] {
			list = append(list, i)
		}
	}
	if len(list) > briefMost {
		for _, i := range list[2*briefFirst : len(list)-(briefMost-2*briefFirst)] {
			told[i] = false
		}
	}
	return told
}

// Renamed returns a copy with other names of actors, in all that a story tells.
func (t *Trace) Renamed(name func(string) string) *Trace {
	own := *t
	names := func(list []string) []string {
		list = slices.Clone(list)
		for i := range list {
			list[i] = name(list[i])
		}
		return list
	}
	event := func(e lts.Event) lts.Event {
		e.Actor, e.Action, e.Kept = name(e.Actor), name(e.Action), names(e.Kept)
		e.Changed = slices.Clone(e.Changed)
		for i := range e.Changed {
			c := &e.Changed[i]
			c.Name, c.Old, c.New = name(c.Name), name(c.Old), name(c.New)
		}
		return e
	}
	own.Finding.Message = name(t.Finding.Message)
	own.Before, own.Steps, own.Waiting = slices.Clone(t.Before), slices.Clone(t.Steps), slices.Clone(t.Waiting)
	for i, e := range own.Before {
		own.Before[i] = event(e)
	}
	for i := range own.Steps {
		s := &own.Steps[i]
		s.Event = event(s.Event)
		s.Why = slices.Clone(s.Why)
		for k := range s.Why {
			s.Why[k].Text = name(s.Why[k].Text)
		}
	}
	own.Stacks = slices.Clone(t.Stacks)
	for i := range own.Stacks {
		s := &own.Stacks[i]
		s.Actor, s.Frames, s.Started = name(s.Actor), slices.Clone(s.Frames), slices.Clone(s.Started)
		for _, list := range [][]lts.Frame{s.Frames, s.Started} {
			for k := range list {
				list[k].Func = name(list[k].Func)
			}
		}
	}
	for i := range own.Waiting {
		w := &own.Waiting[i]
		w.Actor, w.For, w.Releasers = name(w.Actor), name(w.For), names(w.Releasers)
	}
	return &own
}
