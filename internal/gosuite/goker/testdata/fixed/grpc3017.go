// Grpc3017 returned from the function of a timer without unlocking, if the timer
// was stopped too late. Here it always unlocks.
package main

import (
	"sync"
	"time"
)

type entry struct {
	cancel func()
	abort  bool // the timer was too late to be stopped, so its function must not delete
}

type cache struct {
	mu      sync.Mutex
	entries map[int]*entry
}

func (c *cache) add(addr int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[addr]; ok {
		e.cancel()
		delete(c.entries, addr)
	}
}

func (c *cache) remove(addr int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries[addr] != nil {
		return
	}
	e := &entry{}
	c.entries[addr] = e
	timer := time.AfterFunc(time.Nanosecond, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if e.abort {
			return
		}
		delete(c.entries, addr)
	})
	e.cancel = func() {
		if !timer.Stop() {
			e.abort = true
		}
	}
}

func main() {
	c := &cache{entries: make(map[int]*entry)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 2 {
			c.remove(1)
			c.add(1)
		}
	}()
	<-done
}
