// Moby25348 waited inside the loop that starts the goroutines for which it waits.
// Here it waits after the loop.
package main

import "sync"

type plugin struct{ ready bool }

type manager struct{ plugins []*plugin }

func (m *manager) init() {
	var group sync.WaitGroup
	group.Add(len(m.plugins))
	for _, p := range m.plugins {
		go func() {
			defer group.Done()
			p.ready = true
		}()
	}
	group.Wait()
}

func main() {
	m := &manager{[]*plugin{{}, {}}}
	m.init()
	for _, p := range m.plugins {
		if !p.ready {
			panic("a plugin is not ready")
		}
	}
}
