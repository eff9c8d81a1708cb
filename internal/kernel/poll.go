package kernel

import (
	"syscall"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A poller is a descriptor that the runtime's network poller watches: the
// kernel half of internal/poll.pollDesc. The epoll instance below it is not
// modelled; what is, is whether a wait would be over.
type poller struct {
	epoch   uint64
	desc    *desc
	closing bool
	rd, wd  int64 // deadlines of reading and writing, 0 for none
}

// What PollCheck answers, as the runtime numbers it.
const (
	PollOK      = 0
	PollClosing = 1 // the descriptor is being closed
	PollTimeout = 2 // the deadline has passed
)

// PollOpen begins to watch a descriptor. Like epoll it refuses regular files,
// directories and devices with EPERM; for those every wait is over at once.
func (k *Kernel) PollOpen(fd int) (id int, e linux.Errno) {
	d, e := k.desc(fd)
	if e != 0 {
		return 0, e
	}
	if _, ok := d.file.(pollable); !ok {
		return 0, syscall.EPERM
	}
	k.touchSelf()
	k.self.fds.at(fd).poller = &poller{epoch: k.epoch, desc: d}
	return fd + 1, 0
}

// poller returns the poll descriptor of an id, or nil. Since it ends before its
// descriptor is closed, the id is that one's number, shifted so that it is not 0.
func (k *Kernel) poller(id int) *poller {
	if s := k.self.fds.at(id - 1); s != nil {
		return s.poller
	}
	return nil
}

// PollClose ends watching.
func (k *Kernel) PollClose(id int) {
	if k.poller(id) != nil {
		k.touchSelf()
		k.self.fds.at(id - 1).poller = nil
	}
}

// PollCheck tells whether waiting for mode ('r' or 'w') is an error: now is the
// time that deadlines are compared with.
func (k *Kernel) PollCheck(id int, mode byte, now int64) int {
	p := k.poller(id)
	switch {
	case p == nil || p.closing:
		return PollClosing
	case mode == 'r' && p.rd != 0 && p.rd <= now, mode == 'w' && p.wd != 0 && p.wd <= now:
		return PollTimeout
	}
	return PollOK
}

// PollReady reports whether the descriptor can be read from or written to.
func (k *Kernel) PollReady(id int, mode byte) bool {
	p := k.poller(id)
	return p == nil || k.ready(p.desc, mode)
}

// PollDeadline returns when waiting for mode ends by itself, 0 for never.
func (k *Kernel) PollDeadline(id int, mode byte) int64 {
	p := k.poller(id)
	switch {
	case p == nil:
		return 0
	case mode == 'w':
		return p.wd
	}
	return p.rd
}

// PollSetDeadline sets the deadline of reading (mode 'r'), writing ('w') or both
// ('r'+'w') to a point in time, or to none if that is 0. Waits are looked at
// again.
func (k *Kernel) PollSetDeadline(id int, t int64, mode int) {
	p := k.poller(id)
	if p == nil {
		return
	}
	k.touchPoller(p)
	if mode == 'r' || mode == 'r'+'w' {
		p.rd = t
	}
	if mode == 'w' || mode == 'r'+'w' {
		p.wd = t
	}
	k.wakeFor(p.desc.key(), 0)
}

// PollUnblock ends all waits because the descriptor is about to be closed.
func (k *Kernel) PollUnblock(id int) {
	if p := k.poller(id); p != nil {
		k.touchPoller(p)
		p.closing = true
		k.wakeFor(p.desc.key(), 0)
	}
}

// PollKey is what a wait of the poll descriptor is known by.
func (k *Kernel) PollKey(id int) uint64 {
	if p := k.poller(id); p != nil {
		return p.desc.key()
	}
	return 0
}

// WaitKey is what a wait on a descriptor is known by, 0 if calls on it never
// have to wait.
func (k *Kernel) WaitKey(fd int) uint64 {
	d, e := k.desc(fd)
	if e != 0 {
		return 0
	}
	return d.key()
}

// key is that of the object behind an open file.
func (d *desc) key() uint64 {
	if f, ok := d.file.(pollable); ok {
		return f.waitKey()
	}
	return 0
}

// Ready reports whether reading ('r') or writing ('w') would not have to wait.
func (k *Kernel) Ready(fd int, mode byte) (bool, linux.Errno) {
	d, e := k.desc(fd)
	if e != 0 {
		return false, e
	}
	return k.ready(d, mode), 0
}
