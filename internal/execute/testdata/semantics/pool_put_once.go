// want: verified
package main

import "sync"

var pool = sync.Pool{New: func() any { return new(int) }}

// Two goroutines never get one item.
func main() {
	pool.Put(new(int))
	pool.Put(new(int))
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { *pool.Get().(*int) = i })
	}
	wg.Wait()
}
