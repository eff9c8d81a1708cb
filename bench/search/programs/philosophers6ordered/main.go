// Philosophers6ordered: six philosophers who go on for ever. Each takes the fork
// with the lower number first, so there is no deadlock. One of them is main.
package main

import "sync"

const seats = 6

func philosopher(first, second *sync.Mutex) {
	for {
		first.Lock()
		second.Lock()
		second.Unlock()
		first.Unlock()
	}
}

func main() {
	var forks [seats]*sync.Mutex
	for i := range forks {
		forks[i] = new(sync.Mutex)
	}
	for i := range seats - 1 {
		go philosopher(forks[i], forks[i+1])
	}
	philosopher(forks[0], forks[seats-1])
}
