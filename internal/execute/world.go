package execute

import (
	"sync"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A World is what lies outside of the machine: peers, behind a cache. All systems
// of one check share it, each with stream pointers of its own.
type World struct {
	Cache *iocache.Cache
	Peers []sockets.Peer
	Modes iocache.Modes

	mu     sync.Mutex
	failed error    // see Failed
	where  *vm.Exit // the end of the path on which it was met
}

// outside is the world as one process sees it.
func (w *World) outside() sockets.Outside {
	return sockets.Outside{Session: w.Cache.NewSession(), Peers: w.Peers}
}

// Failed returns the first error of a peer that a search has come to, nil if there
// is none.
func (w *World) Failed() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

// Settle waits until all peers have come to rest, and returns the error of one that has
// failed since a search last needed an answer. It is then what Failed returns.
func (w *World) Settle() error {
	if w == nil {
		return nil
	}
	err := w.Cache.Settle()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil {
		w.failed = err
	}
	return err
}

// met notes that a search has come to where it cannot go on, and returns why. If a
// peer was the cause, all that comes after the first such place says no more: the
// peer stays as it is.
func (w *World) met(e *vm.Exit) error {
	if w == nil || !w.Cache.Caused(e.Cause) {
		return e.Cause
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil {
		w.failed, w.where = e.Cause, e
	}
	if w.where != e {
		return ErrAfter
	}
	return e.Cause
}

// ErrAfter is why a path is not followed after a peer has failed.
var ErrAfter error = diag.Incompletef("a peer has failed before")
