package trace

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
)

func TestHasWord(t *testing.T) {
	for _, test := range []struct {
		text, name string
		want       bool
	}{
		{"go main.worker", "main.worker", true},
		{"go main.worker", "main", false},
		{"go main.worker#2", "main.worker", false},
		{"go main.worker#2, main.worker", "main.worker", true},
		{"send 3 on results (chan int, 0/1)", "results", true},
		{"lock mu", "m", false},
		{"lock (mu)", "mu", true},
		{"anything", "", false},
	} {
		if got := hasWord(test.text, test.name); got != test.want {
			t.Errorf("%q in %q: got %v, want %v", test.name, test.text, got, test.want)
		}
	}
}

func TestChanges(t *testing.T) {
	got := changes([]lts.Change{{Name: "x", Old: "1", New: "2"}, {Name: "y", New: "3"}, {Name: "z", Old: "4"}, {Name: "none"}})
	if want := "x: 1 → 2, y = 3, z gone"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want []string
	}{
		{"short", 10, []string{"short"}},
		{"", 10, nil},
		{"send 3 on results", 10, []string{"send 3 on", "  results"}},
		{"main.aVeryLongName", 10, []string{"main.aVery", "  LongName"}},
		{"ends here  ", 9, []string{"ends here"}},
	} {
		if got := wrap(test.text, test.n); !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestEscape(t *testing.T) {
	if got, want := escape("worker#2; a<-b 5% %%"), "worker#35;2#59; a#lt;-b 5% #37;#37;"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
