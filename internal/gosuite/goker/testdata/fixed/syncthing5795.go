// Syncthing5795 closed a connection from inside its own loop and waited there for
// the loop to end. Here another goroutine closes it.
package main

import "sync"

type connection struct {
	inbox           chan int
	closed, stopped chan struct{}
	once            sync.Once
	closers         sync.WaitGroup
}

func (c *connection) loop() {
	defer close(c.stopped)
	for {
		select {
		case <-c.inbox:
			c.closers.Go(c.close)
		case <-c.closed:
			return
		}
	}
}

func (c *connection) close() {
	c.once.Do(func() {
		close(c.closed)
		<-c.stopped
	})
}

func main() {
	c := &connection{inbox: make(chan int), closed: make(chan struct{}), stopped: make(chan struct{})}
	go c.loop()
	c.inbox <- 1
	<-c.stopped
	c.closers.Wait()
}
