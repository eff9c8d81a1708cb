// want: violation race

package main

import (
	"time"
)

func main() {
	x := 0
	go func() { x = 1 }()
	time.Sleep(time.Hour)
	_ = x
}
