// want: verified

package main

import (
	"sync/atomic"
)

func main() {
	var set atomic.Bool
	go set.Store(true)
	for !set.Load() {
	}
}
