// want: violation liveness

package main

import (
	"sync/atomic"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	requests := make(chan bool)
	var open atomic.Bool
	verify.Leads(open.Load, func() bool { return !open.Load() })
	go func() {
		for range requests {
		}
	}()
	for {
		open.Store(true)
		requests <- true // who takes it does not answer
	}
}
