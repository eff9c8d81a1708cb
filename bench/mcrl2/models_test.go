package main

import (
	"fmt"
	"os"
	"testing"
)

// TestModels: the models are there and can be made linear.
func TestModels(t *testing.T) {
	if err := os.Chdir("../.."); err != nil {
		t.Fatal(err)
	}
	for _, b := range append(benches, large[0]) {
		text, err := b.text()
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := process(b.file, text); err != nil {
			t.Errorf("%s: %v", b.name, err)
		}
	}
}

// TestSets: a symbolic search gives the states of the other one, and the way to the deadlock.
func TestSets(t *testing.T) {
	benches = append(benches, bench{"dining7", "", "../../examples/models/dining.mcrl2", dining(7), 0})
	if _, err := os.Stat("examples"); err == nil {
		benches[len(benches)-1].file = "examples/models/dining.mcrl2"
	}
	f, err := measureSets("dining7")
	if err != nil {
		t.Fatal(err)
	}
	one, err := measure("dining7", 1)
	if err != nil {
		t.Fatal(err)
	}
	if f.States != fmt.Sprint(one.States) || f.Deadlock != 7 {
		t.Errorf("got %+v, want %d states and a deadlock after 7 steps", f, one.States)
	}
}

// TestMeasure: two workers see what one does.
func TestMeasure(t *testing.T) {
	benches = append(benches, bench{"dining6", "", "../../examples/models/dining.mcrl2", dining(6), 0})
	if _, err := os.Stat("examples"); err == nil {
		benches[len(benches)-1].file = "examples/models/dining.mcrl2"
	}
	one, err := measure("dining6", 1)
	if err != nil {
		t.Fatal(err)
	}
	two, err := measure("dining6", 2)
	if err != nil {
		t.Fatal(err)
	}
	if one.States != 2040 || one.States != two.States || one.Transitions != two.Transitions || one.Bytes == 0 {
		t.Errorf("got %+v and %+v, want 2040 states and the same twice", one, two)
	}
}
