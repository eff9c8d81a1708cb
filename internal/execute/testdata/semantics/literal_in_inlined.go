// want: verified
package main

import "runtime"

type table struct{ entries [8]int }

func newTable(first int) *table { return &table{[8]int{first}} }

var current = newTable(1)

// So is what a function makes that the compiler inlines: its finalizer is never called.
func main() {
	runtime.SetFinalizer(current, func(*table) { panic("finalized") })
	current = nil
	runtime.GC()
}
