// Cockroach10790 started a goroutine that drained channels to which nobody sent
// any more. Here the senders have room for their one message, so that nobody has
// to drain anything.
package main

import (
	"context"
	"sync"
)

type replica struct{ chans []chan bool }

func (r *replica) beginCmds(ctx context.Context) {
	for _, ch := range r.chans {
		select {
		case <-ch:
		case <-ctx.Done():
			return
		}
	}
}

func (r *replica) sendChans() {
	for _, ch := range r.chans {
		ch <- true
	}
}

func main() {
	r := &replica{chans: []chan bool{make(chan bool, 1), make(chan bool, 1)}}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(r.sendChans)
	wg.Go(func() { r.beginCmds(ctx) })
	wg.Go(cancel)
	wg.Wait()
}
