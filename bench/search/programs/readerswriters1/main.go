// Readerswriters1: a monitor for two readers and two writers, who come once
// each. As in Java there is one queue of waiting threads, and who leaves wakes
// all of them.
package main

import "sync"

const (
	readers = 2
	writers = 2
	visits  = 1 // of each of them
)

type library struct {
	mu      sync.Mutex
	changed *sync.Cond
	reading int
	writing bool
}

func (l *library) read() {
	l.mu.Lock()
	for l.writing {
		l.changed.Wait()
	}
	l.reading++
	l.mu.Unlock()

	l.mu.Lock()
	l.reading--
	l.changed.Broadcast()
	l.mu.Unlock()
}

func (l *library) write() {
	l.mu.Lock()
	for l.writing || l.reading > 0 {
		l.changed.Wait()
	}
	l.writing = true
	l.mu.Unlock()

	l.mu.Lock()
	l.writing = false
	l.changed.Broadcast()
	l.mu.Unlock()
}

func (l *library) reader(wg *sync.WaitGroup) {
	for range visits {
		l.read()
	}
	wg.Done()
}

func (l *library) writer(wg *sync.WaitGroup) {
	for range visits {
		l.write()
	}
	wg.Done()
}

func main() {
	l := new(library)
	l.changed = sync.NewCond(&l.mu)
	var wg sync.WaitGroup
	wg.Add(readers + writers)
	for range readers {
		go l.reader(&wg)
	}
	for range writers {
		go l.writer(&wg)
	}
	wg.Wait()
}
