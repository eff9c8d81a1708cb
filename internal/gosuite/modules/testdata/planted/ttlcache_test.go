package ttlcache

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Of two who get or set the same key, one finds it.
func TestPlanted(t *testing.T) {
	c := New[string, int]()
	var wg sync.WaitGroup
	var found atomic.Int32
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if _, ok := c.GetOrSet("key", 1); ok {
				found.Add(1)
			}
		}()
	}
	wg.Wait()
	if found.Load() != 1 {
		t.Errorf("%d found the key, want 1", found.Load())
	}
}
