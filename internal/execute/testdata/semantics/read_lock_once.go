// want: verified

package main

import (
	"sync"
)

func main() {
	var mu sync.RWMutex
	done := make(chan bool)
	go func() {
		mu.Lock()
		mu.Unlock()
		done <- true
	}()
	mu.RLock()
	mu.RUnlock()
	<-done
}
