// want: violation panic

package main

import "time"

// Those who wait to send go in any order, also if one of them has come seconds before the other. In Go the first one goes first.
func main() {
	c := make(chan int)
	go func() { c <- 1 }()
	time.Sleep(5 * time.Second)
	go func() { c <- 2 }()
	time.Sleep(5 * time.Second)
	if <-c == 2 {
		panic("the second came first")
	}
	<-c
}
