// want: violation deadlock

package main

import (
	"runtime"
	"sync/atomic"
)

type item struct{ a, b, c, d int }

var n atomic.Int32
var gate = make(chan int)

func worker(x *item) {
	<-gate
	n.Add(1)
	runtime.KeepAlive(x)
}

// Two goroutines are not alike if what one of them has has a finalizer.
func main() {
	x, y := &item{}, &item{}
	done := make(chan int)
	runtime.SetFinalizer(x, func(*item) { close(done) })
	go worker(x)
	go worker(y)
	close(gate)
	if n.Load() == 1 {
		runtime.GC()
		<-done
	}
}
