package cache

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Of two who add the same key, one succeeds.
func TestPlanted(t *testing.T) {
	c := New(NoExpiration, 0)
	var wg sync.WaitGroup
	var added int32
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if c.Add("key", 1, NoExpiration) == nil {
				atomic.AddInt32(&added, 1)
			}
		}()
	}
	wg.Wait()
	if added != 1 {
		t.Errorf("%d have added the key, want 1", added)
	}
}
