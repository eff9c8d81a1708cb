// want: verified

package main

import (
	"sync/atomic"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	var n atomic.Int32
	verify.Eventually(func() bool { return n.Load() == 2 })
	go n.Add(1)
	for n.Load() == 0 {
	}
	n.Add(1)
}
