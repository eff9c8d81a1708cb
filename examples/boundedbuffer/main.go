// Boundedbuffer is the monitor of every textbook: producers wait while the
// buffer is full, consumers while it is empty, on a condition variable each.
//
// The buffer starts more than half full, so that each side may have to wait for
// the other though each goroutine moves a single item. heddle check finds
// nothing: nobody waits for ever, the buffer never overflows, and nothing is
// taken that was not put. In folder buggy a woken goroutine does not look again.
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
	atStart   = 3 // items
	each      = 1 // how many of them a goroutine moves
)

// An item is good or, where there is none, nothing.
type item int

const (
	nothing item = iota
	good
)

type buffer struct {
	mu                sync.Mutex
	notFull, notEmpty *sync.Cond
	items             [size]item // a ring
	first, count      int
}

func newBuffer() *buffer {
	b := new(buffer)
	b.notFull = sync.NewCond(&b.mu)
	b.notEmpty = sync.NewCond(&b.mu)
	for range atStart {
		b.put(good)
	}
	verify.Always(func() bool { return 0 <= b.count && b.count <= size })
	return b
}

func (b *buffer) put(it item) {
	b.mu.Lock()
	for b.count == size {
		b.notFull.Wait()
	}
	slot := &b.items[(b.first+b.count)%size]
	verify.Assert(*slot == nothing, "an item is overwritten")
	*slot = it
	b.count++
	b.notEmpty.Signal()
	b.mu.Unlock()
}

func (b *buffer) get() item {
	b.mu.Lock()
	for b.count == 0 {
		b.notEmpty.Wait()
	}
	verify.Assert(b.count > 0, "taken from an empty buffer")
	it := b.items[b.first]
	b.items[b.first] = nothing
	b.first = (b.first + 1) % size
	b.count--
	b.notFull.Signal()
	b.mu.Unlock()
	return it
}

func produce(b *buffer, wg *sync.WaitGroup) {
	for range each {
		b.put(good)
	}
	wg.Done()
}

func consume(b *buffer, wg *sync.WaitGroup) {
	for range each {
		verify.Assert(b.get() == good, "a consumer got nothing")
	}
	wg.Done()
}

func main() {
	b := newBuffer()
	var wg sync.WaitGroup
	wg.Add(producers + consumers)
	for range producers {
		go produce(b, &wg)
	}
	for range consumers {
		go consume(b, &wg)
	}
	wg.Wait()
	fmt.Println(b.count, "items are left")
}
