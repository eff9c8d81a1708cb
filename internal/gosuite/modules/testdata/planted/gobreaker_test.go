package gobreaker

import (
	"errors"
	"sync"
	"testing"
)

// Two failures open the breaker.
func TestPlanted(t *testing.T) {
	cb := NewCircuitBreaker(Settings{ReadyToTrip: func(c Counts) bool { return c.TotalFailures >= 2 }})
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			cb.Execute(func() (interface{}, error) { return nil, errors.New("no") })
		}()
	}
	wg.Wait()
	if got := cb.State(); got != StateOpen {
		t.Errorf("got %v, want open", got)
	}
}
