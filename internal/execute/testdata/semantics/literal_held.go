// want: verified
package main

import "sync"

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
	go func() {
		for range other.stop {
		}
	}()
	for {
		other.stop <- 1
	}
}
