// Etcd6873 waited for a goroutine while it held the mutex that this goroutine
// needs. Here it unlocks before it waits.
package main

import "sync"

type broadcasts struct {
	mu      sync.Mutex
	seen    int
	updatec chan int
	donec   chan struct{}
}

func newBroadcasts() *broadcasts {
	b := &broadcasts{updatec: make(chan int, 1), donec: make(chan struct{})}
	go func() {
		defer close(b.donec)
		for n := range b.updatec {
			b.coalesce(n)
		}
	}()
	return b
}

func (b *broadcasts) coalesce(n int) {
	b.mu.Lock()
	b.seen += n
	b.mu.Unlock()
}

func (b *broadcasts) update(n int) {
	select {
	case b.updatec <- n:
	default:
	}
}

func (b *broadcasts) stop() {
	b.mu.Lock()
	close(b.updatec)
	b.mu.Unlock()
	<-b.donec
}

func main() {
	b := newBroadcasts()
	b.update(1)
	var wg sync.WaitGroup
	wg.Go(b.stop)
	wg.Wait()
	if b.seen != 1 {
		panic("the update was lost")
	}
}
