// want: verified
package main

import "runtime"

type thing struct{ a [4]int }

// A cleanup is called after the object can be used no more, and after AddCleanup.
func main() {
	done := make(chan int)
	x, v := new(thing), new(int)
	runtime.AddCleanup(x, func(v *int) { done <- *v }, v)
	*v = 1
	x.a[0] = 1
	x = nil
	runtime.GC()
	if <-done != 1 {
		panic("too early")
	}
}
