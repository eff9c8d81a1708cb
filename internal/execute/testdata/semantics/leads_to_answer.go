// want: verified

package main

import (
	"sync/atomic"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	requests, answers := make(chan bool), make(chan bool)
	var open atomic.Bool
	verify.Leads(open.Load, func() bool { return !open.Load() })
	go func() {
		for range requests {
			answers <- true
		}
	}()
	for {
		open.Store(true)
		requests <- true
		<-answers
		open.Store(false)
	}
}
