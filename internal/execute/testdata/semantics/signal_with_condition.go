// want: verified

package main

import (
	"sync"
)

func main() {
	var mu sync.Mutex
	c, ready := sync.NewCond(&mu), false
	go func() {
		mu.Lock()
		ready = true
		c.Signal()
		mu.Unlock()
	}()
	mu.Lock()
	for !ready {
		c.Wait()
	}
	mu.Unlock()
}
