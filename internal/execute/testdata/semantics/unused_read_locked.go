// want: verified

package main

import (
	"sync"
)

type conn struct {
	mu      sync.Mutex
	timeout int
}

func main() {
	c := new(conn)
	go func() {
		c.mu.Lock()
		c.timeout = 1
		c.mu.Unlock()
	}()
	c.mu.Lock()
	_ = c.timeout
	c.mu.Unlock()
}
