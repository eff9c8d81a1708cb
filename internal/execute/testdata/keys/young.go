// Young: goroutines with pointers to objects that were made on the way, some of
// them shared, some in the reverse order; timers, sleeps, selects, closures.
package main

import (
	"sync"
	"time"
)

type node struct {
	next *node
	val  int
}

type tree struct {
	mu   sync.Mutex
	head *node
	byID map[int]*node
}

func (t *tree) push(v int) *node {
	n := &node{val: v}
	t.mu.Lock()
	defer t.mu.Unlock()
	n.next = t.head
	t.head = n
	t.byID[v] = n
	return n
}

func swap(in chan *node, out chan<- *node) {
	a := <-in
	b := <-in
	if a.val > b.val {
		a, b = b, a
	}
	out <- b
	out <- a
}

func main() {
	t := &tree{byID: map[int]*node{}}
	in, out := make(chan *node), make(chan *node, 1)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			n := t.push(i)
			in <- n
		}()
	}
	go swap(in, out)
	tick := time.NewTimer(time.Millisecond)
	defer tick.Stop()
	for range 2 {
		select {
		case n := <-out:
			t.push(n.val + 10)
		case <-tick.C:
			time.Sleep(time.Microsecond)
			go func() { <-out }()
		}
	}
	wg.Wait()
}
