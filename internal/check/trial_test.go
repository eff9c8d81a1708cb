package check

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

// An endless is a system that counts.
type endless struct {
	n     uint64
	marks []uint64
}

func (e *endless) Reset()                            { *e = endless{} }
func (e *endless) Enabled(dst []lts.Step) []lts.Step { return append(dst, 0) }
func (e *endless) AppendKey(dst []byte) []byte       { return binary.AppendUvarint(dst, e.n) }
func (e *endless) Restore(m lts.Mark)                { e.n, e.marks = e.marks[m], e.marks[:m+1] }

func (e *endless) Take(lts.Step) lts.Label {
	e.n++
	return 0
}

func (e *endless) Save() lts.Mark {
	e.marks = append(e.marks, e.n)
	return lts.Mark(len(e.marks) - 1)
}

// TestTrialOver: if it is time to stop right at the end of a trial, the bound of the trial is nothing that the user hears of.
func TestTrialOver(t *testing.T) {
	sys := new(endless)
	over := func() bool { return sys.n+1 >= uint64(trialStates[0]) }
	s := &Task{Settings: new(execute.Settings), Pool: &Pool{Make: func() (lts.System, error) { return sys, nil }}, Trials: true,
		Options: explore.Options{Reduce: true, Interrupt: over}}
	end, err := s.settle()
	if err != nil {
		t.Fatal(err)
	}
	if left := end.Result.Left; len(left) == 0 || slices.ContainsFunc(left, func(l explore.Left) bool { return l.Reason == explore.LimitStates }) {
		t.Errorf("got %v, want that it was interrupted, and nothing else", left)
	}
}
