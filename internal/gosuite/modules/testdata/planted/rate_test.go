package rate

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// There is one token for two who want one.
func TestPlanted(t *testing.T) {
	lim := NewLimiter(Every(time.Hour), 1)
	var wg sync.WaitGroup
	var n atomic.Int32
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if lim.Allow() {
				n.Add(1)
			}
		}()
	}
	wg.Wait()
	if n.Load() != 1 {
		t.Errorf("allowed %d times, want 1", n.Load())
	}
}
