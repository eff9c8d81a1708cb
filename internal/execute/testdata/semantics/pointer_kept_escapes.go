// want: violation panic
package main

import (
	"sync/atomic"
	"unsafe"
)

type item struct{ a, b, c, d int }

var n atomic.Int32
var gate = make(chan int)
var kept uintptr

//go:uintptrescapes
func id(u uintptr) uintptr   { return u }
func number(x *item) uintptr { return id(uintptr(unsafe.Pointer(x))) }

func worker(x *item) {
	<-gate
	if k := n.Add(1); number(x) == kept && k == 2 {
		panic("it has the number")
	}
	x.a = 1
}

func main() {
	x, y := &item{}, &item{}
	kept = number(x)
	go worker(x)
	go worker(y)
	close(gate)
	for n.Load() != 2 {
	}
}
