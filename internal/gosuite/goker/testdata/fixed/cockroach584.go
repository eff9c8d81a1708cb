// Cockroach584 left a loop with the mutex locked, and the second loop then waited
// for it. Here each loop unlocks before it breaks.
package main

import "sync"

type gossip struct {
	mu     sync.Mutex
	closed bool
}

func (g *gossip) bootstrap() {
	for {
		g.mu.Lock()
		if g.closed {
			g.mu.Unlock()
			break
		}
		g.mu.Unlock()
	}
}

func (g *gossip) manage() {
	for {
		g.mu.Lock()
		if g.closed {
			g.mu.Unlock()
			break
		}
		g.mu.Unlock()
	}
}

func main() {
	g := &gossip{closed: true}
	done := make(chan struct{})
	go func() {
		g.bootstrap()
		g.manage()
		close(done)
	}()
	<-done
}
