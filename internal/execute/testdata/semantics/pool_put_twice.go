// want: violation race
package main

import "sync"

var pool = sync.Pool{New: func() any { return new(int) }}

// One item is gotten by two goroutines, since it was put back twice.
func main() {
	x := pool.Get()
	pool.Put(x)
	pool.Put(x)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { *pool.Get().(*int) = i })
	}
	wg.Wait()
}
