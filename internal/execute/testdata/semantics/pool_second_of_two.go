// want: violation panic
package main

import (
	"runtime"
	"sync"
)

// A collection may come between the two calls of Put, also on one processor.
func main() {
	runtime.GOMAXPROCS(1)
	var pool sync.Pool
	pool.Put(1)
	pool.Put(2)
	if pool.Get() == 2 {
		panic("the second one")
	}
}
