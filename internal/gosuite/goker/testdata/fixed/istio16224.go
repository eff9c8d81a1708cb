// Istio16224 sent under a lock that the receiver wanted first. Here the handler
// sends after unlocking, and the monitor ends when it is told to.
package main

import "sync"

type monitor struct {
	events  chan int
	handler func(int)
}

func (m *monitor) run(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case e := <-m.events:
			m.handler(e)
		}
	}
}

func main() {
	var lock sync.Mutex
	last := 0
	done := make(chan bool)
	m := &monitor{events: make(chan int)}
	m.handler = func(e int) {
		lock.Lock()
		last = e
		lock.Unlock()
		done <- true
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { m.run(stop) })
	m.events <- 1
	lock.Lock()
	_ = last
	lock.Unlock()
	<-done
	close(stop)
	wg.Wait()
}
