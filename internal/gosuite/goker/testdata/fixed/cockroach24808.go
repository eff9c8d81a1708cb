// Cockroach24808 sent to a full channel before it started the worker that
// receives. Here the worker is started first.
package main

import "sync"

type stopper struct {
	workers sync.WaitGroup
	stop    chan struct{}
}

func (s *stopper) close() {
	close(s.stop)
	s.workers.Wait()
}

type compactor struct{ ch chan struct{} }

func (c *compactor) start(s *stopper) {
	s.workers.Go(func() {
		for {
			select {
			case <-s.stop:
				return
			case <-c.ch:
			}
		}
	})
	c.ch <- struct{}{}
}

func main() {
	s := &stopper{stop: make(chan struct{})}
	defer s.close()
	c := &compactor{ch: make(chan struct{}, 1)}
	c.ch <- struct{}{}
	c.start(s)
}
