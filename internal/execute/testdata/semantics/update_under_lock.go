// want: verified

package main

import (
	"sync"
)

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			n = n + 1
			mu.Unlock()
		})
	}
	wg.Wait()
	if n != 2 {
		panic(n)
	}
}
