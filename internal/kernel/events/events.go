// Package events is how a process waits for files: whose waits may be over, poll and select, epoll, the runtime's own
// poller, and the files that are there to be waited for, eventfd and timerfd.
//
//	a file changes ─► WakeFor(key, events) ─┬─► Woken: waits with that key are looked at again
//	                                        └─► watches of that key, in the lists of epolls
//
// Which files there are it does not know; what a call waits for is a process.Pollable.
package events

import (
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// Waits are those of a process.
type Waits struct {
	*process.Core
	Unordered bool     // any subset of what is ready may be told of, so that it does not matter who was woken first
	wakes     []uint64 // keys of the waits that may be over; see Woken
	group     *together
	watching  watching
}

// watching is what a process can change.
type watching struct {
	epoch  uint64
	epolls []*epoll // those that are open; the slice is replaced, not changed
}

// together is what processes share that run side by side.
type together struct {
	// abroad are the keys of the waits of other processes that may be over, if
	// there are others.
	abroad []uint64
	procs  []*Waits
}

// New makes those of a process that waits for nothing.
func New(core *process.Core) *Waits {
	k := &Waits{Core: core, group: &together{}}
	core.Released = k.released
	return k
}

// touchWatching prepares a change of it.
func (k *Waits) touchWatching() { undo.Save(k.Log, &k.watching, &k.watching.epoch) }

// Join makes the process run beside another one.
func (k *Waits) Join(other *Waits) {
	k.group = other.group
	k.group.procs = append(k.group.procs, k)
}

// Joined reports whether other processes run beside this one.
func (k *Waits) Joined() bool { return len(k.group.procs) > 0 }

// Forget forgets whose waits may be over: the state has gone back.
func (k *Waits) Forget() { k.wakes, k.group.abroad = k.wakes[:0], k.group.abroad[:0] }

// Abroad returns the keys of waits that may be over in other processes than the
// one that moved, and forgets them.
func (k *Waits) Abroad() []uint64 {
	keys := k.group.abroad
	k.group.abroad = keys[:0]
	return keys
}

// Wake notes that waits with the key may be over, whatever for.
func (k *Waits) Wake(key uint64) { k.WakeFor(key, linux.EvAll) }

// WakeFor notes that waits with the key may be over, and that there are new
// events, which epoll tells even if there were such before.
func (k *Waits) WakeFor(key uint64, events uint32) {
	if key == 0 {
		return
	}
	k.wakes = append(k.wakes, key)
	if k.Joined() {
		k.group.abroad = append(k.group.abroad, key)
	}
	k.News(key, events)
}

// News notes that there are new events, for epoll alone: no wait is over by them.
func (k *Waits) News(key uint64, events uint32) {
	if events == 0 {
		return
	}
	if !k.Joined() {
		k.Note(key, events)
		return
	}
	for _, p := range k.group.procs { // it may be a socket of another one
		p.Note(key, events)
	}
}

// HasEpoll reports whether the process has an epoll.
func (k *Waits) HasEpoll() bool { return len(k.watching.epolls) > 0 }

// AnyKey is what waits for several things at once are known by: whoever wakes a key
// wakes this one too.
const AnyKey = 1<<32 - 1

// Woken returns the keys whose waits may be over since the last call. The slice
// is good up to the next call of the kernel.
func (k *Waits) Woken() []uint64 {
	w := k.wakes
	k.wakes = k.wakes[:0]
	return w
}

// readyFor reports whether reading ('r') or writing ('w') an open file would not
// have to wait, as Go's runtime understands events.
func readyFor(d *process.Desc, mode byte) bool {
	mask := uint32(linux.EvIn | linux.EvRdHup | linux.EvAlways)
	if mode == 'w' {
		mask = linux.EvOut | linux.EvAlways
	}
	return d.Events()&mask != 0
}

// PollEvents returns which of the events that one asks for a descriptor has, as
// poll(2) tells it: those that the program can know of.
func (k *Waits) PollEvents(fd int, events uint32) uint32 {
	d, e := k.Desc(fd)
	if e != 0 {
		return linux.EvNval
	}
	return d.Known(d.Events()) & (events | linux.EvAlways)
}

// Sets of events that select(2) asks for.
const (
	SelectRead   = linux.EvRead | linux.EvRdBand | linux.EvHup | linux.EvErr
	SelectWrite  = linux.EvWrite | linux.EvWrBand | linux.EvErr
	SelectExcept = linux.EvPri
)

// SelectEvents reports whether a descriptor has one of some events, as select(2)
// asks for them.
func (k *Waits) SelectEvents(fd int, events uint32) (bool, linux.Errno) {
	d, e := k.Desc(fd)
	return e == 0 && d.Known(d.Events())&events != 0, e
}
