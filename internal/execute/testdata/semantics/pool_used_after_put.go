// want: violation race
package main

import "sync"

var pool = sync.Pool{New: func() any { return new(int) }}

// What was put back belongs to whoever gets it next.
func main() {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			x := pool.Get().(*int)
			pool.Put(x)
			*x = i
		})
	}
	wg.Wait()
}
