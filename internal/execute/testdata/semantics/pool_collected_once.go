// want: violation panic
package main

import (
	"runtime"
	"sync"
)

// One collection leaves what was put into a pool since the last one.
func main() {
	var pool sync.Pool
	pool.Put(1)
	runtime.GC()
	if pool.Get() != nil {
		panic("it is still there")
	}
}
