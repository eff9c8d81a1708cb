// What panics say, and what can be seen of them.
package main

import (
	"fmt"
	"runtime"
	"unsafe"
)

func try(f func()) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(e)
		}
	}()
	f()
}

func local[T any](x T) string {
	type pair struct{ a, b T }
	type box[U any] struct{ t T }
	return fmt.Sprintf("%T %T", pair{x, x}, box[bool]{x})
}

func who() {
	for i := range 3 {
		pc, _, _, _ := runtime.Caller(i)
		fmt.Println(i, runtime.FuncForPC(pc).Name())
	}
	recover()
}

func panics() {
	defer who()
	panic("seen by who")
}

func deferred() (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	func() {
		defer recover() // not by a deferred function
		panic("not recovered")
	}()
	return "recovered"
}

func nested() (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	defer func() {
		defer recover() // as if called by the deferred function
	}()
	panic("recovered")
}

func main() {
	s, a, t := []int{1, 2, 3}, [3]int{}, "abc"
	for _, u := range []uint64{3, 1 << 63, 1<<64 - 1} {
		i := int(u)
		try(func() { fmt.Println(s[u]) })
		try(func() { fmt.Println(s[i]) })
		try(func() { fmt.Println(a[u]) })
		try(func() { fmt.Println(t[u]) })
		try(func() { fmt.Println(s[u:]) })
		try(func() { fmt.Println(s[:u], i) })
		try(func() { fmt.Println(s[i:u]) })
		try(func() { fmt.Println(t[u:]) })
	}
	try(func() { fmt.Println([4]int(s)) })
	try(func() { fmt.Println(unsafe.Slice(&s[0], -len(s))) })
	panics()
	fmt.Println(local(1), local("x"))
	fmt.Println(deferred(), nested())
}
