// want: violation panic

package main

import "time"

// Who can run may be late by as much as this.
func main() {
	done := make(chan bool)
	go func() { done <- true }()
	select {
	case <-done:
	case <-time.After(99 * time.Millisecond):
		panic("too late")
	}
}
