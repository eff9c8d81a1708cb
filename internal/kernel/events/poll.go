package events

import (
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// What PollCheck answers, as the runtime numbers it.
const (
	PollOK      = 0
	PollClosing = 1 // the descriptor is being closed
	PollTimeout = 2 // the deadline has passed
)

// PollOpen begins to watch a descriptor. Like epoll it refuses regular files,
// directories and devices with EPERM; for those every wait is over at once.
func (k *Waits) PollOpen(fd int) (id int, e linux.Errno) {
	d, e := k.Desc(fd)
	if e != 0 {
		return 0, e
	}
	if _, ok := d.File.(process.Pollable); !ok {
		return 0, linux.EPERM
	}
	k.SetPoller(fd, true)
	return fd + 1, 0
}

// poller returns the poll descriptor of an id, or nil. Since it ends before its
// descriptor is closed, the id is that one's number, shifted so that it is not 0.
func (k *Waits) poller(id int) *process.Poller {
	return k.PollerOf(id - 1)
}

// PollClose ends watching.
func (k *Waits) PollClose(id int) {
	if k.poller(id) != nil {
		k.SetPoller(id-1, false)
	}
}

// PollCheck tells whether waiting for mode ('r' or 'w') is an error: now is the
// time that deadlines are compared with.
func (k *Waits) PollCheck(id int, mode byte, now int64) int {
	p := k.poller(id)
	switch {
	case p == nil || p.Closing:
		return PollClosing
	case mode == 'r' && p.ReadBy != 0 && p.ReadBy <= now, mode == 'w' && p.WriteBy != 0 && p.WriteBy <= now:
		return PollTimeout
	}
	return PollOK
}

// PollReady reports whether the descriptor can be read from or written to.
func (k *Waits) PollReady(id int, mode byte) bool {
	p := k.poller(id)
	return p == nil || readyFor(p.Desc, mode)
}

// PollDeadline returns when waiting for mode ends by itself, 0 for never.
func (k *Waits) PollDeadline(id int, mode byte) int64 {
	p := k.poller(id)
	switch {
	case p == nil:
		return 0
	case mode == 'w':
		return p.WriteBy
	}
	return p.ReadBy
}

// PollSetDeadline sets the deadline of reading (mode 'r'), writing ('w') or both
// ('r'+'w') to a point in time, or to none if that is 0. Waits are looked at
// again.
func (k *Waits) PollSetDeadline(id int, t int64, mode int) {
	p := k.poller(id)
	if p == nil {
		return
	}
	k.TouchPoller(p)
	if mode == 'r' || mode == 'r'+'w' {
		p.ReadBy = t
	}
	if mode == 'w' || mode == 'r'+'w' {
		p.WriteBy = t
	}
	k.WakeFor(p.Desc.Key(), 0)
}

// PollUnblock ends all waits because the descriptor is about to be closed.
func (k *Waits) PollUnblock(id int) {
	if p := k.poller(id); p != nil {
		k.TouchPoller(p)
		p.Closing = true
		k.WakeFor(p.Desc.Key(), 0)
	}
}

// PollKey is what a wait of the poll descriptor is known by.
func (k *Waits) PollKey(id int) uint64 {
	if p := k.poller(id); p != nil {
		return p.Desc.Key()
	}
	return 0
}

// WaitKey is what a wait on a descriptor is known by, 0 if calls on it never
// have to wait.
func (k *Waits) WaitKey(fd int) uint64 {
	d, e := k.Desc(fd)
	if e != 0 {
		return 0
	}
	return d.Key()
}

// Ready reports whether reading ('r') or writing ('w') would not have to wait.
func (k *Waits) Ready(fd int, mode byte) (bool, linux.Errno) {
	d, e := k.Desc(fd)
	if e != 0 {
		return false, e
	}
	return readyFor(d, mode), 0
}
