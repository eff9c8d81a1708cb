// Etcd7902 let a follower wait for the leader while it held the mutex that the
// leader needs. Here a follower waits without the mutex.
package main

import "sync"

type election struct {
	mu    sync.Mutex
	nextc chan bool // closed by the leader at the end of a round
}

func (e *election) validate() chan bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.nextc
}

func (e *election) release(leader bool, round chan bool) {
	if leader {
		e.mu.Lock()
		close(e.nextc)
		e.nextc = make(chan bool)
		e.mu.Unlock()
	}
	<-round
}

func main() {
	e := &election{nextc: make(chan bool)}
	// All know the round before one of them ends it.
	round := e.validate()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { e.release(i == 0, round) })
	}
	wg.Wait()
}
