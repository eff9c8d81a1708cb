package main

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestEstimates: of generated programs, at least four in five guesses at ten percent of the states and more are within a factor of ten.
func TestEstimates(t *testing.T) {
	list, err := randoms(5000, testlong.Or(12, 60))
	if err != nil {
		t.Fatal(err)
	}
	told, good := 0, 0
	for _, s := range list {
		r, err := measure(s, limits{states: 5_000})
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if r == nil {
			continue
		}
		t.Log(r)
		for i, g := range r.guesses {
			if ratio := g.ratio(r.states); percents[i] >= 10 && ratio > 0 && !g.AtLeast {
				told++
				if ratio >= 0.1 && ratio <= 10 {
					good++
				}
			}
		}
	}
	if told < 5 || 5*good < 4*told {
		t.Errorf("got %d of %d guesses that are good, want four fifths of five at least", good, told)
	}
}
