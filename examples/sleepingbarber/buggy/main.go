// Sleepingbarber is a shop in which a barber sleeps for ever.
//
// The bug: the last customer wakes one barber, though all of them have to go
// home. If both sleep by then, the second one is never woken. This is a lost
// wake-up: Signal where Broadcast is meant. heddle check reports a deadlock in
// which a barber waits on come and main waits for the barber. The cure is in the
// folder above.
//
// Finding: deadlock.
package main

import (
	"fmt"
	"sync"

	"github.com/heddle-mc/heddle/verify"
)

const (
	barbers   = 2
	customers = 4
	chairs    = 3
)

type shop struct {
	mu      sync.Mutex
	come    *sync.Cond // barbers wait for customers, or for the end of the day
	ready   *sync.Cond // customers wait for their hair to be cut
	waiting int        // customers on chairs
	cutting int        // barbers at work
	cut     int        // customers who can go
	left    int        // customers who have gone
}

func newShop() *shop {
	s := new(shop)
	s.come = sync.NewCond(&s.mu)
	s.ready = sync.NewCond(&s.mu)
	verify.Always(func() bool { return 0 <= s.waiting && s.waiting <= chairs })
	verify.Always(func() bool { return 0 <= s.cutting && s.cutting <= barbers })
	verify.Always(func() bool { return s.waiting+s.cutting+s.cut+s.left <= customers })
	verify.Step(func() int { return s.left }, func(before, after int) bool {
		return before <= after && after <= before+1
	})
	return s
}

// next waits for a customer. It returns false when no more will come.
func (s *shop) next() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.waiting == 0 && s.left < customers {
		s.come.Wait()
	}
	if s.waiting == 0 {
		verify.Assert(s.cut == 0, "the last barber leaves a customer behind")
		return false
	}
	verify.Assert(s.cutting < barbers, "more work than barbers")
	s.waiting--
	s.cutting++
	return true
}

// finish lets one customer go.
func (s *shop) finish() {
	s.mu.Lock()
	verify.Assert(s.cutting > 0, "a cut by nobody")
	s.cutting--
	s.cut++
	s.ready.Signal()
	s.mu.Unlock()
}

// visit is what a customer does.
func (s *shop) visit() {
	s.mu.Lock()
	if s.waiting < chairs {
		s.waiting++
		s.come.Signal()
		for s.cut == 0 {
			s.ready.Wait()
		}
		verify.Assert(s.cut > 0, "a customer leaves too early")
		s.cut--
	}
	s.left++
	if s.left == customers {
		s.come.Signal() // BUG: Broadcast, there is more than one barber
	}
	s.mu.Unlock()
}

func (s *shop) serve(wg *sync.WaitGroup) {
	for s.next() {
		s.finish()
	}
	wg.Done()
}

// main waits for the barbers, who stay until the last customer has left.
func main() {
	s := newShop()
	var wg sync.WaitGroup
	wg.Add(barbers)
	for range barbers {
		go s.serve(&wg)
	}
	for range customers {
		go s.visit()
	}
	wg.Wait()
	verify.Assert(s.left == customers, "a customer is still there")
	fmt.Println(s.left, "customers have left")
}
