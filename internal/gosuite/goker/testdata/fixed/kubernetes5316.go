// Kubernetes5316 left a request behind that ended after its timeout. Here the
// channels have room for the result.
package main

import (
	"errors"
	"sync"
	"time"
)

func finishRequest(timeout time.Duration, wg *sync.WaitGroup, fn func() error) {
	ch, errCh := make(chan bool, 1), make(chan error, 1)
	wg.Go(func() {
		if err := fn(); err != nil {
			errCh <- err
		} else {
			ch <- true
		}
	})
	select {
	case <-ch:
	case <-errCh:
	case <-time.After(timeout):
	}
}

func main() {
	var wg sync.WaitGroup
	finishRequest(time.Microsecond, &wg, func() error {
		time.Sleep(2 * time.Millisecond)
		return errors.New("late")
	})
	finishRequest(time.Second, &wg, func() error { return nil })
	wg.Wait()
}
