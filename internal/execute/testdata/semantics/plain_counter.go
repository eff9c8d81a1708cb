// want: violation race

package main

import (
	"sync"
)

func main() {
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Go(func() { n++ })
	}
	wg.Wait()
}
