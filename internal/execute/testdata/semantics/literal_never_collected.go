// want: verified
package main

import (
	"runtime"
	"weak"
)

type table struct{ entries [8]int }

var current = &table{}

// What a literal of a package variable points to is data of the program, and stays when no variable leads to it.
func main() {
	w := weak.Make(current)
	current = nil
	runtime.GC()
	if w.Value() == nil {
		panic("it is gone")
	}
}
