// want: violation panic
package main

import (
	"unsafe"
)

type item struct{ a, b, c, d int }

var gate = make(chan int)

func worker(x *item, c chan *item) { <-gate; c <- x }
func main() {
	x, y := &item{}, &item{}
	kept := uintptr(unsafe.Pointer(x))
	c := make(chan *item)
	go worker(x, c)
	go worker(y, c)
	close(gate)
	<-c
	p := <-c
	*(*int)(unsafe.Pointer(kept)) = 7
	if p.a == 7 {
		panic("it has the number")
	}
}
