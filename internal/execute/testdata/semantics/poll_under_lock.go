// want: verified
// flags: -livelock

package main

import (
	"sync"
)

// A goroutine that waits for a lock gets it some time, however often others take it.
func main() {
	var mu sync.Mutex
	done := false
	go func() {
		mu.Lock()
		done = true
		mu.Unlock()
	}()
	for over := false; !over; {
		mu.Lock()
		over = done
		mu.Unlock()
	}
}
