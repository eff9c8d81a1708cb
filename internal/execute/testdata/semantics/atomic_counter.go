// want: verified

package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var wg sync.WaitGroup
	var n atomic.Int32
	for range 2 {
		wg.Go(func() { n.Add(1) })
	}
	wg.Wait()
	if n.Load() != 2 {
		panic(n.Load())
	}
}
