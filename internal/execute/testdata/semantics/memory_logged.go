// want: verified
package main

import "runtime"

// To tell how much memory there is needs no number that is right.
func main() {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	println(s.HeapAlloc)
}
