// Philosophers dine, and each takes his left fork first.
//
// The bug: once all of them hold their left fork, each waits for the right one,
// which his neighbour holds. The order in which locks are taken goes round in a
// circle. heddle check reports a deadlock, with one step for each philosopher,
// and names for each one the fork he waits for and who holds it. The cure is in
// the folder above: one order for all forks.
//
// Finding: deadlock.
package main

import (
	"fmt"
	"sync"

	"github.com/heddle-mc/heddle/verify"
)

const (
	seats  = 8
	rounds = 3 // for each philosopher; 0 means for ever
)

type fork struct {
	mu    sync.Mutex
	taken bool
}

func (f *fork) take() {
	f.mu.Lock()
	verify.Assert(!f.taken, "a fork in two hands")
	f.taken = true
}

func (f *fork) put() {
	verify.Assert(f.taken, "a fork put down twice")
	f.taken = false
	f.mu.Unlock()
}

type philosopher struct {
	first, second *fork
	eating        bool
}

// dine lasts until the first of the two forks is put down again.
func (p *philosopher) dine() {
	p.first.take()
	p.second.take()
	p.eating = true
	p.second.put()
	p.eating = false
	p.first.put()
}

// live dines rounds times. The checker has it go on for ever: that covers every
// number of rounds, and takes fewer states because each round ends where it
// began.
func (p *philosopher) live() {
	if rounds == 0 || verify.Checking() {
		for {
			p.dine()
		}
	}
	for range rounds {
		p.dine()
	}
}

func (p *philosopher) join(wg *sync.WaitGroup) {
	p.live()
	wg.Done()
}

// table seats the philosophers. Forks are objects of their own, as those who do
// not share one have nothing to do with each other.
func table() [seats]*philosopher {
	var forks [seats]*fork
	for i := range forks {
		forks[i] = new(fork)
	}
	var people [seats]*philosopher
	for i := range people {
		people[i] = &philosopher{first: forks[i], second: forks[(i+1)%seats]} // BUG: left, then right
	}
	for i, p := range people {
		next := people[(i+1)%seats]
		verify.Always(func() bool { return !p.eating || !next.eating })
	}
	return people
}

func main() {
	people := table()
	var wg sync.WaitGroup
	wg.Add(seats - 1)
	for i := 1; i < seats; i++ {
		go people[i].join(&wg)
	}
	people[0].live()
	wg.Wait()
	fmt.Println(seats, "philosophers have dined")
}
