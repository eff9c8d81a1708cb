// want: verified

package main

import (
	"time"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	last := time.Now()
	for {
		time.Sleep(time.Second)
		now := time.Now()
		verify.Assert(now.Sub(last) >= time.Second, "early")
		last = now
	}
}
