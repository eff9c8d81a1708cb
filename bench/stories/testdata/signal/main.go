// Command signal cleans up when it is interrupted, and at its end.
package main

import (
	"fmt"
	"os"
	"os/signal"
)

func main() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	done := make(chan struct{})
	go func() {
		<-stop
		close(done)
	}()
	for i := range 2 {
		select {
		case <-done:
			return
		default:
			fmt.Println("round", i)
		}
	}
	close(done)
}
