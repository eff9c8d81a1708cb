// want: violation panic
package main

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// A limit of memory makes collections happen, although they are switched off otherwise.
func main() {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(1 << 20)
	var pool sync.Pool
	pool.Put(1)
	if pool.Get() == nil {
		panic("it is gone")
	}
}
