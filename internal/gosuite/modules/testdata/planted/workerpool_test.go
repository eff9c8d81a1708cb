package workerpool

import (
	"sync"
	"testing"
)

// Who comes when the pool stops is told so, or served.
func TestPlanted(t *testing.T) {
	wp := New(1, WithIdleTimeout(-1))
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if err := wp.Do(func() {}); err != nil && err != ErrStopped {
			t.Error(err)
		}
	}()
	wp.StopWait()
	wg.Wait()
}
