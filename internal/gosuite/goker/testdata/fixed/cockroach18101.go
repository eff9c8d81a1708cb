// Cockroach18101 left a sender behind when the receiver gave up with its context.
// Here the sender gives up with the context too.
package main

import (
	"context"
	"sync"
)

const size = 1

func restore(ctx context.Context) {
	ready := make(chan bool, size)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(ready)
		splitAndScatter(ctx, ready)
	})
	for range ready {
		if ctx.Err() != nil {
			break
		}
	}
	wg.Wait()
}

func splitAndScatter(ctx context.Context, ready chan<- bool) {
	for i := range size + 2 {
		select {
		case ready <- i != 0:
		case <-ctx.Done():
			return
		}
	}
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { restore(ctx) })
	wg.Go(cancel)
	wg.Wait()
}
