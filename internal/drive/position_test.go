package drive

import (
	"cmp"
	"testing"
)

// TestWhere: goroutines are in the order of functions, then of instructions from the
// outermost frame on, and the main goroutine is the first one.
func TestWhere(t *testing.T) {
	type frame struct{ fn, pc int32 }
	at := func(frames ...frame) (w where) {
		for i, fr := range frames {
			w.set(i, fr.fn, fr.pc)
		}
		return w
	}
	inOrder := []where{
		whereIs(&G{}), // the main goroutine has no path
		at(frame{fn: 0, pc: 0}),
		at(frame{fn: 0, pc: 7}),
		at(frame{fn: 2, pc: 1}),
		at(frame{fn: 2, pc: 1}, frame{fn: 5, pc: 8}),
		at(frame{fn: 2, pc: 1}, frame{fn: 6, pc: 3}),
		at(frame{fn: 2, pc: 1}, frame{fn: 6, pc: 3}, frame{fn: 1, pc: 4}),
		at(frame{fn: 2, pc: 1}, frame{fn: 6, pc: 3}, frame{fn: 0, pc: 5}),
		at(frame{fn: 2, pc: 1}, frame{fn: 6, pc: 3}, frame{fn: 0, pc: 1 << 20}),
		at(frame{fn: 2, pc: 3}),
		at(frame{fn: 1 << 20, pc: 1 << 20}),
	}
	for i, a := range inOrder {
		for k, b := range inOrder {
			if got, want := a.compare(&b), cmp.Compare(i, k); got != want {
				t.Errorf("goroutines %d and %d: got %d, want %d", i, k, got, want)
			}
		}
	}
}
