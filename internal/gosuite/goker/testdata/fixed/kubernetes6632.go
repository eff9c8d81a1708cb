// Kubernetes6632 sent under the lock that the receiver needs to close down. Here
// the receiver goes on receiving while it waits for the lock.
package main

import "sync"

type framer struct {
	reset  chan bool
	closed chan bool
	mu     sync.Mutex
}

func (f *framer) monitor() {
	reset := f.reset
	for {
		select {
		case <-reset:
		case <-f.closed:
			drained := make(chan struct{})
			go func() {
				for range reset {
				}
				close(drained)
			}()
			f.mu.Lock()
			close(reset)
			f.reset = nil
			f.mu.Unlock()
			<-drained
			return
		}
	}
}

func (f *framer) writeFrame() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.reset != nil {
		f.reset <- true
	}
}

func main() {
	f := &framer{reset: make(chan bool), closed: make(chan bool)}
	var wg sync.WaitGroup
	wg.Go(func() { f.closed <- true })
	wg.Go(f.monitor)
	wg.Go(f.writeFrame)
	wg.Wait()
}
