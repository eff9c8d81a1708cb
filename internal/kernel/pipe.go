package kernel

import (
	"syscall"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// pipeCapacity is how many bytes a pipe holds, as on Linux.
const pipeCapacity = 65536

// pipeAtomic is how many bytes are written at once or not at all (PIPE_BUF).
const pipeAtomic = 4096

// A pipe is a bounded queue of bytes.
type pipe struct {
	epoch            uint64
	key              uint64 // waits for it have this key
	ino              uint64
	capacity         int
	buf              []byte
	changed          int64    // when something was written
	readers, writers int      // open ends
	owners           [2]Owner // of the reading and the writing end: see Own
}

// A pipeEnd is an open end of a pipe.
type pipeEnd struct {
	plain
	pipe   *pipe
	writes bool
}

// Pipe2 makes a pipe and returns the descriptors of its reading and its writing
// end.
func (k *Kernel) Pipe2(flags int) (r, w int, e linux.Errno) {
	if flags&^(syscall.O_CLOEXEC|syscall.O_NONBLOCK|linux.ODirect) != 0 {
		return -1, -1, syscall.EINVAL
	}
	k.touchSelf()
	p := &pipe{key: k.self.nextKey, ino: k.self.nextIno, capacity: pipeCapacity, changed: k.FileTime(), readers: 1, writers: 1}
	k.self.nextKey++
	k.self.nextIno++
	r, e = k.add(&pipeEnd{pipe: p}, flags|syscall.O_RDONLY)
	if e != 0 {
		return -1, -1, e
	}
	w, e = k.add(&pipeEnd{pipe: p, writes: true}, flags|syscall.O_WRONLY)
	if e != 0 {
		k.Close(r)
		return -1, -1, e
	}
	return r, w, 0
}

func (f *pipeEnd) read(k *Kernel, d *desc, b []byte) (int, linux.Errno) {
	p := f.pipe
	switch {
	case len(b) == 0:
		return 0, 0
	case len(p.buf) > 0:
		k.touchPipe(p)
		roomy := p.roomy()
		n := copy(b, p.buf)
		p.buf = p.buf[n:]
		events := uint32(0)
		if !roomy && p.roomy() {
			events = linux.EvWrite
		}
		k.wakeFor(p.key, events)
		return n, 0
	case p.writers == 0:
		return 0, 0
	}
	return 0, syscall.EAGAIN
}

func (f *pipeEnd) write(k *Kernel, d *desc, b []byte) (int, linux.Errno) {
	p := f.pipe
	room := p.capacity - len(p.buf)
	switch {
	case len(b) == 0:
		return 0, 0
	case p.readers == 0:
		return 0, syscall.EPIPE
	case room == 0 || len(b) <= pipeAtomic && room < len(b):
		return 0, syscall.EAGAIN
	}
	n := min(room, len(b))
	k.touchPipe(p)
	p.buf = append(p.buf, b[:n]...)
	p.changed = k.FileTime()
	k.wakeFor(p.key, linux.EvRead)
	return n, 0
}

func (f *pipeEnd) stat(*Kernel) (linux.Stat, linux.Errno) {
	t := syscall.NsecToTimespec(f.pipe.changed)
	return linux.Stat{Mode: syscall.S_IFIFO | 0o600, Nlink: 1, Ino: f.pipe.ino, Blksize: 4096, Atim: t, Mtim: t, Ctim: t}, 0
}

func (f *pipeEnd) close(k *Kernel) linux.Errno {
	p := f.pipe
	k.touchPipe(p)
	if f.writes {
		p.writers--
	} else {
		p.readers--
	}
	k.wake(p.key)
	return 0
}

// roomy reports whether who writes does not have to wait.
func (p *pipe) roomy() bool { return p.capacity-len(p.buf) >= pipeAtomic }

func (f *pipeEnd) events(*Kernel) (events uint32) {
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

func (f *pipeEnd) waitKey() uint64 { return f.pipe.key }
