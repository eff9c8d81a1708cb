// Stacks, walked as packages of errors and logs do it.
package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

//go:noinline
func show(what string) {
	pcs := make([]uintptr, 20)
	pcs = pcs[:runtime.Callers(2, pcs)]
	fmt.Println(what)
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		line := f.Line
		if strings.HasPrefix(f.Function, "runtime.") {
			line = 0 // another one in each version of Go
		}
		fmt.Println("\t", f.Function, line, more)
		if !more {
			break
		}
	}
	for _, pc := range pcs[:len(pcs)-2] { // the last two are the runtime's
		f := runtime.FuncForPC(pc - 1) // the call, not where it returns to
		file, line := f.FileLine(pc - 1)
		_, again := f.FileLine(pc - 2) // of a Frame's PC, some subtract one more
		fmt.Println("\t", f.Name(), filepath.Base(file), line, again)
	}
}

type value struct{ n int }

//go:noinline
func (v *value) method(n int) int {
	v.n += n

	show("method")
	return v.n
}

//go:noinline
func nested(v *value) int {
	return v.method(1) +

		v.method(2)
}

//go:noinline
func start(done chan bool) {
	defer close(done)

	show("goroutine")
}

var count int

//go:noinline
func leaf() { show("leaf") }

//go:noinline
func counted() {
	count++

	leaf() // a call and no instruction else
}

func main() {
	counted()
	fmt.Println(nested(new(value)))
	done := make(chan bool)
	go start(done)
	<-done
	_, _, _, ok := runtime.Caller(2)
	fmt.Println(ok)
	_, _, _, ok = runtime.Caller(3)
	fmt.Println(ok)
}
