// Nestedmonitor is a buffer that waits inside itself.
//
// The bug: get takes the mutex and then waits for an item. Waiting for the inner
// one, the semaphore, does not let go of the outer one, the mutex, so that no
// producer can come in to put the item. This is known as nested monitor lockout.
// heddle check reports a deadlock: a consumer waits on ready, all others wait for
// the mutex that it holds. The cure is in the folder above: wait first, lock then.
//
// Finding: deadlock.
package main

import (
	"fmt"
	"sync"

	"github.com/heddle-mc/heddle/verify"
)

const (
	size      = 5
	producers = 4
	consumers = 4
)

// An item is good or, where there is none, nothing.
type item int

const (
	nothing item = iota
	good
)

type buffer struct {
	used  chan struct{} // an element for each slot that has an owner
	ready chan struct{} // an element for each item that nobody has claimed

	mu           sync.Mutex
	items        [size]item // a ring
	first, count int
}

func newBuffer() *buffer {
	b := &buffer{used: make(chan struct{}, size), ready: make(chan struct{}, size)}
	verify.Always(func() bool { return 0 <= b.count && b.count <= size })
	verify.Always(func() bool { return 0 <= b.first && b.first < size })
	verify.Always(func() bool { return b.count <= len(b.used) })
	verify.Always(func() bool { return len(b.ready) <= b.count })
	verify.Always(func() bool { return b.filled() == b.count })
	verify.Step(func() int { return b.count }, func(before, after int) bool {
		return before-1 <= after && after <= before+1
	})
	return b
}

func (b *buffer) filled() int {
	n := 0
	for _, it := range b.items {
		if it == good {
			n++
		}
	}
	return n
}

func (b *buffer) put(it item) {
	b.used <- struct{}{}
	b.mu.Lock()
	verify.Assert(b.count < size, "put into a full buffer")
	slot := &b.items[(b.first+b.count)%size]
	verify.Assert(*slot == nothing, "an item is overwritten")
	*slot = it
	b.count++
	b.mu.Unlock()
	b.ready <- struct{}{}
}

func (b *buffer) get() item {
	b.mu.Lock()
	<-b.ready // BUG: nobody can put while we hold mu
	verify.Assert(b.count > 0, "taken from an empty buffer")
	it := b.items[b.first]
	b.items[b.first] = nothing
	b.first = (b.first + 1) % size
	b.count--
	b.mu.Unlock()
	<-b.used
	return it
}

func consume(b *buffer, wg *sync.WaitGroup) {
	verify.Assert(b.get() == good, "a consumer got nothing")
	wg.Done()
}

// main waits for the consumers only: once they have all items, the producers
// have done their work.
func main() {
	b := newBuffer()
	var wg sync.WaitGroup
	wg.Add(consumers)
	for range producers {
		go b.put(good)
	}
	for range consumers {
		go consume(b, &wg)
	}
	wg.Wait()
	fmt.Println(consumers, "items went through the buffer")
}
