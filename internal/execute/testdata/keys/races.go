// Races: accesses that collide in some orders only, so that a step that is well
// in one state is wrong in another.
package main

import (
	"sync"
	"sync/atomic"
)

var (
	a, b sync.Mutex
	x, y int32
)

func main() {
	var wg sync.WaitGroup
	wg.Add(4)
	go func() {
		a.Lock()
		x++
		a.Unlock()
		wg.Done()
	}()
	go func() {
		b.Lock()
		x++
		y++
		b.Unlock()
		wg.Done()
	}()
	go func() {
		atomic.AddInt32(&y, 1)
		wg.Done()
	}()
	go func() {
		a.Lock()
		a.Unlock()
		wg.Done()
	}()
	wg.Wait()
}
