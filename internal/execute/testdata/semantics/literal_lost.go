// want: violation leak
package main

import (
	"runtime"
	"sync"
)

type server struct {
	sync.WaitGroup
	stop chan int
}

var current = &server{stop: make(chan int)}

// Though it is never collected, nobody finds the first server again, and who waits for its channel waits for ever.
func main() {
	stop := current.stop
	go func() { <-stop }()
	current = &server{stop: make(chan int)}
	runtime.Gosched()
	for {
		select {
		case <-current.stop:
		default:
			runtime.Gosched()
		}
	}
}
