// Cockroach9935 locked the log's mutex again on the way out after an error. Here
// it is unlocked before exit is called.
package main

import (
	"errors"
	"sync"
)

type logging struct {
	mu     sync.Mutex
	files  int
	exited bool
}

func (l *logging) output() {
	l.mu.Lock()
	err := l.createFile()
	l.mu.Unlock()
	if err != nil {
		l.exit()
	}
}

// createFile fails the second time.
func (l *logging) createFile() error {
	l.files++
	if l.files > 1 {
		return errors.New("disk is full")
	}
	return nil
}

func (l *logging) exit() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.exited = true
}

func main() {
	l := &logging{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(l.output)
	}
	wg.Wait()
	if !l.exited {
		panic("the error was lost")
	}
}
