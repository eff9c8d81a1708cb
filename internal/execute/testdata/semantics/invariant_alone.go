// want: violation invariant

package main

import (
	"sync/atomic"

	"github.com/heddle-mc/heddle/verify"
)

var x atomic.Int64

// A condition is looked at after each operation, also of a goroutine that is alone.
func main() {
	verify.Always(func() bool { return x.Load() != 1 })
	x.Store(1)
	x.Store(2)
}
