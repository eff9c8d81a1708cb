package kernel

import "github.com/heddle-mc/heddle/internal/kernel/linux"

// A pollable is a file for which a call may have to wait.
type pollable interface {
	events(k *Kernel) uint32 // those that it has now
	waitKey() uint64         // what a wait for it is known by
}

// eventsOf returns the events of an open file. A file on which no call waits can
// always be read and written.
func (k *Kernel) eventsOf(d *desc) uint32 {
	if f, ok := d.file.(pollable); ok {
		return f.events(k)
	}
	return linux.EvRead | linux.EvWrite
}

// ready reports whether reading ('r') or writing ('w') an open file would not
// have to wait, as Go's runtime understands events.
func (k *Kernel) ready(d *desc, mode byte) bool {
	mask := uint32(linux.EvIn | linux.EvRdHup | linux.EvAlways)
	if mode == 'w' {
		mask = linux.EvOut | linux.EvAlways
	}
	return k.eventsOf(d)&mask != 0
}

// PollEvents returns which of the events that one asks for a descriptor has, as
// poll(2) tells it: those that the program can know of.
func (k *Kernel) PollEvents(fd int, events uint32) uint32 {
	d, e := k.desc(fd)
	if e != 0 {
		return linux.EvNval
	}
	return k.knownEvents(d) & (events | linux.EvAlways)
}

// Sets of events that select(2) asks for.
const (
	SelectRead   = linux.EvRead | linux.EvRdBand | linux.EvHup | linux.EvErr
	SelectWrite  = linux.EvWrite | linux.EvWrBand | linux.EvErr
	SelectExcept = linux.EvPri
)

// SelectEvents reports whether a descriptor has one of some events, as select(2)
// asks for them.
func (k *Kernel) SelectEvents(fd int, events uint32) (bool, linux.Errno) {
	d, e := k.desc(fd)
	return e == 0 && k.knownEvents(d)&events != 0, e
}

// wake notes that waits with the key may be over, whatever for.
func (k *Kernel) wake(key uint64) { k.wakeFor(key, linux.EvAll) }

// wakeFor notes that waits with the key may be over, and that there are new
// events, which epoll tells even if there were such before.
func (k *Kernel) wakeFor(key uint64, events uint32) {
	if key == 0 {
		return
	}
	k.wakes = append(k.wakes, key)
	if k.joined {
		k.abroad = append(k.abroad, key)
	}
	k.news(key, events)
}

// news notes that there are new events, for epoll alone: no wait is over by them.
func (k *Kernel) news(key uint64, events uint32) {
	if events == 0 {
		return
	}
	if !k.joined {
		if len(k.self.epolls) > 0 {
			k.note(key, events)
		}
		return
	}
	for _, p := range k.net.procs { // it may be a socket of another one
		if len(p.self.epolls) > 0 {
			p.note(key, events)
		}
	}
}

// AnyKey is what waits for several things at once are known by: whoever wakes a key
// wakes this one too.
const AnyKey = 1<<32 - 1

// Woken returns the keys whose waits may be over since the last call. The slice
// is good up to the next call of the kernel.
func (k *Kernel) Woken() []uint64 {
	w := k.wakes
	k.wakes = k.wakes[:0]
	return w
}
