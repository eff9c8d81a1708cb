// want: violation panic

package main

import "time"

// Of two who have both waited for seconds, and came at the same moment, either may be first.
func main() {
	c := make(chan int)
	go func() { c <- 1 }()
	go func() { c <- 2 }()
	time.Sleep(5 * time.Second)
	if <-c == 2 {
		panic("the second came first")
	}
	<-c
}
