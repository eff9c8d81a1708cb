// want: verified

package main

import "time"

// Who has waited for seconds gets a value before it is in the buffer, and has its own put there as soon as there is room.
func main() {
	c := make(chan int, 1)
	done := make(chan bool, 2)
	go func() { <-c; done <- true }()
	time.Sleep(5 * time.Second)
	for range 2 {
		select {
		case c <- 1:
		default:
			panic("no room")
		}
	}
	<-done
	go func() { c <- 2; done <- true }()
	time.Sleep(5 * time.Second)
	<-c
	select {
	case c <- 3:
		panic("overtaken")
	default:
	}
	if <-c != 2 {
		panic("lost")
	}
	<-done
}
