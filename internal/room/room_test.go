package room

import "testing"

type pair struct{ a, b uint32 }

// TestFor pushes and pops across the size at which lists leave the Go heap.
func TestFor(t *testing.T) {
	var list []pair
	for round := range 3 {
		for i := len(list); i < 1_000_000*(round+1); i++ {
			list = For(list, 1)
			list = append(list, pair{uint32(i), uint32(i * 7)})
		}
		for i, p := range list {
			if p != (pair{uint32(i), uint32(i * 7)}) {
				t.Fatalf("round %d: got %v at %d", round, p, i)
			}
		}
		list = list[:len(list)/2]
	}
	Free(list)
	small := For([]pair{{1, 2}}, 5)
	if cap(small) < 6 || small[0] != (pair{1, 2}) {
		t.Errorf("got %v with room for %d", small, cap(small))
	}
	Free(small)
	Free[pair](nil)
}

// TestMany asks for room for many at once.
func TestMany(t *testing.T) {
	list := For([]byte("abc"), 5<<20)
	if string(list) != "abc" || cap(list) < 5<<20 {
		t.Errorf("got %q with room for %d", list, cap(list))
	}
	list = For(list, cap(list))
	if string(list) != "abc" || cap(list) < 10<<20 {
		t.Errorf("got %q with room for %d", list, cap(list))
	}
	Free(list)
}
