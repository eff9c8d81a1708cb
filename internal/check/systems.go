package check

import (
	"io"
	"slices"
	"sync"

	"github.com/heddle-mc/heddle/internal/lts"
)

// A Pool makes the systems of a search and keeps them, so that they can be asked
// and closed at the end.
type Pool struct {
	Make func() (lts.System, error)
	List []lts.System
	mu   sync.Mutex
}

// New makes one more. Workers may ask at the same time.
func (s *Pool) New() (lts.System, error) {
	sys, err := s.Make()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.List = append(s.List, sys)
	s.mu.Unlock()
	return sys, nil
}

// halted reports whether one of them has given up in the middle of a step.
func (s *Pool) halted() bool {
	return slices.ContainsFunc(s.List, func(sys lts.System) bool {
		h, ok := sys.(interface{ Halted() bool })
		return ok && h.Halted()
	})
}

// Close closes all.
func (s *Pool) Close() {
	for _, sys := range s.List {
		CloseSystem(sys)
	}
	s.List = nil
}

// CloseSystem ends the use of a system.
func CloseSystem(sys lts.System) {
	if c, ok := sys.(io.Closer); ok {
		c.Close()
	}
}
