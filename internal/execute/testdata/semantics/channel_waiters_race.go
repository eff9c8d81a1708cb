// want: violation race

package main

import (
	"sync"
	"time"
)

// Who is handed a value that would fit the buffer has told nobody of what it did before.
func main() {
	c := make(chan int, 1)
	var mu sync.Mutex
	x := 0
	go func() {
		x = 1
		<-c
	}()
	time.Sleep(5 * time.Second)
	c <- 1
	mu.Lock()
	x++
	mu.Unlock()
	go mu.Lock()
}
