// want: violation liveness

package main

import (
	"sync/atomic"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	var n atomic.Int32
	verify.Eventually(func() bool { return n.Load() == 2 })
	go n.Add(1) // main need not wait for it
	n.Add(1)
}
