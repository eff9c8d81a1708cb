// want: violation livelock
// flags: -livelock

package main

import (
	"sync"
)

func main() {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	both := func(x, y *sync.Mutex) {
		defer wg.Done()
		for {
			x.Lock()
			if y.TryLock() {
				y.Unlock()
				x.Unlock()
				return
			}
			x.Unlock()
		}
	}
	wg.Add(2)
	go both(&a, &b)
	go both(&b, &a)
	wg.Wait()
}
