// want: verified

package main

import (
	"context"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	c := make(chan int)
	go func() {
		select {
		case c <- 1:
		case <-ctx.Done():
		}
	}()
	cancel()
}
