// want: verified

package main

import "sync"

var once sync.Once

func main() {
	done := make(chan bool)
	go func() {
		once = sync.Once{} // in the goroutine that uses it
		once.Do(func() {})
		done <- true
	}()
	<-done
}
