// want: verified

//go:debug asynctimerchan=1

package main

import (
	"sync/atomic"
	"time"
)

func main() {
	var n atomic.Int32
	begun := time.Now()
	go func() {
		n.Add(1)
		<-time.NewTimer(time.Hour).C
	}()
	n.Add(1)
	if time.Since(begun) < 0 {
		panic("time runs backwards")
	}
	n.Add(1)
}
