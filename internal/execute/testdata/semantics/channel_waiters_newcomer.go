// want: verified

package main

import "time"

// Who comes now does not get a value before who has waited for seconds.
func main() {
	c := make(chan int)
	done := make(chan bool, 2)
	go func() {
		if <-c == 2 {
			panic("overtaken")
		}
		done <- true
	}()
	time.Sleep(5 * time.Second)
	go func() { <-c; done <- true }()
	c <- 1
	c <- 2
	<-done
	<-done
}
