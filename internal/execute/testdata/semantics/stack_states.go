// want: verified
package main

import (
	"runtime"
	"strings"
	"sync"
)

// Tracebacks say of goroutines that can only wait that they do.
func main() {
	c, ready := make(chan int), make(chan bool)
	var mu sync.Mutex
	mu.Lock()
	go func() { ready <- true; <-c }()
	go func() { ready <- true; mu.Lock(); mu.Unlock() }()
	<-ready
	<-ready
	b := make([]byte, 2048)
	text := string(b[:runtime.Stack(b, true)])
	for _, state := range []string{"[running", "[chan receive]:", "[sync.Mutex.Lock]:"} {
		if !strings.Contains(text, state) {
			panic(state + " is missing:\n" + text)
		}
	}
	mu.Unlock()
	close(c)
}
