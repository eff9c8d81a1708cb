// want: violation panic
package main

import (
	"runtime"
	"weak"
)

func forgotten() weak.Pointer[[8]int] { return weak.Make(new([8]int)) }

// A collection may come between two looks.
func main() {
	w := forgotten()
	go runtime.GC()
	if w.Value() != nil {
		_ = w.Value()[0]
	}
}
