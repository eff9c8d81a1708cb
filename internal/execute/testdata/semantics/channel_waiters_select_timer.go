// want: violation panic

package main

import "time"

// A timer may fire late: what comes 50 ms after it may come before. In a bubble it may not.
func main() {
	b := make(chan int, 1)
	go func() {
		time.Sleep(5050 * time.Millisecond)
		b <- 1
	}()
	select {
	case <-time.After(5 * time.Second):
	case <-b:
		panic("b")
	}
}
