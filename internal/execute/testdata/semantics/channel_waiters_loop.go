// want: verified

package main

import "time"

// Workers take turns for ever: who has worked comes behind who waits, and what is told of that comes back.
func main() {
	c := make(chan int)
	turns := make(chan int, 2)
	for i := range 2 {
		go func() {
			for range c {
				turns <- i
			}
		}()
		time.Sleep(time.Second)
	}
	for {
		for i := range 2 {
			c <- 1
			if <-turns != i {
				panic("out of turn")
			}
			time.Sleep(time.Second)
		}
	}
}
