// want: verified
package main

import (
	"runtime"
	"sync"
)

// The second collection drops what was put before the first one, whatever was put between them.
func main() {
	var pool sync.Pool
	pool.Put(1)
	runtime.GC()
	pool.Put(2)
	runtime.GC()
	for range 2 {
		if pool.Get() == 1 {
			panic("it is back")
		}
	}
}
