// want: verified
// flags: -livelock

package main

import (
	"math/rand"
	"sync/atomic"
)

func main() {
	var n atomic.Int32
	go n.Add(1)
	for rand.Intn(3) != 0 || n.Load() == 0 {
	}
}
