package vm

import (
	"cmp"
	"testing"
)

// TestWhere: goroutines are in the order of functions, then of instructions from the
// outermost frame on, and the main goroutine is the first one.
func TestWhere(t *testing.T) {
	at := func(path string, frames ...Frame) *G {
		g := &G{frames: append(frames, Frame{fn: 99, pc: 99}), depth: len(frames)} // one that is not in use
		g.path = path
		return g
	}
	inOrder := []*G{
		at("", Frame{fn: 9, pc: 9}),
		at("a", Frame{fn: 0, pc: 0}),
		at("a", Frame{fn: 0, pc: 7}),
		at("a", Frame{fn: 2, pc: 1}),
		at("a", Frame{fn: 2, pc: 1}, Frame{fn: 5, pc: 8}),
		at("a", Frame{fn: 2, pc: 1}, Frame{fn: 6, pc: 3}),
		at("a", Frame{fn: 2, pc: 1}, Frame{fn: 6, pc: 3}, Frame{fn: 1, pc: 4}),
		at("a", Frame{fn: 2, pc: 1}, Frame{fn: 6, pc: 3}, Frame{fn: 0, pc: 5}),
		at("a", Frame{fn: 2, pc: 1}, Frame{fn: 6, pc: 3}, Frame{fn: 0, pc: 1 << 20}),
		at("a", Frame{fn: 2, pc: 3}),
		at("a", Frame{fn: 1 << 20, pc: 1 << 20}),
	}
	for i, g := range inOrder {
		for k, o := range inOrder {
			a, b := whereIs(g), whereIs(o)
			if got, want := a.compare(&b), cmp.Compare(i, k); got != want {
				t.Errorf("goroutines %d and %d: got %d, want %d", i, k, got, want)
			}
		}
	}
}

// TestPile: values stay where they are, and what is taken off is there again.
func TestPile(t *testing.T) {
	var p pile[[]int]
	var at []*[]int
	for i := range 3*pilePage + 1 {
		v := p.push()
		*v = append(*v, i)
		at = append(at, v)
	}
	for i, v := range at {
		if p.at(i) != v || (*v)[0] != i {
			t.Fatalf("value %d: got %v at another place: %v", i, *p.at(i), p.at(i) != v)
		}
	}
	p.n = pilePage
	if v := p.push(); (*v)[0] != pilePage || v != at[pilePage] {
		t.Errorf("got %v on top again, want what was there: %v", *v, *at[pilePage])
	}
}
