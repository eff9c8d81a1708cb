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

func main() {
	x, y := &item{}, &item{}
	done := make(chan int)
	runtime.AddCleanup(x, func(int) { close(done) }, 0)
	go worker(x)
	go worker(y)
	close(gate)
	if n.Load() == 1 {
		runtime.GC()
		<-done
	}
}
