// want: verified

package main

import "time"

// A timer fires after its moment, never at it, so that nobody has to be late by more than 100 ms for one of 100 ms.
func main() {
	done := make(chan bool)
	go func() { done <- true }()
	select {
	case <-done:
	case <-time.After(100 * time.Millisecond):
		panic("too late")
	}
}
