// Kubernetes10182 sent a status under the lock that the receiver takes for the one
// before. Here it is sent after unlocking.
package main

import "sync"

type manager struct {
	mu     sync.RWMutex
	pods   int
	status chan bool
}

func (m *manager) start() {
	for range 2 {
		<-m.status
		m.deletePod()
	}
}

func (m *manager) deletePod() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pods--
}

func (m *manager) setPod() {
	m.mu.Lock()
	m.pods++
	m.mu.Unlock()
	m.status <- true
}

func main() {
	m := &manager{status: make(chan bool)}
	var wg sync.WaitGroup
	wg.Go(m.start)
	wg.Go(m.setPod)
	wg.Go(m.setPod)
	wg.Wait()
}
