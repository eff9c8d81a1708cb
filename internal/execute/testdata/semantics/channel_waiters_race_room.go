// want: violation race

package main

import (
	"sync"
	"time"
)

// Nor has who waits to send where there is room now.
func main() {
	c := make(chan int, 1)
	c <- 0
	var mu sync.Mutex
	x := 0
	go func() {
		x = 1
		c <- 2
	}()
	time.Sleep(5 * time.Second)
	<-c
	mu.Lock()
	x++
	mu.Unlock()
	go mu.Lock()
}
