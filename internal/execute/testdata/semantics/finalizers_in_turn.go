// want: verified
package main

import (
	"runtime"
	"sync/atomic"
)

type thing struct{ a [4]int }

var (
	n    int
	done atomic.Int32
)

// All finalizers are called in one goroutine, one after the other.
func main() {
	for range 2 {
		runtime.SetFinalizer(new(thing), func(*thing) { n++; done.Add(1) })
	}
	for done.Load() < 2 {
		runtime.GC()
	}
	if n != 2 {
		panic("called at the same time")
	}
}
