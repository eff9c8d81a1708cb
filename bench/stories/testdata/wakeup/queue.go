// Package wakeup has a queue that wakes one where two wait.
package wakeup

import "sync"

// Queue is a queue that can be closed.
type Queue struct {
	mu     sync.Mutex
	more   *sync.Cond
	items  []int
	closed bool
}

// New returns an empty queue.
func New() *Queue {
	q := &Queue{}
	q.more = sync.NewCond(&q.mu)
	return q
}

// Put adds an item.
func (q *Queue) Put(n int) {
	q.mu.Lock()
	q.items = append(q.items, n)
	q.mu.Unlock()
	q.more.Signal()
}

// Close says that no more items come.
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.more.Signal()
}

// Get returns the next item, false if the queue is closed and empty.
func (q *Queue) Get() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.more.Wait()
	}
	if len(q.items) == 0 {
		return 0, false
	}
	n := q.items[0]
	q.items = q.items[1:]
	return n, true
}
