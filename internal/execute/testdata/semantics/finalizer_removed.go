// want: verified
package main

import "runtime"

// What is held until its finalizer is removed has none that is called.
func main() {
	x := new([8]int)
	runtime.SetFinalizer(x, func(*[8]int) { panic("finalized") })
	done := make(chan bool)
	go func() {
		runtime.GC()
		done <- true
	}()
	runtime.SetFinalizer(x, nil)
	<-done
}
