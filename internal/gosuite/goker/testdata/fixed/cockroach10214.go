// Cockroach10214 took the locks of the store and of a replica in both orders. Here
// the store's lock is released before a replica is told.
package main

import "sync"

type store struct {
	coalesced struct {
		sync.Mutex
		responses []int
	}
	replicas []*replica
}

func (s *store) sendQueuedHeartbeats() {
	s.coalesced.Lock()
	n := len(s.coalesced.responses)
	s.coalesced.responses = nil
	s.coalesced.Unlock()
	if n == 0 {
		return
	}
	for _, r := range s.replicas {
		r.reportUnreachable()
	}
}

type replica struct {
	raftMu      sync.Mutex
	mu          sync.Mutex
	unreachable bool
	store       *store
}

func (r *replica) reportUnreachable() {
	r.raftMu.Lock()
	defer r.raftMu.Unlock()
	r.unreachable = true
}

func (r *replica) tick() {
	r.raftMu.Lock()
	defer r.raftMu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.coalesceHeartbeat()
}

func (r *replica) coalesceHeartbeat() {
	r.store.coalesced.Lock()
	defer r.store.coalesced.Unlock()
	r.store.coalesced.responses = append(r.store.coalesced.responses, 3)
}

func main() {
	s := &store{}
	s.coalesced.responses = []int{1, 2}
	s.replicas = []*replica{{store: s}, {store: s}}
	var wg sync.WaitGroup
	wg.Go(s.sendQueuedHeartbeats)
	wg.Go(s.replicas[0].tick)
	wg.Wait()
}
