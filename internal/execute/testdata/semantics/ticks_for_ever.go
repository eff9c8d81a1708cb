// want: verified
// flags: -livelock

package main

import (
	"sync/atomic"
	"time"
)

func main() {
	var beats atomic.Bool
	go func() {
		for !beats.Load() {
		}
	}()
	for range time.Tick(time.Second) {
		beats.Store(!beats.Load())
	}
}
