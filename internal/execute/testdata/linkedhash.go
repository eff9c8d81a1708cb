// Linkedhash uses the hash functions of package runtime by linkname, as packages
// with hash tables of their own do.
package main

import (
	"fmt"
	"unsafe"
)

//go:noescape
//go:linkname memhash runtime.memhash
func memhash(p unsafe.Pointer, seed, size uintptr) uintptr

//go:noescape
//go:linkname strhash runtime.strhash
func strhash(p unsafe.Pointer, seed uintptr) uintptr

//go:noescape
//go:linkname typehash runtime.typehash
func typehash(t uintptr, p unsafe.Pointer, seed uintptr) uintptr

type key struct {
	name string
	n    int
}

func hash(v any, p unsafe.Pointer, seed uintptr) uintptr {
	return typehash(*(*uintptr)(unsafe.Pointer(&v)), p, seed)
}

func main() {
	a, b, c := []byte("some bytes"), []byte("some bytes"), []byte("same bytes")
	mem := func(s []byte, seed uintptr) uintptr {
		return memhash(unsafe.Pointer(unsafe.SliceData(s)), seed, uintptr(len(s)))
	}
	fmt.Println("mem", mem(a, 1) == mem(b, 1), mem(a, 1) == mem(c, 1), mem(a, 1) == mem(a, 2), mem(nil, 1) == mem(nil, 1))

	s, t, u, empty := string(a), string(b), string(c), ""
	str := func(s *string, seed uintptr) uintptr { return strhash(unsafe.Pointer(s), seed) }
	fmt.Println("str", str(&s, 1) == str(&t, 1), str(&s, 1) == str(&u, 1), str(&s, 1) == str(&s, 2),
		str(&empty, 1) == str(&empty, 1), str(&empty, 1) == str(&s, 1), str(&s, 7) == mem(a, 7))

	k, l, m := key{s, 1}, key{t, 1}, key{t, 2}
	typ := func(k *key, seed uintptr) uintptr { return hash(*k, unsafe.Pointer(k), seed) }
	fmt.Println("type", typ(&k, 1) == typ(&l, 1), typ(&k, 1) == typ(&m, 1), typ(&k, 1) == typ(&k, 2))

	var i any = []int{1}
	defer func() { fmt.Println(recover()) }()
	type box struct{ v any }
	hash(box{}, unsafe.Pointer(&box{i}), 1)
}
