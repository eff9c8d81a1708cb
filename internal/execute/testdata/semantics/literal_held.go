// want: verified
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

// Somebody may still stop it.
func main() {
	stop := current.stop
	go func() { <-stop }()
	other := &server{stop: make(chan int)}
	runtime.Gosched()
	for {
		select {
		case <-other.stop:
		default:
			runtime.Gosched()
		}
	}
}
