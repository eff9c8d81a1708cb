// want: verified
// flags: -late=0

package main

import (
	"sync/atomic"
	"time"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	var awake, over atomic.Bool
	verify.Eventually(func() bool { return awake.Load() })
	go func() {
		time.Sleep(time.Hour)
		awake.Store(true)
	}()
	for !over.Load() {
		over.Store(awake.Load())
	}
}
