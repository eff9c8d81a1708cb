// want: verified
package main

import (
	"runtime"
	"sync"
)

// After two collections a pool has nothing that was put into it before.
func main() {
	var pool sync.Pool
	pool.Put(1)
	runtime.GC()
	runtime.GC()
	if pool.Get() != nil {
		panic("it is still there")
	}
}
