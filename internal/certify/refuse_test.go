package certify

import (
	"errors"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/execute"
)

// TestRefuse: what says nothing about a certificate is no reason to refuse it.
func TestRefuse(t *testing.T) {
	for _, test := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{diag.Usagef("it is about another program"), true},
		{diag.Incompletef("interrupted"), false},
		{distribute.QueueError{}, false},
	} {
		var r *Refusal
		if got := errors.As(Refuse(test.err), &r); got != test.want {
			t.Errorf("%#v is a refusal: got %v, want %v", test.err, got, test.want)
		}
	}
}

// TestLookFor: what shapes the graph cannot be changed, and the rest can.
func TestLookFor(t *testing.T) {
	s, asked := check.New(), check.New()
	asked.Model.LookFor([]string{string(execute.Race), string(execute.Fatal), string(execute.Deadlock)})
	if err := LookFor(s, &asked.Model); err != nil || s.Model.Looks(execute.Panic) || !s.Model.Looks(execute.Deadlock) {
		t.Errorf("got %v, looks for %v", err, s.Model.Properties())
	}
	for _, list := range [][]string{{string(execute.Race)}, {string(execute.Fatal)}} {
		s := check.New()
		asked.Model.LookFor(list)
		if err := LookFor(s, &asked.Model); err == nil || !s.Model.Looks(execute.Panic) {
			t.Errorf("%v: got %v, looks for %v, want it refused", list, err, s.Model.Properties())
		}
	}
}
