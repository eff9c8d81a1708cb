package limit

import (
	"math"
	"runtime/debug"
	"sync"
)

// heap is what the Go heap is told to keep to: the least of what those want who watch.
var heap struct {
	mu     sync.Mutex
	wanted map[*Memory]int64
	before int64 // what it was told when nobody watched
}

// keep tells the Go heap what one of those wants who watch; 0 if it wants nothing any more.
func (m *Memory) keep(bytes int64) {
	heap.mu.Lock()
	defer heap.mu.Unlock()
	if len(heap.wanted) == 0 {
		heap.wanted = map[*Memory]int64{}
		heap.before = debug.SetMemoryLimit(-1)
	}
	if heap.wanted[m] = bytes; bytes == 0 {
		delete(heap.wanted, m)
	}
	least := int64(math.MaxInt64)
	for _, n := range heap.wanted {
		least = min(least, n)
	}
	if len(heap.wanted) == 0 {
		least = heap.before
	}
	debug.SetMemoryLimit(least)
}
