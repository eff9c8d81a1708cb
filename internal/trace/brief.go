package trace

import (
	"path"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// How much of a story is told in brief. Of one with at most briefAll steps all are told that may matter. Of others those are told that
// do, the first and the last ones, but no more than briefMost in all. Gaps are briefGap steps at least.
const (
	briefAll   = 40
	briefFirst = 5
	briefLast  = 20
	briefMost  = 60
	briefGap   = 3
)

// BriefText returns the steps, one line each, as StepsText does. Those are left out that matter least, and it is said how many there
// are. Of what a call of the library does its first step is told, in the name of the call, unless there is nothing else to tell.
func (t *Trace) BriefText() string {
	if t.Loop > 0 {
		return t.StepsText(1, len(t.Steps))
	}
	told := t.brief()
	hint := " (-full tells all)"
	own := *t
	if t.folds() {
		own.Steps = slices.Clone(t.Steps)
		for i := range own.Steps {
			if s := &own.Steps[i]; s.ofOthers() {
				s.Action = callOf(s.Action)
			}
		}
	}
	return own.someSteps(1, len(t.Steps), func(i int) bool { return told[i] }, func(n int) string {
		text := count(n, "step") + hint
		hint = ""
		return text
	})
}

// callOf takes from an action of the library what it does in a call: "http.Get(url): lock" is a part of "http.Get(url)".
func callOf(action string) string {
	if at := strings.LastIndex(action, "): "); at >= 0 {
		return action[:at+1]
	}
	return action
}

// folds reports whether steps of the library are left out: there are others to tell.
func (t *Trace) folds() bool {
	rest := t.Steps[t.Untold():]
	return slices.ContainsFunc(rest, func(s Step) bool { return s.ofOthers() }) && slices.ContainsFunc(rest, func(s Step) bool { return !s.ofOthers() })
}

// ofOthers reports whether a step is one of the library, or of what runs the tests.
func (s *Step) ofOthers() bool {
	return s.Library || s.Pos.IsValid() && (!inProgram(s.Pos) || s.Pos.File == "_testmain.go")
}

// brief says which steps to tell in brief.
func (t *Trace) brief() []bool {
	told := make([]bool, len(t.Steps))
	fold := t.folds()
	calls := map[string]diag.Pos{} // of actors: where they have called the library
	var list []int                 // without those that go on with what the one before did
	for i := t.Untold(); i < len(t.Steps); i++ {
		s := &t.Steps[i]
		if fold && s.ofOthers() {
			call := inProgram(s.Pos) && s.Pos.File != "_testmain.go" && strings.Contains(s.Action, "(")
			if again := calls[s.Actor] == s.Pos; again || !call {
				continue
			}
			calls[s.Actor] = s.Pos
		} else {
			delete(calls, s.Actor)
		}
		if len(t.Steps) <= briefAll || i == t.Untold() || s.Weight == Key || s.Switch || s.Actor != t.Steps[i-1].Actor || s.Pos != t.Steps[i-1].Pos {
			list = append(list, i)
		}
	}
	for n, i := range list {
		told[i] = len(list) <= briefAll || n < briefFirst || n >= len(list)-briefLast || t.Steps[i].Weight == Key
	}
	t.closeGaps(told, fold)
	for i := 0; i < len(t.Steps); { // those that do not matter are left out last, so that they fill no gaps
		end := i + 1
		for end < len(t.Steps) && t.Steps[i].Weight == Apart && t.Steps[end].Weight == Apart {
			end++
		}
		if t.Steps[i].Weight == Apart && end-i > 1 {
			for k := i; k < end; k++ {
				told[k] = false
			}
		}
		i = end
	}
	list = list[:0]
	for i := range told {
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

// closeGaps tells what is between steps that are told and few steps apart, but for the library if that is left out.
func (t *Trace) closeGaps(told []bool, fold bool) {
	last := -1
	for i := t.Untold(); i < len(t.Steps); i++ {
		if !told[i] {
			continue
		}
		for k := last + 1; k < i && last >= 0 && i-last <= briefGap; k++ {
			told[k] = !fold || !t.Steps[k].ofOthers()
		}
		last = i
	}
}

// inProgram reports whether a place is in the program that is checked, and not in a file of somebody else: those have whole paths.
func inProgram(p diag.Pos) bool { return p.IsValid() && !path.IsAbs(slashed(p.File)) }

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
		e.Messages = slices.Clone(e.Messages)
		for i, m := range e.Messages {
			e.Messages[i] = lts.Message{From: name(m.From), To: name(m.To), Text: m.Text}
		}
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
