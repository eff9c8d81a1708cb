// want: violation panic

package main

import "time"

func main() {
	done := make(chan int, 1)
	go func() { done <- 1 }()
	select {
	case <-done:
	case <-time.After(20 * time.Millisecond):
		panic("timeout")
	}
}
