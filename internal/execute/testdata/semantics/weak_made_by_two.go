// want: verified
package main

import (
	"sync"
	"weak"
)

// Who makes the pointer first is not seen by the other: both have the same one.
func main() {
	x := new([8]int)
	var wg sync.WaitGroup
	var made [2]weak.Pointer[[8]int]
	for i := range made {
		wg.Go(func() {
			made[i] = weak.Make(x)
			if made[i].Value() != x {
				panic("another one")
			}
		})
	}
	wg.Wait()
	if made[0] != made[1] {
		panic("two pointers")
	}
}
