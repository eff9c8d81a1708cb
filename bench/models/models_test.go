package main

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/graph"
)

// formulas are numbers of states, as they are searched, by hand. One more is that behind the end, or before the beginning.
var formulas = map[string]int{
	"buffer": 1 + 2 + 4 + 8, "jugs": 2 * (3 + 5), "knights": 70*4 + 1, "kstate": 4*4*4*4 + 1, "lights": 2 * 3, "lightsout": 1 << 9, "msi": 1<<3 + 3,
	"pancakes": 4 * 3 * 2, "queens": 1 + 8 + 42 + 140 + 344 + 568 + 550 + 312 + 92 + 1, "readers": 1<<3 + 2, "sliding": 720 / 2, "tokenring": 5 * 3 * 16,
}

// TestSpecifications: each has the size and the verdict that its first lines say, and if these say that a program makes the same graph, then
// it is strongly bisimilar.
func TestSpecifications(t *testing.T) {
	list, err := all(".")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 40 {
		t.Errorf("got %d specifications, want at least 40", len(list))
	}
	used := 0
	for _, s := range list {
		t.Run(s.name, func(t *testing.T) {
			m, err := s.measure(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if m.counts() != s.counts || m.verdict != s.holds {
				t.Errorf("got %s %v, want %s %v", m.counts(), m.verdict, s.counts, s.holds)
			}
			if want, ok := formulas[s.name]; ok && m.raw.States != want {
				t.Errorf("got %d states, want %d", m.raw.States, want)
			}
			program, ok := programs[s.name]
			if ok != strings.HasPrefix(s.known, "program") {
				t.Fatalf("there is a program: %v; Known says: %s", ok, s.known)
			}
			if !ok {
				return
			}
			used++
			other := program()
			if same, _, err := graph.Compare(m.raw, other, graph.Strong, "tau"); err != nil || !same {
				_, trace, _ := graph.Compare(m.raw, other, graph.Trace, "tau")
				t.Errorf("the program makes another graph, of %d states instead of %d: %v, trace %q", other.States, m.raw.States, err, trace)
			}
		})
	}
	if used != len(programs) {
		t.Errorf("got %d specifications with programs, and %d programs", used, len(programs))
	}
}
