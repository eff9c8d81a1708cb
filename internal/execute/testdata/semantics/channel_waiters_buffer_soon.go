// want: violation panic

package main

import "time"

// Who began to send 20 ms ago need not have come, so that somebody else may get in before.
func main() {
	c := make(chan int, 1)
	c <- 1
	go func() { c <- 2 }()
	time.Sleep(20 * time.Millisecond)
	<-c
	select {
	case c <- 3:
		panic("overtaken")
	default:
	}
}
