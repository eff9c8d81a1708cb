// want: verified
package main

import "sync"

// What one of two copies gives out, the other one does not have any more.
func main() {
	one := sync.Pool{New: func() any { return 3 }}
	one.Put(1)
	one.Put(2)
	two := one
	for range 3 {
		two.Get()
	}
	if one.Get() == nil {
		panic("nil in spite of New")
	}
}
