// The program whose certificate has a million transitions: some who each need two
// of the things that lie between them, a few times, and two of them once more.
package main

import "sync"

const (
	people = 5
	rounds = 3
)

func main() {
	var things [people]sync.Mutex
	var done sync.WaitGroup
	for i := range people {
		first, second := &things[i], &things[(i+1)%people]
		times := rounds
		switch i {
		case 0, 1:
			times++
		case people - 1:
			first, second = second, first // so that no circle of waiting can close
		}
		done.Go(func() {
			for range times {
				first.Lock()
				second.Lock()
				second.Unlock()
				first.Unlock()
			}
		})
	}
	done.Wait()
}
