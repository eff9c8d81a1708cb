// want: verified
package main

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// It always does so on one processor and without other collections.
func main() {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	var pool sync.Pool
	pool.Put(1)
	pool.Put(2)
	pool.Put(3)
	runtime.GC()
	pool.Put(4)
	for _, want := range []any{4, 1, 2, 3, nil} {
		if pool.Get() != want {
			panic("another order")
		}
	}
}
