// Kubernetes62464 read-locked twice in one goroutine with a writer in between.
// Here the inner functions rely on the lock of the outer one.
package main

import "sync"

type state struct {
	sync.RWMutex
	set, standard int
}

func (s *state) getOrDefault() int {
	s.RLock()
	defer s.RUnlock()
	if n := s.getLocked(); n != 0 {
		return n
	}
	return s.defaultLocked()
}

func (s *state) getLocked() int { return s.set }

func (s *state) defaultLocked() int { return s.standard }

func (s *state) setDefault(n int) {
	s.Lock()
	defer s.Unlock()
	s.standard = n
}

func main() {
	s := &state{}
	var wg sync.WaitGroup
	wg.Go(func() { s.getOrDefault() })
	wg.Go(func() { s.setDefault(s.getOrDefault() + 1) })
	wg.Wait()
}
