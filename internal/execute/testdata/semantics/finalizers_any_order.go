// want: violation panic
package main

import "runtime"

type thing struct{ a [4]int }

// The finalizers of one collection are called in any order.
func main() {
	c := make(chan int, 3)
	for n := range 3 {
		runtime.SetFinalizer(new(thing), func(*thing) { c <- n })
	}
	runtime.GC()
	if <-c == 1 && <-c == 0 && <-c == 2 {
		panic("the second one first")
	}
}
