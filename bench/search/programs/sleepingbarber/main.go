// Sleepingbarber: a barber, four customers and two chairs for those who wait. A
// customer who finds no free chair leaves. When the last one has left, the
// barber goes home. As in Java there is one queue of waiting threads, and each
// change wakes all of them.
package main

import "sync"

const (
	customers = 4
	chairs    = 2
)

type shop struct {
	mu      sync.Mutex
	changed *sync.Cond
	waiting int // customers on chairs
	cut     int // customers who can go
	left    int // customers who have gone
}

func (s *shop) visit() {
	s.mu.Lock()
	if s.waiting < chairs {
		s.waiting++
		s.changed.Broadcast()
		for s.cut == 0 {
			s.changed.Wait()
		}
		s.cut--
	}
	s.left++
	s.changed.Broadcast()
	s.mu.Unlock()
}

// next waits for a customer. It returns false when no more will come.
func (s *shop) next() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.waiting == 0 && s.left < customers {
		s.changed.Wait()
	}
	if s.waiting == 0 {
		return false
	}
	s.waiting--
	return true
}

func (s *shop) finish() {
	s.mu.Lock()
	s.cut++
	s.changed.Broadcast()
	s.mu.Unlock()
}

// main is the barber.
func main() {
	s := new(shop)
	s.changed = sync.NewCond(&s.mu)
	for range customers {
		go s.visit()
	}
	for s.next() {
		s.finish()
	}
}
