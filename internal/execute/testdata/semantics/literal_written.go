// want: verified
package main

import "sync"

type shared struct {
	mu sync.Mutex
	wg sync.WaitGroup
}

var sh = &shared{}
var out [3]int

// A literal is written through pointers, whoever assigns to its variable.
func main() {
	sh.wg.Add(1)
	go func() { defer sh.wg.Done(); out[2] = 1 }()
	sh.wg.Wait()
	if out[2] != 1 {
		panic(out[2])
	}
}
