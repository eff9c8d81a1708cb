// Grpc660 left the goroutine of the last call behind when the client was stopped.
// Here the channel has room for its answer.
package main

import "sync"

type client struct {
	stop  chan bool
	calls sync.WaitGroup
}

func (c *client) loop() {
	for range 2 {
		done := make(chan bool, 1)
		c.calls.Go(func() { done <- true })
		select {
		case <-c.stop:
			return
		case <-done:
		}
	}
	<-c.stop
}

func main() {
	c := &client{stop: make(chan bool)}
	var wg sync.WaitGroup
	wg.Go(c.loop)
	wg.Go(func() { c.stop <- true })
	wg.Wait()
	c.calls.Wait()
}
