// want: violation race
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

// Cleanups may be called at the same time.
func main() {
	for range 2 {
		runtime.AddCleanup(new(thing), func(i int) { n += i; done.Add(1) }, 1)
	}
	for done.Load() < 2 {
		runtime.GC()
	}
}
