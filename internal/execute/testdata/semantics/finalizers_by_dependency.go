// want: verified
package main

import "runtime"

type thing struct {
	next *thing
	n    int
}

// What an object with a finalizer points to lives on until that was called.
func main() {
	c := make(chan int, 2)
	end := func(t *thing) { c <- t.n }
	second := &thing{n: 2}
	first := &thing{next: second, n: 1}
	runtime.SetFinalizer(second, end)
	runtime.SetFinalizer(first, end)
	second, first = nil, nil
	runtime.GC()
	if <-c != 1 {
		panic("the second one first")
	}
}
