// want: verified
package main

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// On one processor and without collections, what was put back is what is gotten.
func main() {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	var pool sync.Pool
	pool.Put(1)
	done := make(chan bool)
	go func() {
		if pool.Get() != 1 {
			panic("it is gone")
		}
		done <- true
	}()
	<-done
}
