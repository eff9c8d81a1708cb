// want: verified

package main

import "time"

// Who has waited for seconds at a channel goes before who comes now, to send as well as to receive.
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

	got := make(chan string, 2)
	go func() { <-c; got <- "first" }()
	time.Sleep(5 * time.Second)
	go func() { <-c; got <- "second" }()
	time.Sleep(5 * time.Second)
	c <- 1
	if <-got == "second" {
		panic("the second came first")
	}
	c <- 2
	<-got
}
