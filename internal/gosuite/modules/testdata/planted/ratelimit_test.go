package ratelimit

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestPlanted(t *testing.T) {
	tb := NewBucket(time.Hour, 1)
	var wg sync.WaitGroup
	var taken int64
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			atomic.AddInt64(&taken, tb.TakeAvailable(1))
		}()
	}
	wg.Wait()
	if taken != 1 {
		t.Errorf("%d tokens were taken, want 1", taken)
	}
}
