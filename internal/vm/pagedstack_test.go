package vm

import "testing"

// TestPagedStack: values stay where they are, and what is taken off is there again.
func TestPagedStack(t *testing.T) {
	var p PagedStack[[]int]
	var at []*[]int
	for i := range 3*stackPage + 1 {
		v := p.Push()
		*v = append(*v, i)
		at = append(at, v)
	}
	for i, v := range at {
		if p.At(i) != v || (*v)[0] != i {
			t.Fatalf("value %d: got %v at another place: %v", i, *p.At(i), p.At(i) != v)
		}
	}
	p.N = stackPage
	if v := p.Push(); (*v)[0] != stackPage || v != at[stackPage] {
		t.Errorf("got %v on top again, want what was there: %v", *v, *at[stackPage])
	}
}
