// Package ltstest has the suite that every [lts.System] passes, and toy systems
// whose numbers of states are known from a formula, for testing searches.
//
//	func TestContract(t *testing.T) {
//		ltstest.Run(t, func() lts.System { return New(program) })
//	}
package ltstest

import (
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A Model is a transition system as functions over states of a fixed number of
// bytes. New makes a System of it.
type Model struct {
	Start []byte
	// Enabled appends the steps of a state.
	Enabled func(state []byte, dst []lts.Step) []lts.Step
	// Take changes the state.
	Take func(state []byte, s lts.Step)

	// What follows may be nil.

	Reduced func(state []byte, dst []lts.Step) []lts.Step // default: the enabled steps
	Final   func(state []byte) bool                       // default: each state without steps
	Wrong   func(state []byte) string                     // the message of a finding of kind "wrong", or ""
	// WrongStep returns the message of a finding of kind "step" about the step
	// from one state to another, or "".
	WrongStep func(from, to []byte) string
	Beyond    func(state []byte) error
	Actor     func(s lts.Step) int // default: the step
}

// New returns a System that stands at the start of m.
func New(m Model) lts.System {
	t := &toy{m: m, state: slices.Clone(m.Start)}
	return t
}

// A toy is a Model as a System. It saves whole states.
type toy struct {
	m     Model
	state []byte
	saved []byte
	from  []byte // the state before the last step, if WrongStep wants it
	mover int
}

func (t *toy) Reset() {
	copy(t.state, t.m.Start)
	t.saved = t.saved[:0]
}

func (t *toy) Enabled(dst []lts.Step) []lts.Step { return t.m.Enabled(t.state, dst) }

func (t *toy) Take(s lts.Step) lts.Label {
	t.mover = t.Actor(s)
	if t.m.WrongStep != nil {
		t.from = append(t.from[:0], t.state...)
	}
	t.m.Take(t.state, s)
	return lts.Label(s)
}

func (t *toy) Save() lts.Mark {
	t.saved = append(t.saved, t.state...)
	return lts.Mark(len(t.saved))
}

func (t *toy) Restore(m lts.Mark) {
	if int(m) > len(t.saved) || m == 0 {
		panic(diag.Bugf("restore of mark %d: the last one is %d", m, len(t.saved)))
	}
	t.saved = t.saved[:m]
	copy(t.state, t.saved[int(m)-len(t.state):])
}

func (t *toy) AppendKey(dst []byte) []byte { return append(dst, t.state...) }

func (t *toy) Reduced(dst []lts.Step) []lts.Step {
	if t.m.Reduced == nil {
		return t.Enabled(dst)
	}
	return t.m.Reduced(t.state, dst)
}

func (t *toy) Final() bool { return t.m.Final == nil || t.m.Final(t.state) }

func (t *toy) CheckState(dst []diag.Finding) []diag.Finding {
	if t.m.Wrong != nil {
		if text := t.m.Wrong(t.state); text != "" {
			dst = append(dst, diag.Finding{Kind: "wrong", Message: text})
		}
	}
	return dst
}

func (t *toy) CheckStep(dst []diag.Finding) []diag.Finding {
	if t.m.WrongStep != nil {
		if text := t.m.WrongStep(t.from, t.state); text != "" {
			dst = append(dst, diag.Finding{Kind: "step", Message: text})
		}
	}
	return dst
}

func (t *toy) Beyond() error {
	if t.m.Beyond == nil {
		return nil
	}
	return t.m.Beyond(t.state)
}

func (t *toy) Actor(s lts.Step) int {
	if t.m.Actor == nil {
		return int(s)
	}
	return t.m.Actor(s)
}

func (t *toy) Mover() int { return t.mover }

func (t *toy) LabelText(l lts.Label) string { return fmt.Sprintf("s%d", l) }
