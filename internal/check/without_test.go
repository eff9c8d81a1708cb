package check

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
)

// TestWithout: each guess and view can be left out by its name, and only those.
func TestWithout(t *testing.T) {
	all := execute.Unknown()
	for _, name := range execute.CanBeWithout() {
		s := New()
		s.Search.Without = List{name}
		e, err := s.System()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := execute.Unknown(e.Without...); got.Text() == all.Text() && got.Views == all.Views {
			t.Errorf("%s: nothing is left out", name)
		}
	}
	s := New()
	s.Search.Without = List{"luck"}
	if _, err := s.System(); err == nil {
		t.Error("got no error for a guess that is not known")
	}
}
