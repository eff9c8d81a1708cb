// want: verified

package main

import (
	"sync/atomic"

	"github.com/heddle-mc/heddle/verify"
)

var x atomic.Int64

// What was true for a moment was true, also if nobody else was there.
func main() {
	verify.Eventually(func() bool { return x.Load() == 1 })
	x.Store(1)
	x.Store(2)
}
