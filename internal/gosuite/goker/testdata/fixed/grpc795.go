// Grpc795 locked where it should have unlocked when the server was stopped a second
// time. Here it unlocks.
package main

import "sync"

type server struct {
	mu      sync.Mutex
	drain   bool
	serving bool
}

func (s *server) gracefulStop() {
	s.mu.Lock()
	if s.drain {
		s.mu.Unlock()
		return
	}
	s.drain = true
	s.mu.Unlock()
}

func (s *server) serve() {
	s.mu.Lock()
	s.serving = !s.drain
	s.mu.Unlock()
}

func main() {
	s := &server{}
	var wg sync.WaitGroup
	wg.Go(s.serve)
	for range 3 {
		s.gracefulStop()
	}
	wg.Wait()
}
