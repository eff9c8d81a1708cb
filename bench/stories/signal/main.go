// Command signal writes what it has counted when it is told to end, and at its end.
package main

import (
	"fmt"
	"os"
	"os/signal"
)

func main() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	work := make(chan int)
	counted := 0
	go func() {
		for n := range work {
			counted += n
		}
	}()
	for i := range 2 {
		select {
		case work <- i:
		case <-stop:
			fmt.Println("interrupted at", counted)
			os.Exit(0)
		}
	}
	close(work)
}
