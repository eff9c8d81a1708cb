// want: verified
package main

import "sync"

func main() {
	var pool sync.Pool
	pool.Put(new(int))
	x, ok := pool.Get().(*int)
	if !ok {
		x = new(int)
	}
	*x = 1
}
