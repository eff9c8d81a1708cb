package stateset

import (
	"fmt"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/room"
)

// Tables live outside the Go heap. Inside it, the garbage collector would let
// the heap grow to twice their size before it looks, and an outgrown table would
// stay until then.

// newPages returns n zeroed values of a type without pointers. It panics if the
// operating system has no memory left, as the Go runtime does.
func newPages[T any](n int) []T {
	var zero T
	data, err := room.Zeroed(n * int(unsafe.Sizeof(zero)))
	if err != nil {
		panic(fmt.Sprintf("visited states: no memory for a table of %d entries: %v", n, err))
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), n)
}

// freePages gives back what newPages returned. A nil slice is nothing.
func freePages[T any](s []T) {
	if s == nil {
		return
	}
	var zero T
	data := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
	if err := room.GiveBack(data); err != nil {
		panic(fmt.Sprintf("visited states: %v", err))
	}
}
