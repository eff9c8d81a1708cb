// Boundedbuffer: a monitor with one slot, two producers and two consumers of two
// items each. As in Java there is one queue of waiting threads, and each change
// wakes all of them.
package main

import "sync"

const (
	producers = 2
	consumers = 2
	items     = 2 // of each of them
)

type buffer struct {
	mu      sync.Mutex
	changed *sync.Cond
	full    bool
}

func (b *buffer) put() {
	b.mu.Lock()
	for b.full {
		b.changed.Wait()
	}
	b.full = true
	b.changed.Broadcast()
	b.mu.Unlock()
}

func (b *buffer) get() {
	b.mu.Lock()
	for !b.full {
		b.changed.Wait()
	}
	b.full = false
	b.changed.Broadcast()
	b.mu.Unlock()
}

func (b *buffer) produce(wg *sync.WaitGroup) {
	for range items {
		b.put()
	}
	wg.Done()
}

func (b *buffer) consume(wg *sync.WaitGroup) {
	for range items {
		b.get()
	}
	wg.Done()
}

func main() {
	b := new(buffer)
	b.changed = sync.NewCond(&b.mu)
	var wg sync.WaitGroup
	wg.Add(producers + consumers)
	for range producers {
		go b.produce(&wg)
	}
	for range consumers {
		go b.consume(&wg)
	}
	wg.Wait()
}
