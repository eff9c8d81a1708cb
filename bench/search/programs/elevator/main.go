// Elevator: one elevator, three persons and three floors, in one monitor. The
// elevator moves by one floor at a time while somebody wants it, turns round at
// the ends, and leaves a floor only when all who wanted to have got in and out.
// As in Java there is one queue of waiting threads, and each change wakes all of
// them.
package main

import "sync"

const (
	persons = 3
	floors  = 3
)

type building struct {
	mu      sync.Mutex
	changed *sync.Cond
	floor   int         // of the elevator
	waiting [floors]int // persons who want to get in, by floor
	inside  [floors]int // persons who want to get out, by floor
	left    int         // persons who have arrived
}

func (b *building) travel(from, to int) {
	b.mu.Lock()
	b.waiting[from]++
	b.changed.Broadcast()
	for b.floor != from {
		b.changed.Wait()
	}
	b.waiting[from]--
	b.inside[to]++
	b.changed.Broadcast()
	for b.floor != to {
		b.changed.Wait()
	}
	b.inside[to]--
	b.left++
	b.changed.Broadcast()
	b.mu.Unlock()
}

// wanted reports whether somebody waits for the elevator or is in it.
func (b *building) wanted() bool {
	for f := range floors {
		if b.waiting[f]+b.inside[f] > 0 {
			return true
		}
	}
	return false
}

// move brings the elevator to the next floor. It returns false when everybody
// has arrived.
func (b *building) move(up bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.left < persons && (!b.wanted() || b.waiting[b.floor]+b.inside[b.floor] > 0) {
		b.changed.Wait()
	}
	if b.left == persons {
		return false
	}
	if up {
		b.floor++
	} else {
		b.floor--
	}
	b.changed.Broadcast()
	return true
}

// main is the elevator.
func main() {
	b := new(building)
	b.changed = sync.NewCond(&b.mu)
	for i := range persons {
		from := i % floors
		go b.travel(from, (from+1)%floors)
	}
	up := true
	for b.move(up) {
		// Only this goroutine writes floor, so it may read it without the mutex.
		switch b.floor {
		case 0:
			up = true
		case floors - 1:
			up = false
		}
	}
}
