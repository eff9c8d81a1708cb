// want: verified

package main

import (
	"sync"
)

func main() {
	var once sync.Once
	n := 0
	done := make(chan bool)
	go func() {
		once.Do(func() { n++ })
		done <- true
	}()
	once.Do(func() { n++ })
	<-done
	if n != 1 {
		panic(n)
	}
}
