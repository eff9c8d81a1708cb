// want: violation panic

package main

import "time"

// Who has accessed what others can see since its last operation takes a value out of the buffer, where others see it. In Go it never gets there.
func main() {
	c, done := make(chan int, 1), make(chan bool)
	x := 0
	go func() {
		x++
		<-c
		close(done)
	}()
	time.Sleep(5 * time.Second)
	c <- 1
	if len(c) == 1 {
		panic("in the buffer")
	}
	<-done
	x++
}
