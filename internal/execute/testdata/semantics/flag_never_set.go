// want: violation deadlock

package main

import (
	"sync/atomic"
)

func main() {
	var set atomic.Bool
	for !set.Load() {
	}
}
