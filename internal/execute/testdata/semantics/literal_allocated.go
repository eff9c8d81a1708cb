// want: violation panic
package main

import (
	"runtime"
	"weak"
)

type table struct{ entries [8]int }

var current = new(table)

// What new makes for a package variable is allocated, and collected when no variable leads to it.
func main() {
	w := weak.Make(current)
	current = nil
	runtime.GC()
	if w.Value() == nil {
		panic("it is gone")
	}
}
