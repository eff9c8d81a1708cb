// want: violation panic
package main

import "sync"

// A pool may forget what was put back, and then this one, which has no New, returns nil.
func main() {
	var pool sync.Pool
	pool.Put(new(int))
	*pool.Get().(*int) = 1
}
