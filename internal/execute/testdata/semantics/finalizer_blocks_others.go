// want: violation deadlock
package main

import "runtime"

type (
	first  struct{ a [4]int }
	second struct{ a [4]int }
)

// As long as one finalizer has not returned, no other one is called.
func main() {
	never, done := make(chan bool), make(chan bool)
	runtime.SetFinalizer(new(first), func(*first) { <-never })
	runtime.GC()
	runtime.SetFinalizer(new(second), func(*second) { done <- true })
	runtime.GC()
	<-done
	never <- true
}
