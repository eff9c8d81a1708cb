// Package room makes room for lists that get very long, as stacks of deep searches do. Large ones live outside of
// the Go heap: there the list that has become too small would stay beside its larger copy, and be copied, whenever
// it grows. Here its pages are moved, where the system can do that, and what was never used of them takes no memory.
//
// It is the one place that asks the system for memory: see [Space] and [Zeroed].
package room

import (
	"fmt"
	"slices"
	"unsafe"
)

// large is how many bytes a list has that is not in the Go heap.
const large = 1 << 20

// For returns a list with the values of s and room for n more. T must have no pointers. A list that was
// returned by For grows by For alone, since append would leave its pages behind, and is given back by Free.
func For[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s
	}
	return grow(s, n)
}

func grow[T any](s []T, n int) []T {
	size := int(unsafe.Sizeof(*new(T)))
	want := max(len(s)+n, 2*cap(s))
	if want*size < large {
		return slices.Grow(s, n)
	}
	var data []byte
	var err error
	if old := pages(s); old != nil {
		held.Add(-int64(len(old)))
		data, err = counted(resize(old, want*size))
	} else if data, err = counted(zeroed(want*size, false)); err == nil {
		copy(data, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*size))
	}
	if err != nil {
		panic(fmt.Sprintf("no memory for a list of %d bytes: %v", want*size, err))
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), want)[:len(s)]
}

// Free gives back a list that For has returned.
func Free[T any](s []T) {
	if data := pages(s); data != nil {
		if err := GiveBack(data); err != nil {
			panic(fmt.Sprintf("a list cannot be given back: %v", err))
		}
	}
}

// pages returns all of a list that is not in the Go heap, nil of another one.
func pages[T any](s []T) []byte {
	n := cap(s) * int(unsafe.Sizeof(*new(T)))
	if n < large {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), n)
}
