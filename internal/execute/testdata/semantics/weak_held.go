// want: verified
package main

import (
	"runtime"
	"weak"
)

func forgotten() weak.Pointer[[8]int] { return weak.Make(new([8]int)) }

// Who holds what the pointer points to keeps it.
func main() {
	w := forgotten()
	go runtime.GC()
	if x := w.Value(); x != nil {
		if w.Value() != x {
			panic("it is gone")
		}
		runtime.KeepAlive(x)
	}
}
