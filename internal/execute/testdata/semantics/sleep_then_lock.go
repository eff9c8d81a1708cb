// want: violation race

package main

import (
	"sync"
	"time"
)

func main() {
	var mu sync.Mutex
	x := 0
	go func() {
		x = 1
		mu.Lock()
		mu.Unlock()
	}()
	time.Sleep(time.Hour)
	_ = x
}
