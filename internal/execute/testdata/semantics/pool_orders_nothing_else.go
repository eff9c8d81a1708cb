// want: violation race
package main

import "sync"

var (
	pool sync.Pool
	v    int
)

// A Put orders nothing before a Get that does not return the item.
func main() {
	done := make(chan bool)
	go func() {
		v = 1
		pool.Put(new(int))
		done <- true
	}()
	if pool.Get() == nil {
		v = 2
	}
	<-done
}
