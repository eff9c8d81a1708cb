// Memory: operations on memory, with what may come in their way: goroutines that
// wait, young objects, pointers to them in old ones, panics, ends.
package main

import (
	"sync"
	"sync/atomic"
)

type node struct {
	next *node
	n    int
}

var (
	mu   sync.Mutex
	rw   sync.RWMutex
	once sync.Once
	list *node
	top  = &node{n: 7}
	sum  atomic.Int64
)

func push(n int) {
	mu.Lock()
	list = &node{list, n}
	mu.Unlock()
}

func pop() {
	mu.Lock()
	defer mu.Unlock()
	if list != nil {
		sum.Add(int64(list.n))
		list = list.next
	}
}

func swap() {
	mu.Lock()
	list, top = top, list
	mu.Unlock()
}

func read() {
	rw.RLock()
	n := sum.Load()
	rw.RUnlock()
	if mu.TryLock() {
		sum.CompareAndSwap(n, 0)
		mu.Unlock()
	}
}

func write() {
	defer func() { _ = recover() }()
	rw.Lock()
	defer rw.Unlock()
	once.Do(func() { sum.Add(1) })
	if sum.Load() > 1 {
		panic("much")
	}
}

func main() {
	for _, f := range []func(){func() { push(1) }, pop, swap, read, write} {
		go f()
	}
}
