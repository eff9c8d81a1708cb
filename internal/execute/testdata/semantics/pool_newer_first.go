// want: violation panic
package main

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// What was put after a collection comes before what was put earlier.
func main() {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	var pool sync.Pool
	pool.Put(1)
	runtime.GC()
	pool.Put(2)
	if pool.Get() == 2 {
		panic("the newer one")
	}
}
