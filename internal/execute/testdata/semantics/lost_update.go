// want: violation panic

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
			x := n
			mu.Unlock()
			mu.Lock()
			n = x + 1
			mu.Unlock()
		})
	}
	wg.Wait()
	if n != 2 {
		panic(n)
	}
}
