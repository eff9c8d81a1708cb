// want: verified

package main

import (
	"sync"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	var mu sync.Mutex
	got := false
	verify.Eventually(func() bool { return got })
	go func() {
		mu.Lock()
		got = true
		mu.Unlock()
	}()
	for {
		mu.Lock()
		mu.Unlock()
	}
}
