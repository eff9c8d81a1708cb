// want: violation race
package main

import "runtime"

type thing struct{ a [4]int }

var v int

// A finalizer is not ordered before what others do meanwhile.
func main() {
	done := make(chan bool, 1)
	runtime.SetFinalizer(new(thing), func(*thing) { v++; done <- true })
	runtime.GC()
	v = 1
	<-done
}
