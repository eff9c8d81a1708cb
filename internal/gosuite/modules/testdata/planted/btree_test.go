package btree

import (
	"sync"
	"testing"
)

// Two remove from trees that share a list of free nodes.
func TestPlanted(t *testing.T) {
	tree := NewOrderedG[int](2)
	for i := 0; i < 8; i++ {
		tree.ReplaceOrInsert(i)
	}
	trees := []*BTreeG[int]{tree, tree.Clone()}
	var wg sync.WaitGroup
	for _, b := range trees {
		b := b
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 8; i++ {
				b.Delete(i)
			}
		}()
	}
	wg.Wait()
	for _, b := range trees {
		if b.Len() != 0 {
			t.Errorf("got %d items left", b.Len())
		}
	}
}
