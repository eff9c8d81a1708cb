// Linkediter goes through maps with the iterator of package runtime, by linkname,
// as packages that encode values without reflect do.
package main

import (
	"fmt"
	"runtime"
	"unsafe"
)

// An iter has the size of the iterator of old versions of Go.
type iter struct {
	key, elem unsafe.Pointer
	_         [6]unsafe.Pointer
	_         [4]uintptr
}

//go:noescape
//go:linkname mapiterinit reflect.mapiterinit
func mapiterinit(typ, m unsafe.Pointer, it *iter)

//go:noescape
//go:linkname mapiternext reflect.mapiternext
func mapiternext(it *iter)

func words(m map[string]int) (typ, ptr unsafe.Pointer) {
	var v any = m
	w := *(*[2]unsafe.Pointer)(unsafe.Pointer(&v))
	return w[0], w[1]
}

func main() {
	m := make(map[string]int)
	for i := range 100 {
		m[fmt.Sprint(i)] = i
	}
	for _, m := range []map[string]int{m, {"one": 1}, {}, nil} {
		it := new(iter)
		typ, ptr := words(m)
		n, sum := 0, 0
		for mapiterinit(typ, ptr, it); it.key != nil; mapiternext(it) {
			k, e := *(*string)(it.key), *(*int)(it.elem)
			if m[k] != e {
				fmt.Println("got", k, e)
			}
			if n++; n%10 == 0 {
				runtime.GC()
			}
			sum += e
		}
		fmt.Println(n, sum)
	}
}
