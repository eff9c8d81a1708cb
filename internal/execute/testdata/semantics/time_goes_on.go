// want: verified

package main

import (
	"time"
)

func main() {
	t0 := time.Now()
	time.Sleep(time.Second)
	if time.Since(t0) < time.Second {
		panic("too early")
	}
}
