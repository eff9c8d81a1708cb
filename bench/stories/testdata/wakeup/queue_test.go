package wakeup

import (
	"sync"
	"testing"
)

func TestQueue(t *testing.T) {
	q := New()
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for {
				if _, ok := q.Get(); !ok {
					return
				}
			}
		})
	}
	q.Put(1)
	q.Close()
	workers.Wait()
}
