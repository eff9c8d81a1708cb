// Moby33781 stopped a monitor without taking the result of its last probe. Here the
// channel has room for it.
package main

import (
	"context"
	"sync"
	"time"
)

func monitor(stop <-chan bool, probes *sync.WaitGroup) {
	select {
	case <-stop:
		return
	case <-time.After(time.Millisecond):
	}
	results := make(chan bool, 1)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	probes.Go(func() { results <- true })
	select {
	case <-stop:
		return
	case <-results:
	case <-ctx.Done():
	}
	<-stop
}

func main() {
	stop := make(chan bool)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		monitor(stop, &wg)
	}()
	stop <- true
	wg.Wait()
}
