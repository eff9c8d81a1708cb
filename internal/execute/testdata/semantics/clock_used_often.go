// want: verified

package main

import (
	"sync"
	"time"
)

// A cache whose entries are good for a minute.
type cache struct {
	mu    sync.RWMutex
	until map[int]time.Time
}

func (c *cache) fresh(key int) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return time.Now().Before(c.until[key])
}

// Who uses it often is not slow, and waits for nothing.
func main() {
	c := &cache{until: map[int]time.Time{1: time.Now().Add(time.Minute)}}
	for range 200 {
		if !c.fresh(1) {
			panic("a minute has passed")
		}
	}
}
