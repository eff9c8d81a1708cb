package session

import "sync"

// A partnerLock is a mutex that a goroutine may lock several times.
type partnerLock struct {
	mu   sync.Mutex
	held bool // for properties
}

// A holder is a goroutine's way to the lock. It counts how often the goroutine has
// locked it.
type holder struct {
	*partnerLock
	count int
}

func (h *holder) lock() {
	if h.count == 0 {
		h.mu.Lock()
		h.held = true
	}
	h.count++
	h.demandFewLocks()
}

func (h *holder) unlock() {
	h.count--
	if h.count == 0 {
		h.held = false
		h.mu.Unlock()
	}
}
