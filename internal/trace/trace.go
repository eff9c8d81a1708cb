// Package trace tells the story of a finding: the steps that lead to it, as few
// context switches as can be, which of the steps matter and why, and who is
// blocked at the end.
//
//	path ──Minimise──► path ──Record──► Trace ──► text, columns, Mermaid
//	                                     │ ▲
//	                                Write▼ │Read
//	                                 trace.json
//
// It knows the contract of package lts and nothing of what is checked or how it
// was searched. What a step did in words comes from [lts.Describer]; a system
// without it is told by the text of its labels. Everything here is a function of
// the system and the path: the same trace has the same bytes every time.
//
// The marks are only as good as what the front end says of its steps. A step
// depends on another if both touch a thing and one writes it, if both are steps
// of one actor, or if one names the other's actor in its words. What a step did
// to the local values of its actor is not told, so all earlier steps of an actor
// count as the past of its later ones. Where no step tells what it touches, no
// step is said to have no part.
package trace

import (
	"errors"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/plain"
)

// A Trace is a counterexample: a path, step by step, and what is wrong at its
// end.
type Trace struct {
	// Program identifies what was checked, and Settings say how. Both are the
	// caller's words; Record leaves them empty.
	Program  string
	Settings map[string]string

	Path    lts.Path
	Loop    int // the number of the step with which a loop begins that goes on for ever, 0 for none
	Finding diag.Finding
	Before  []lts.Event   // what went between actors and others before the first step
	Steps   []Step        // one for each step of Path
	Stacks  []lts.Stack   // where the sides of the finding came from, who has ended the program, or who is blocked
	Waiting []lts.Waiting // who is blocked at the end

	Switches    int // steps of another actor than the one before
	Preemptions int // those of them where that one could have gone on
	// Fewest says that every path to such a finding that is not longer than the
	// one that was minimised has at least as many switches. Record leaves it
	// false, Best does not.
	Fewest bool
}

// A Step is one line of a trace.
type Step struct {
	lts.Event
	Switch     bool // another actor moved before
	Preemption bool // and could have gone on
	Weight     Weight
	Why        []Reason // why it matters, the reasons of the earliest later steps first
}

// A Weight says how a step is related to the finding.
type Weight uint8

// The weights.
const (
	Apart Weight = iota // it has no part in the finding
	Past                // an actor that matters had to pass it
	Key                 // other actors or the finding depend on it
)

var weightNames = [...]string{Apart: "apart", Past: "past", Key: "key"}

func (w Weight) String() string { return weightNames[w] }

// A Reason is why a step matters.
type Reason struct {
	For  int    // the number of the later step that depends on it; 0 is the end
	Text string // in words
}

// ErrStale is in the chain of errors that say that a trace or path belongs to
// another program, or to another version of this one.
var ErrStale = errors.New("the program differs from the one that was checked")

// stale returns a usage error that wraps ErrStale.
func stale(format string, args ...any) error {
	err := diag.Usagef(format+": "+ErrStale.Error(), args...)
	err.Err = ErrStale
	return err
}

// Record goes along a path and writes down what happens. The path has to show
// the finding at its end, unless the finding is the zero Finding. A path that
// does not fit is an error that says at which step.
func Record(sys lts.System, path lts.Path, f diag.Finding) (*Trace, error) {
	return record(sys, path, 0, f, f)
}

// RecordLoop does the same for a path whose last steps, so many, go around for ever. What is wrong with
// that is not looked at.
func RecordLoop(sys lts.System, path lts.Path, loop int, f diag.Finding) (*Trace, error) {
	return record(sys, path, loop, f, diag.Finding{})
}

// record writes down a path. At its end a finding has to show, which may be another one than is written down.
func record(sys lts.System, path lts.Path, loop int, told, f diag.Finding) (*Trace, error) {
	t := &Trace{Path: slices.Clone(path), Finding: told}
	if loop > 0 {
		t.Loop = len(path) - loop + 1
	}
	t.Finding.Trace = nil
	t.Finding.Message = plain.Line(told.Message)
	p := newProbe(sys)
	p.Reset()
	if b, ok := sys.(lts.Preface); ok {
		for _, e := range b.Before() {
			t.Before = append(t.Before, cleanEvent(e))
		}
	}
	mover := -1
	shown := p.shows(SameAs(f), false)
	for i, s := range path {
		p.steps = p.Enabled(p.steps[:0])
		if !slices.Contains(p.steps, s) {
			return nil, stale("step %d of %d%s: step %d is not enabled", i+1, len(path), t.after(), s)
		}
		var step Step
		if p.actors != nil && i > 0 && p.actors.Actor(s) != mover {
			step.Switch = true
			step.Preemption = slices.ContainsFunc(p.steps, func(s lts.Step) bool { return p.actors.Actor(s) == mover })
		}
		if i == len(path)-1 {
			m := p.Save()
			p.Take(s)
			shown = p.shows(SameAs(f), true)
			p.Restore(m)
		}
		if i < untold(len(path)) {
			step.Event = p.brief(s)
		} else {
			step.Event = p.describe(s)
		}
		if p.actors != nil {
			mover = p.actors.Mover()
		}
		if step.Switch {
			t.Switches++
		}
		if step.Preemption {
			t.Preemptions++
		}
		t.Steps = append(t.Steps, step)
	}
	if f.Kind != "" && !shown {
		return nil, stale("step %d of %d%s: the finding does not show (%s)", len(path), len(path), t.after(), f.Error())
	}
	if w, ok := sys.(lts.Witness); ok {
		for _, s := range w.Stacks(f) {
			t.Stacks = append(t.Stacks, cleanStack(s))
		}
	}
	if w, ok := sys.(lts.Waiters); ok {
		for _, waiting := range w.Waiting() {
			if !happens(f.Kind) || len(waiting.Releasers) == 0 { // others may just wait for their turn
				t.Waiting = append(t.Waiting, cleanWaiting(waiting))
			}
		}
	}
	if untold(len(path)) == 0 {
		t.weigh()
		return t, nil
	}
	for i := range t.Steps {
		t.Steps[i].Weight = Past // nobody looks which of so many matter
	}
	return t, nil
}

// happens reports whether findings of a kind are about what somebody does, and not about who cannot.
func happens(kind string) bool { return kind == "race" || kind == "panic" || kind == "fatal" }

// maxTold is how many steps of a path are told in words. To do that for each step of a path of
// some hundred thousand takes minutes, and nobody reads it.
const maxTold = 5000

// Untold is how many steps at the beginning are not told in words.
func (t *Trace) Untold() int { return untold(len(t.Steps)) }

// untold is how many steps at the beginning of a path of n steps are not told in words.
func untold(n int) int { return max(0, n-maxTold) }

// after says what the last recorded step was, for errors.
func (t *Trace) after() string {
	if len(t.Steps) == 0 {
		return ""
	}
	last := t.Steps[len(t.Steps)-1]
	return ", after " + last.Actor + ": " + last.Action
}

// Agree returns how many steps at the beginning of two traces tell the same.
func (t *Trace) Agree(now *Trace) int {
	n := min(len(t.Steps), len(now.Steps))
	for i := range n {
		if t.Steps[i].line() != now.Steps[i].line() {
			return i
		}
	}
	return n
}

// Differs compares a trace with one that was recorded now, of the same path. It
// returns nil if they tell the same, and otherwise an error that says where they
// first do not.
func (t *Trace) Differs(now *Trace) error {
	for i := range min(len(t.Steps), len(now.Steps)) {
		old, new := &t.Steps[i], &now.Steps[i]
		if a, b := old.line(), new.line(); a != b {
			return stale("step %d of %d: was %q, is %q", i+1, len(t.Steps), a, b)
		}
	}
	if a, b := len(t.Steps), len(now.Steps); a != b {
		return stale("was %d steps, is %d", a, b)
	}
	if a, b := t.Finding.Error(), now.Finding.Error(); a != b {
		return stale("the finding was %q, is %q", a, b)
	}
	return nil
}

// line returns a step on one line.
func (s *Step) line() string {
	text := place(s.Pos) + ": " + s.Actor + ": " + s.Action
	if c := changes(s.Changed); c != "" {
		text += " [" + c + "]"
	}
	return text
}

// Matters returns why other steps or the finding depend on a step, on one line, or
// "" if they do not.
func (s *Step) Matters() string {
	if s.Weight != Key {
		return ""
	}
	var texts []string
	for _, r := range s.Why {
		texts = append(texts, r.Text)
	}
	return strings.Join(texts, "; ")
}

// A Value is a named value.
type Value struct{ Name, Value string }

// Values returns what has changed up to step n, with the values after it,
// ordered by name.
func (t *Trace) Values(n int) []Value {
	last := map[string]string{}
	for _, s := range t.Steps[:min(n, len(t.Steps))] {
		for _, c := range s.Changed {
			last[c.Name] = c.New
		}
	}
	var values []Value
	for name, v := range last {
		if v != "" {
			values = append(values, Value{name, v})
		}
	}
	slices.SortFunc(values, func(a, b Value) int { return compareStrings(a.Name, b.Name) })
	return values
}

// outsiders returns those who exchange messages with actors and are none, in the
// order in which they appear.
func (t *Trace) outsiders() []string {
	actors := t.actorNames()
	var names []string
	t.messages(func(_ int, m lts.Message) {
		for _, name := range []string{m.From, m.To} {
			if !slices.Contains(actors, name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	})
	return names
}

// messages calls yield for all messages with the index of their step, -1 for those
// before the first.
func (t *Trace) messages(yield func(step int, m lts.Message)) {
	for _, e := range t.Before {
		for _, m := range e.Messages {
			yield(-1, m)
		}
	}
	for i := range t.Steps {
		for _, m := range t.Steps[i].Messages {
			yield(i, m)
		}
	}
}

// actorNames returns the actors in the order in which they appear: those that
// move, and then those that only wait.
func (t *Trace) actorNames() []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, e := range t.Before {
		add(e.Actor)
	}
	for i := range t.Steps {
		add(t.Steps[i].Actor)
	}
	for _, w := range t.Waiting {
		add(w.Actor)
	}
	return names
}
