// want: violation panic
package main

import "runtime"

type table struct{ entries [8]int }

func newTable(first int) *table {
	t := &table{[8]int{first}}
	return t
}

var current = newTable(1)

// What a function of several statements makes is allocated, whether it is inlined or not.
func main() {
	runtime.SetFinalizer(current, func(*table) { panic("finalized") })
	current = nil
	runtime.GC()
}
