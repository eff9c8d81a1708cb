// Etcd6857 asked a node for its status that had stopped, and waited for ever. Here
// who asks looks whether the node is done.
package main

import "sync"

type status struct{ term int }

type node struct {
	status     chan chan status
	stop, done chan struct{}
}

func (n *node) Status() status {
	c := make(chan status)
	select {
	case n.status <- c:
		return <-c
	case <-n.done:
		return status{}
	}
}

func (n *node) run() {
	defer close(n.done)
	for {
		select {
		case c := <-n.status:
			c <- status{1}
		case <-n.stop:
			return
		}
	}
}

func (n *node) Stop() {
	select {
	case n.stop <- struct{}{}:
	case <-n.done:
	}
	<-n.done
}

func main() {
	n := &node{make(chan chan status), make(chan struct{}), make(chan struct{})}
	var wg sync.WaitGroup
	wg.Go(n.run)
	wg.Go(func() { n.Status() })
	wg.Go(n.Stop)
	wg.Wait()
}
