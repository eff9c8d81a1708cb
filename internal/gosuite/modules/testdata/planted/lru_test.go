package lru

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Of two who add the same key, one finds it.
func TestPlanted(t *testing.T) {
	c, err := New[string, int](4)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var found atomic.Int32
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if ok, _ := c.ContainsOrAdd("key", 1); ok {
				found.Add(1)
			}
		}()
	}
	wg.Wait()
	if found.Load() != 1 {
		t.Errorf("%d found the key, want 1", found.Load())
	}
}
