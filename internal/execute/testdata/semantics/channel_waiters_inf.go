// want: violation panic
// flags: -late inf

package main

import "time"

// If everybody may be as late as can be, nobody is ever certain to wait at a channel.
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
