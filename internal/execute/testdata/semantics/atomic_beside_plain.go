// want: violation race

package main

import (
	"sync/atomic"
)

func main() {
	var n int32
	go func() { atomic.AddInt32(&n, 1) }()
	n = 2
}
