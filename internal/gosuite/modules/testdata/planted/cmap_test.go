package cmap

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Of two who set the same key, one finds it absent.
func TestPlanted(t *testing.T) {
	m := New[int]()
	var wg sync.WaitGroup
	var set atomic.Int32
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if m.SetIfAbsent("key", 1) {
				set.Add(1)
			}
		}()
	}
	wg.Wait()
	if set.Load() != 1 {
		t.Errorf("%d have set the key, want 1", set.Load())
	}
}
