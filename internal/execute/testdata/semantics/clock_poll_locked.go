// want: violation panic

package main

import (
	"sync"
	"time"
)

// Who waits for a moment by looking at the clock comes to it, also if there are locks on the way.
func main() {
	var mu sync.Mutex
	n := 0
	for end := time.Now().Add(time.Second); time.Now().Before(end); {
		mu.Lock()
		n++
		mu.Unlock()
	}
	panic("a second is over")
}
