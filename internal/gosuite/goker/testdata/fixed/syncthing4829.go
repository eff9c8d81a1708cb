// Syncthing4829 read-locked a mapping inside the function that holds its lock. Here
// subscribers are told after unlocking.
package main

import "sync"

type mapping struct {
	mut       sync.RWMutex
	addresses map[string]int
}

func (m *mapping) clear() {
	m.mut.Lock()
	removed := len(m.addresses)
	clear(m.addresses)
	m.mut.Unlock()
	if removed > 0 {
		m.notify()
	}
}

func (m *mapping) notify() int {
	m.mut.RLock()
	defer m.mut.RUnlock()
	return len(m.addresses)
}

type service struct {
	mut      sync.RWMutex
	mappings []*mapping
}

func (s *service) remove(m *mapping) {
	s.mut.Lock()
	defer s.mut.Unlock()
	for _, have := range s.mappings {
		if have == m {
			m.clear()
		}
	}
}

func main() {
	m := &mapping{addresses: map[string]int{"test": 0}}
	s := &service{mappings: []*mapping{m}}
	var wg sync.WaitGroup
	wg.Go(func() { s.remove(m) })
	wg.Go(func() { m.notify() })
	wg.Wait()
}
