// Moby30408 waited for a plugin to become active, but not for the error that keeps
// it from that, and nobody told. Here an error ends the wait too.
package main

import (
	"errors"
	"sync"
)

type plugin struct {
	wait     *sync.Cond
	err      error
	manifest *string
}

func (p *plugin) waitActive() error {
	p.wait.L.Lock()
	defer p.wait.L.Unlock()
	for p.manifest == nil && p.err == nil {
		p.wait.Wait()
	}
	return p.err
}

func (p *plugin) fail(err error) {
	p.wait.L.Lock()
	p.err = err
	p.wait.L.Unlock()
	p.wait.Broadcast()
}

func main() {
	p := &plugin{wait: sync.NewCond(&sync.Mutex{})}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if p.waitActive() == nil {
				panic("the error was lost")
			}
		})
	}
	p.fail(errors.New("some junk happened"))
	wg.Wait()
}
