// want: verified

package main

import (
	"sync"
)

func main() {
	var m sync.Map
	done := make(chan bool)
	go func() {
		m.Store(1, 1)
		done <- true
	}()
	m.Store(2, 2)
	<-done
	if _, ok := m.Load(1); !ok {
		panic("lost")
	}
}
