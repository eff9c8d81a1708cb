// want: verified

package main

import (
	"context"
	"time"
)

// The clock is looked at several times before the timer is set, which makes its time shorter than 100 ms.
func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	done := make(chan bool, 1)
	go func() { done <- true }()
	select {
	case <-done:
	case <-ctx.Done():
		panic("too late")
	}
}
