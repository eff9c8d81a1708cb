// want: verified
// flags: -livelock

package main

import (
	"sync"
)

func main() {
	var forks [2]sync.Mutex
	eat := func() {
		for {
			forks[0].Lock()
			forks[1].Lock()
			forks[1].Unlock()
			forks[0].Unlock()
		}
	}
	go eat()
	eat()
}
