// want: violation leak

package main

import (
	"sync"
)

var stop = make(chan bool)

func main() {
	mu, c := new(sync.Mutex), make(chan int)
	go func() {
		mu.Lock()
		c <- 1
		mu.Unlock()
	}()
	go func() {
		mu.Lock()
		<-c
		mu.Unlock()
	}()
	go func() {
		<-stop
		mu.Lock()
		<-c
		mu.Unlock()
	}()
}
