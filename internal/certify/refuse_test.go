package certify

import (
	"errors"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
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
