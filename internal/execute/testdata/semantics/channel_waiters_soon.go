// want: violation panic

package main

import "time"

// Who began to send 20 ms ago need not have come to the channel yet.
func main() {
	c := make(chan int)
	go func() { c <- 1 }()
	time.Sleep(20 * time.Millisecond)
	go func() { c <- 2 }()
	time.Sleep(20 * time.Millisecond)
	if <-c == 2 {
		panic("the second came first")
	}
	<-c
}
