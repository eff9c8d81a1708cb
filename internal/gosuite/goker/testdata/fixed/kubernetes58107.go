// Kubernetes58107 waited for work under a read lock and for signals that may have
// come before. Here a queue counts its work, and the lock is taken after.
package main

import "sync"

type queue struct {
	cond *sync.Cond
	work int
}

func (q *queue) get() {
	q.cond.L.Lock()
	defer q.cond.L.Unlock()
	for q.work == 0 {
		q.cond.Wait()
	}
	q.work--
}

func (q *queue) put() {
	q.cond.L.Lock()
	q.work++
	q.cond.L.Unlock()
	q.cond.Signal()
}

type controller struct {
	lock   sync.RWMutex
	queue  queue
	synced int
}

func (c *controller) worker() {
	c.queue.get()
	c.lock.RLock()
	defer c.lock.RUnlock()
	_ = c.synced
}

func (c *controller) sync() {
	c.lock.Lock()
	c.synced++
	c.lock.Unlock()
}

func main() {
	c := &controller{queue: queue{cond: sync.NewCond(&sync.Mutex{})}}
	var wg sync.WaitGroup
	wg.Go(c.worker)
	wg.Go(c.sync)
	c.queue.put()
	wg.Wait()
}
