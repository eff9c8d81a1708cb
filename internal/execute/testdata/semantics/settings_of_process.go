// want: violation panic

package main

import "runtime"

// Another goroutine may have changed a setting of the process.
func main() {
	runtime.GOMAXPROCS(1)
	go runtime.GOMAXPROCS(2)
	if runtime.GOMAXPROCS(1) == 2 {
		panic("changed")
	}
}
