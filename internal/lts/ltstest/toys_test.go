package ltstest

import (
	"math"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
	"pgregory.net/rapid"
)

func pow(a, b int) int { return int(math.Pow(float64(a), float64(b))) }

// pell returns (1+√2)^n + (1-√2)^n.
func pell(n int) int {
	a, b := 2, 2
	for range n {
		a, b = b, 2*b+a
	}
	return a
}

// toys are all toys with the numbers of their comments; -1 where there is no
// formula.
func toys() map[string]struct {
	m                          Model
	states, transitions, stuck int
} {
	type row = struct {
		m                          Model
		states, transitions, stuck int
	}
	return map[string]row{
		"grid":         {Grid(3, 4), pow(5, 3), 3 * 4 * pow(5, 2), 1},
		"philosophers": {Philosophers(5, false), pell(5), 5 * (pell(5) - 29), 1},
		"table of two": {Philosophers(2, false), 6, 2 * (6 - 2), 1},
		"polite":       {Philosophers(4, true), -1, -1, 0},
		"ring":         {Ring(4), 4 * pow(2, 4), 4 * pow(2, 4) * 3, 0},
		"mutex":        {Mutex(4, true), pow(2, 4) + 4*pow(2, 3), -1, 1},
		"buggy mutex":  {Mutex(2, false), -1, -1, 1},
		"tree":         {Tree(5), pow(2, 6) - 1, pow(2, 6) - 2, pow(2, 5)},
		"lasso":        {Lasso(300, 7), 307, 307, 0},
		"jugs":         {Jugs(), 16, 96, 0},
	}
}

func TestToys(t *testing.T) {
	for name, toy := range toys() {
		got := Reach(toy.m)
		if toy.states >= 0 && got.States != toy.states {
			t.Errorf("%s: got %d states, want %d", name, got.States, toy.states)
		}
		if toy.transitions >= 0 && got.Transitions != toy.transitions {
			t.Errorf("%s: got %d transitions, want %d", name, got.Transitions, toy.transitions)
		}
		if got.Stuck != toy.stuck {
			t.Errorf("%s: got %d states without steps, want %d", name, got.Stuck, toy.stuck)
		}
	}
}

func TestContract(t *testing.T) {
	for name, toy := range toys() {
		t.Run(name, func(t *testing.T) {
			Run(t, func() lts.System { return New(toy.m) })
		})
	}
}

func TestContractOfGraphs(t *testing.T) {
	g := rapid.Custom(func(t *rapid.T) Graph { return DrawGraph(t, 20) }).Example(1)
	Run(t, func() lts.System { return New(g.Model(3, 4)) })
}

func TestContractOfPrograms(t *testing.T) {
	p := rapid.Custom(DrawProgram).Example(3)
	Run(t, func() lts.System { return New(p.Model()) })
}

func TestSwitches(t *testing.T) {
	for _, test := range []struct {
		m                     Model
		path                  lts.Path
		switches, preemptions int
	}{
		{Grid(2, 2), lts.Path{0, 0, 1, 1}, 1, 0},
		{Grid(2, 2), lts.Path{0, 1, 0, 1}, 3, 2}, // the first counter is at its end before the last step
		{Mutex(2, false), lts.Path{0, 1, 1, 0}, 2, 2},
		{Philosophers(3, false), lts.Path{0, 2, 1}, 2, 1},
		{Jugs(), nil, 0, 0},
	} {
		switches, preemptions := lts.Switches(New(test.m), test.path)
		if switches != test.switches || preemptions != test.preemptions {
			t.Errorf("%v: got %d switches, %d preemptions, want %d and %d",
				test.path, switches, preemptions, test.switches, test.preemptions)
		}
	}
}
