// Package pipes has pipes: bounded queues of bytes between descriptors of one process.
package pipes

import (
	"github.com/heddle-mc/heddle/internal/kernel/events"
	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// pipeCapacity is how many bytes a pipe holds, as on Linux.
const pipeCapacity = 65536

// pipeAtomic is how many bytes are written at once or not at all (PIPE_BUF).
const pipeAtomic = 4096

// A pipe is a bounded queue of bytes.
type pipe struct {
	k                *events.Waits
	epoch            uint64
	key              uint64 // waits for it have this key
	ino              uint64
	capacity         int
	buf              []byte
	changed          int64            // when something was written
	readers, writers int              // open ends
	owners           [2]process.Owner // of the reading and the writing end: see Own
}

// An End is an open end of a pipe.
type End struct {
	process.Plain
	pipe   *pipe
	writes bool
}

// New makes a pipe and returns the descriptors of its reading and its writing
// end. Flags are those of pipe2(2).
func New(k *events.Waits, flags int) (r, w int, e linux.Errno) {
	if flags&^(linux.O_CLOEXEC|linux.O_NONBLOCK|linux.ODirect) != 0 {
		return -1, -1, linux.EINVAL
	}
	p := &pipe{k: k, key: k.NewKey(), ino: k.NewIno(), capacity: pipeCapacity, changed: k.FileTime(), readers: 1, writers: 1}
	r, e = k.Add(&End{pipe: p}, flags|linux.O_RDONLY)
	if e != 0 {
		return -1, -1, e
	}
	w, e = k.Add(&End{pipe: p, writes: true}, flags|linux.O_WRONLY)
	if e != 0 {
		k.Close(r)
		return -1, -1, e
	}
	return r, w, 0
}

// touch prepares a change of a pipe. Bytes are only ever appended to the
// buffer or cut from its front, so its array can be shared with the copy.
func (p *pipe) touch() { undo.Save(p.k.Log, p, &p.epoch) }

// Capacity is how many bytes the pipe holds.
func (f *End) Capacity() int { return f.pipe.capacity }

func (f *End) Read(d *process.Desc, b []byte) (int, linux.Errno) {
	p := f.pipe
	switch {
	case len(b) == 0:
		return 0, 0
	case len(p.buf) > 0:
		p.touch()
		roomy := p.roomy()
		n := copy(b, p.buf)
		p.buf = p.buf[n:]
		events := uint32(0)
		if !roomy && p.roomy() {
			events = linux.EvWrite
		}
		p.k.WakeFor(p.key, events)
		return n, 0
	case p.writers == 0:
		return 0, 0
	}
	return 0, linux.EAGAIN
}

func (f *End) Write(d *process.Desc, b []byte) (int, linux.Errno) {
	p := f.pipe
	room := p.capacity - len(p.buf)
	switch {
	case len(b) == 0:
		return 0, 0
	case p.readers == 0:
		return 0, linux.EPIPE
	case room == 0 || len(b) <= pipeAtomic && room < len(b):
		return 0, linux.EAGAIN
	}
	n := min(room, len(b))
	p.touch()
	p.buf = append(p.buf, b[:n]...)
	p.changed = p.k.FileTime()
	p.k.WakeFor(p.key, linux.EvRead)
	return n, 0
}

func (f *End) Stat() (linux.Stat, linux.Errno) {
	t := linux.NsecToTimespec(f.pipe.changed)
	return linux.Stat{Mode: linux.S_IFIFO | 0o600, Nlink: 1, Ino: f.pipe.ino, Blksize: 4096, Atim: t, Mtim: t, Ctim: t}, 0
}

func (f *End) Close() linux.Errno {
	p := f.pipe
	p.touch()
	if f.writes {
		p.writers--
	} else {
		p.readers--
	}
	p.k.Wake(p.key)
	return 0
}

// roomy reports whether who writes does not have to wait.
func (p *pipe) roomy() bool { return p.capacity-len(p.buf) >= pipeAtomic }

func (f *End) Events() (events uint32) {
	p := f.pipe
	switch {
	case !f.writes && len(p.buf) > 0:
		events = linux.EvRead
	case f.writes && p.roomy():
		events = linux.EvWrite
	}
	switch {
	case !f.writes && p.writers == 0:
		events |= linux.EvHup
	case f.writes && p.readers == 0:
		events |= linux.EvErr
	}
	return events
}

func (f *End) WaitKey() uint64 { return f.pipe.key }

// Hears reports whether events are those of this end: the two of a pipe have one key.
func (f *End) Hears(events uint32) bool {
	return events == linux.EvAll || f.writes == (events&linux.EvOut != 0)
}

// side is the place of the end's owner.
func (f *End) side() int {
	if f.writes {
		return 1
	}
	return 0
}

func (f *End) SetOwner(o process.Owner) {
	f.pipe.touch()
	f.pipe.owners[f.side()] = o
}

func (f *End) Others(list []process.Owner, near bool) ([]process.Owner, bool) {
	other := f.pipe.owners[1-f.side()]
	if !other.Known() {
		return list, true
	}
	return append(list, other), false
}

func (f *End) AppendKey(w *keys.Writer) {
	p := f.pipe
	w.Flag(f.writes)
	if w.First(p) {
		w.Num(uint64(p.readers), uint64(p.writers), uint64(p.changed))
		w.Str(string(p.buf))
	}
}
