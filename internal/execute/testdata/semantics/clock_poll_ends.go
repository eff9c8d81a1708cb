// want: violation panic

package main

import (
	"runtime"
	"time"
)

func main() {
	for start := time.Now(); time.Since(start) < time.Minute; {
		runtime.Gosched()
	}
	panic("a minute later")
}
