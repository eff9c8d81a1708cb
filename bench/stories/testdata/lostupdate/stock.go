// Package lostupdate sells what is in stock.
package lostupdate

import "sync"

// Stock is what is left of one thing.
type Stock struct {
	mu   sync.Mutex
	left int
}

// Left returns how many are left.
func (s *Stock) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left
}

func (s *Stock) set(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = n
}

// Sell takes one, and reports whether there was one.
func (s *Stock) Sell() bool {
	n := s.Left()
	if n == 0 {
		return false
	}
	s.set(n - 1)
	return true
}
