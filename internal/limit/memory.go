// Package limit knows how much memory this process holds, and says when that is too much. It knows nothing of
// what the memory is for: tables of visited states, stacks of searches, the heap of a program and what the
// runtime has not given back yet all count alike.
package limit

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// A Memory watches what the process holds. A nil Memory has no limit.
type Memory struct {
	limit int64
	full  atomic.Bool
	busy  atomic.Bool // garbage is collected
	mu    sync.Mutex  // held meanwhile
	over  chan struct{}
	done  sync.WaitGroup
	spare int64 // what the Go heap was told to keep to
}

// every is how often it looks: a process does not grow by a tenth of a gigabyte in that time.
const every = 5 * time.Millisecond

// Watch begins to watch. A limit of 0 means none.
func Watch(limit int64) *Memory {
	if limit <= 0 {
		return nil
	}
	m := &Memory{limit: limit, over: make(chan struct{})}
	m.done.Go(m.watch)
	return m
}

// Full reports whether the limit is reached. Once it says so it goes on saying so, up to Again. While it is found out
// how much is garbage it does not return, so that no more is allocated by who asks.
func (m *Memory) Full() bool {
	if m == nil {
		return false
	}
	if m.busy.Load() {
		m.mu.Lock()
		defer m.mu.Unlock()
	}
	return m.full.Load()
}

// Again gives back what is not used any more, and looks anew whether the limit is reached.
func (m *Memory) Again() {
	if m == nil {
		return
	}
	m.collect()
}

// collect gives back what is garbage, and looks what is left.
func (m *Memory) collect() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy.Store(true)
	debug.FreeOSMemory()
	m.full.Store(Resident() >= m.enough())
	m.busy.Store(false)
}

// End ends the watching.
func (m *Memory) End() {
	if m != nil {
		close(m.over)
		m.done.Wait()
	}
}

// enough is how much of the limit may be in use. The rest is for garbage, and for what comes after a search:
// between two collections so much has to be allocated at least.
func (m *Memory) enough() int64 { return m.limit - m.limit/8 }

// pace makes the collector keep the Go heap to what others leave of the limit, so that there is less garbage.
func (m *Memory) pace(resident int64) {
	spare := max(m.enough()-(resident-goHeap()), m.limit/8)
	if d := spare - m.spare; d < -m.limit/32 || d > m.limit/32 {
		m.spare = spare
		m.keep(spare)
	}
}

// goHeap returns how many bytes of what the process holds the Go runtime manages.
func goHeap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 || s[1].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

func (m *Memory) watch() {
	tick := time.NewTicker(every)
	defer tick.Stop()
	defer m.keep(0)
	for {
		select {
		case <-m.over:
			return
		case <-tick.C:
		}
		if m.full.Load() {
			continue
		}
		now := Resident()
		m.pace(now)
		switch {
		case now >= m.limit+m.limit/32: // if all of it is garbage, it has come so fast that it comes again
			m.full.Store(true)
		case now >= m.limit-m.limit/32:
			m.collect() // some of it may be garbage
		}
	}
}
