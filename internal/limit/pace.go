package limit

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
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

// Machine returns how much memory there is for this process, 0 if that cannot be known: that of the machine, or what the group of processes
// may take.
func Machine() int64 {
	all := int64(0)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
			if f := strings.Fields(s.Text()); len(f) == 3 && f[0] == "MemTotal:" {
				kib, _ := strconv.ParseInt(f[1], 10, 64)
				all = kib << 10
			}
		}
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(file); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 && (all == 0 || n < all) {
				all = n
			}
		}
	}
	return all
}
