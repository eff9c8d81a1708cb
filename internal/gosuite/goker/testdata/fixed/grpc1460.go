// Grpc1460 waited for a stream while it held the mutex that a new stream needs.
// Here it waits without, and the wake-up call is kept for it.
package main

import "sync"

type transport struct {
	mu     sync.Mutex
	active int
	awaken chan struct{} // room for one, so that no call is lost
}

func (t *transport) keepalive() {
	t.mu.Lock()
	idle := t.active == 0
	t.mu.Unlock()
	if idle {
		<-t.awaken
	}
}

func (t *transport) newStream() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.active++
	if t.active == 1 {
		select {
		case t.awaken <- struct{}{}:
		default:
		}
	}
}

func main() {
	t := &transport{awaken: make(chan struct{}, 1)}
	var wg sync.WaitGroup
	wg.Go(t.keepalive)
	wg.Go(t.newStream)
	wg.Wait()
}
