// want: violation livelock
// flags: -livelock

package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var wants [2]atomic.Bool
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				wants[i].Store(true)
				if !wants[1-i].Load() {
					break
				}
				wants[i].Store(false) // the other one first
			}
			wants[i].Store(false)
		}()
	}
	wg.Wait()
}
