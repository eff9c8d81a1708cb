// Moby17176 returned with the lock held when there was nothing to delete. Here it
// is released, and the helper has room for its answer if the timeout is first.
package main

import (
	"sync"
	"time"
)

type devices struct {
	sync.Mutex
	deleted int
}

func (d *devices) cleanup() bool {
	d.Lock()
	defer d.Unlock()
	return d.deleted != 0
}

func main() {
	d := &devices{}
	d.cleanup()
	done := make(chan bool, 1)
	go func() {
		d.Lock()
		defer d.Unlock()
		done <- true
	}()
	select {
	case <-time.After(time.Millisecond):
	case <-done:
	}
}
