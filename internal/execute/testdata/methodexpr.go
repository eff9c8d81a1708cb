package main

import (
	"fmt"
	"reflect"
	"unsafe"
)

type inner struct{ n int }

func (i inner) Get() int   { return i.n }
func (i *inner) Set(n int) { i.n = n }

type outer struct{ inner }

type getter interface{ Get() int }

func same(f any, t reflect.Type, name string) bool {
	m, ok := t.MethodByName(name)
	return ok && m.Func.UnsafePointer() == reflect.ValueOf(f).UnsafePointer()
}

type number uint32

// A method expression is the function in the table of methods.
func main() {
	fmt.Println(same(inner.Get, reflect.TypeFor[inner](), "Get"),
		same((*inner).Get, reflect.TypeFor[*inner](), "Get"),
		same((*inner).Set, reflect.TypeFor[*inner](), "Set"),
		same(outer.Get, reflect.TypeFor[outer](), "Get"),
		same((*outer).Get, reflect.TypeFor[*outer](), "Get"))
	o := &outer{inner{1}}
	(*outer).Set(o, 2)
	fmt.Println(outer.Get(*o), (*outer).Get(o), getter.Get(o))

	// A channel type made at run time is no relative of its prototype.
	type T *uintptr
	t := reflect.ChanOf(reflect.BothDir, reflect.TypeFor[T]())
	p := reflect.New(t)
	p.Elem().Set(reflect.MakeChan(t, 1))
	fmt.Println(p.Type(), p.Elem().Cap())

	// Lengths that do not fit behind a pointer.
	try := func(p unsafe.Pointer, n int) {
		defer func() { fmt.Println(recover()) }()
		fmt.Println(reflect.SliceAt(reflect.TypeFor[number](), p, n).Len())
	}
	var a [4]number
	try(unsafe.Pointer(&a), 4)
	try(unsafe.Pointer(&a), -1)
	try(unsafe.Pointer(&a), 1<<62)
	try(nil, 0)
	try(nil, 1)
	try(unsafe.Pointer(^uintptr(0)), 1)
}
