// want: violation panic
// flags: -pool 3
package main

import "sync"

// Get may return any of what was put back, not only the last.
func main() {
	var pool sync.Pool
	for i := range 3 {
		pool.Put(i)
	}
	if pool.Get() == 1 {
		panic("the one in the middle")
	}
}
