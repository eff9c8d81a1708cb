// want: verified
package main

import "sync"

var pool = sync.Pool{New: func() any { return new(int) }}

// A Put happens before the Get that returns the item.
func main() {
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			x := pool.Get().(*int)
			*x = i
			if *x != i {
				panic("somebody else has it")
			}
			pool.Put(x)
		})
	}
	wg.Wait()
}
