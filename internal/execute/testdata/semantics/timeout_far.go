// want: verified

package main

import "time"

func main() {
	done := make(chan int)
	go func() { done <- 1 }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		panic("timeout")
	}
}
