// want: verified

package main

import (
	"context"
	"net"
	"time"
)

// Whatever has waited for a moment and then looks at the clock sees that the moment is over.
func main() {
	begun := time.Now()
	time.Sleep(10 * time.Millisecond)
	if !time.Now().After(begun.Add(10 * time.Millisecond)) {
		panic("slept too short")
	}

	begun = time.Now()
	<-time.After(time.Second)
	if time.Since(begun) <= time.Second {
		panic("waited too short")
	}

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	<-ctx.Done()
	if end, _ := ctx.Deadline(); !time.Now().After(end) {
		panic("cancelled too early")
	}

	c, _ := net.Pipe()
	end := time.Now().Add(time.Hour)
	c.SetReadDeadline(end)
	c.Read(make([]byte, 1))
	if !time.Now().After(end) {
		panic("ended too early")
	}
}
