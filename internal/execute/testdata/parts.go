package main

import "fmt"

type box[T any] struct {
	A int8
	V T
	B bool
}

func boxOf[T any](x T) box[T] { return box[T]{1, x, true} }

func (x box[T]) Get() T { return x.V }

// part takes a part of odd size out of a value that is not used any more, so that
// both may lie in the same registers.
func part[T any](x T) {
	a := boxOf(boxOf(x)).V.V
	b := boxOf(x).Get()
	f := boxOf(x).Get
	c := [3]T{x, x, x}[1]
	d := boxOf([2]T{x, x}).V[1]
	var i any = boxOf(boxOf(boxOf(x))).V.V.V
	fmt.Println(a, b, f(), c, d, i)
}

func main() {
	part([5]bool{false, false, true, true, true})
	part([3]int8{1, -2, 3})
	part([7]byte{1, 2, 3, 4, 5, 6, 7})
	part([9]int32{1, 2, 3, 4, 5, 6, 7, 8, -9})
	part([5]int16{1, 2, 3, 4, -5})
	part(struct {
		A int32
		B [3]int16
	}{-1, [3]int16{2, 3, -4}})
	part(struct {
		A [2]complex64
		B int8
	}{[2]complex64{1 + 2i, 3 + 4i}, -5})
	part([11]uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
}
