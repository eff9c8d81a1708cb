// Philosophers8: eight philosophers, each of whom takes his left fork, then his
// right one, puts both down and is done. The speed of the search is measured
// with it, side by side with spin/philosophers.pml. One state is a deadlock.
package main

import "sync"

const seats = 8

func philosopher(first, second *sync.Mutex, wg *sync.WaitGroup) {
	first.Lock()
	second.Lock()
	second.Unlock()
	first.Unlock()
	wg.Done()
}

func main() {
	var forks [seats]*sync.Mutex
	for i := range forks {
		forks[i] = new(sync.Mutex)
	}
	var wg sync.WaitGroup
	wg.Add(seats)
	for i := range seats {
		go philosopher(forks[i], forks[(i+1)%seats], &wg)
	}
	wg.Wait()
}
