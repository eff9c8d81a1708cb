// want: verified
// flags: -livelock

package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var wants [2]atomic.Bool
	var turn atomic.Int32
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			wants[i].Store(true)
			turn.Store(int32(1 - i))
			for wants[1-i].Load() && turn.Load() == int32(1-i) {
			}
			wants[i].Store(false)
		}()
	}
	wg.Wait()
}
