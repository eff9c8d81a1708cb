// want: violation panic
package main

import (
	"runtime"
	"weak"
)

func forgotten() weak.Pointer[[8]int] {
	x := new([8]int)
	runtime.SetFinalizer(x, func(*[8]int) { panic("finalized") })
	return weak.Make(x)
}

// A collection may come before somebody gets hold of it and removes the finalizer.
func main() {
	w := forgotten()
	go runtime.GC()
	if x := w.Value(); x != nil {
		runtime.SetFinalizer(x, nil)
	}
}
