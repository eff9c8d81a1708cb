// want: violation panic

package main

import "time"

// One that has waited for 20 ms need not have begun, and then finds both.
func main() {
	a, b := make(chan int), make(chan int, 1)
	go func() {
		time.Sleep(20 * time.Millisecond)
		close(a)
		b <- 1
	}()
	select {
	case <-a:
	case <-b:
		panic("b")
	}
}
