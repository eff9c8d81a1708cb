// want: verified
// flags: -livelock

package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var a, b atomic.Bool
	var wg sync.WaitGroup
	wg.Add(2)
	wait := func(x, y *atomic.Bool) {
		defer wg.Done()
		for !x.Load() {
		}
		y.Store(true)
	}
	go wait(&a, &b)
	go wait(&b, &a)
	a.Store(true)
	wg.Wait()
}
