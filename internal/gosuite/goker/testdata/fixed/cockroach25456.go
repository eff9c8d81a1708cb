// Cockroach25456 processed a queue that waits for the stopper before anything
// stopped it. Here the stopper is told before the queue is processed.
package main

type stopper struct{ quiescer chan struct{} }

func (s *stopper) shouldQuiesce() <-chan struct{} { return s.quiescer }

func (s *stopper) stop() { close(s.quiescer) }

type store struct{ stopper *stopper }

type queue struct{}

func (queue) process(s *store) { <-s.stopper.shouldQuiesce() }

func main() {
	s := &store{&stopper{make(chan struct{})}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 2 {
			queue{}.process(s)
		}
	}()
	s.stopper.stop()
	<-done
}
