// want: violation panic
package main

import (
	"runtime"
	"weak"
)

func forgotten() weak.Pointer[[8]int] { return weak.Make(new([8]int)) }

// A collection may come before the pointer is looked at.
func main() {
	w := forgotten()
	go runtime.GC()
	if w.Value() == nil {
		panic("it is gone")
	}
}
