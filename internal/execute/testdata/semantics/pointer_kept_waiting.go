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
	if uintptr(unsafe.Pointer(p)) == kept {
		panic("it has the number")
	}
}
