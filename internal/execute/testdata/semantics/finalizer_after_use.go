// want: verified
package main

import "runtime"

type thing struct{ a [4]int }

var v int

// What a goroutine has done before it forgets an object comes before the finalizer of the object.
func main() {
	done, end := make(chan bool), make(chan bool)
	go func() {
		x := new(thing)
		runtime.SetFinalizer(x, func(*thing) { v++; done <- true })
		v = 1
		x.a[0] = 1
		<-end
	}()
	for {
		runtime.GC()
		select {
		case <-done:
			end <- true
			return
		default:
		}
	}
}
