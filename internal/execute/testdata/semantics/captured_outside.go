// want: violation race

package main

import (
	"sync"
)

func main() {
	var wg sync.WaitGroup
	var i int
	for i = 0; i < 2; i++ {
		wg.Go(func() { _ = i })
	}
	wg.Wait()
}
