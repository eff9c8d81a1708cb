// want: verified

package main

import "sync"

type shard struct {
	mu sync.Mutex
	n  int
}

var shards struct{ list [2]shard }

var none *struct{ list [3]int }

// A loop over the places of an array does not read it, nor what leads to it.
func main() {
	done := make(chan int)
	go func() {
		for i := range shards.list {
			s := &shards.list[i]
			s.mu.Lock()
			s.n++
			s.mu.Unlock()
		}
		close(done)
	}()
	for i, _ := range shards.list {
		s := &shards.list[i]
		s.mu.Lock()
		s.n++
		s.mu.Unlock()
	}
	<-done
	times, at := 0, 7
	for range none.list {
		times++
	}
	for range [][2]int{}[at] {
		times++
	}
	if times != 5 {
		panic(times)
	}
}
