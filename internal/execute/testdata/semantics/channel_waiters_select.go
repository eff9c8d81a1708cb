// want: verified

package main

import "time"

// A select that has waited for seconds is decided by what happens first.
func main() {
	a, b := make(chan int), make(chan int, 1)
	go func() {
		time.Sleep(5 * time.Second)
		close(a)
		b <- 1
	}()
	select {
	case <-a:
	case <-b:
		panic("b")
	}
}
