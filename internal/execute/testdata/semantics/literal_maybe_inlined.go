// want: inconclusive
package main

import "runtime"

type table struct {
	entries [8]int
	names   [2]string
	next    *table
}

func newTable(name string, n int) *table {
	return &table{entries: [8]int{n, n + 1, n + 2, n + 3}, names: [2]string{name + ":", name + ";"}, next: &table{names: [2]string{name + ".", name + ","}}}
}

var current = newTable("a", 1)

// Whether the compiler inlines a large function is not known.
func main() {
	runtime.SetFinalizer(current, func(*table) { panic("finalized") })
	current = nil
	runtime.GC()
}
