package cli

import (
	"io"
	"sync"

	"github.com/heddle-mc/heddle/internal/lts"
)

// systems makes the systems of a search and keeps them, so that they can be used
// again and closed at the end.
type systems struct {
	make func() (lts.System, error)
	mu   sync.Mutex
	list []lts.System
}

// new makes one more. Workers may ask at the same time.
func (s *systems) new() (lts.System, error) {
	sys, err := s.make()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.list = append(s.list, sys)
	s.mu.Unlock()
	return sys, nil
}

// one returns a system that nobody uses any more, or a new one. It stands
// anywhere.
func (s *systems) one() (lts.System, error) {
	if len(s.list) > 0 {
		return s.list[0], nil
	}
	return s.new()
}

// close closes all.
func (s *systems) close() {
	for _, sys := range s.list {
		if c, ok := sys.(io.Closer); ok {
			c.Close()
		}
	}
	s.list = nil
}
