// want: violation panic
package main

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// There may have been collections while they were not switched off.
func main() {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	var pool sync.Pool
	pool.Put(1)
	debug.SetGCPercent(100)
	debug.SetGCPercent(-1)
	if pool.Get() == nil {
		panic("it is gone")
	}
}
