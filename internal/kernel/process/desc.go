package process

import (
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// maxFDs is the hard limit of descriptors.
const maxFDs = 1 << 20

// A Desc is an open file description: what descriptors that were duplicated
// from each other share.
type Desc struct {
	epoch uint64
	refs  int
	Flags int // as open(2) and F_SETFL give them
	Off   int64
	Names []string // of a directory of the overlay: what getdents goes through
	File  File
	Owner Owner  // see Own
	Who   string // in whose name it was made: see As
}

// Touch prepares a change of an open file.
func (k *Core) Touch(d *Desc) { undo.Save(k.Log, d, &d.epoch) }

// Desc returns the open file of a descriptor.
func (k *Core) Desc(fd int) (*Desc, linux.Errno) {
	s := k.table.fds.at(fd)
	if s == nil {
		return nil, linux.EBADF
	}
	return s.desc, 0
}

// Each calls f for the open descriptors, in the order of their numbers.
func (k *Core) Each(f func(fd int, d *Desc)) {
	k.table.fds.each(func(fd int, s *slot) { f(fd, s.desc) })
}

// OpenFDs lists the open descriptors.
func (k *Core) OpenFDs() (list []int) {
	k.Each(func(fd int, _ *Desc) { list = append(list, fd) })
	return list
}

// install puts an open file into the lowest free slot from min on.
func (k *Core) install(d *Desc, min int, cloexec bool) (int, linux.Errno) {
	fd := k.table.fds.free(min)
	if uint64(fd) >= k.table.noFile && fd < k.FirstFD() {
		return -1, linux.EMFILE
	}
	k.touchTable()
	k.made = true
	k.table.fds.put(fd, slot{desc: d, cloexec: cloexec})
	return fd, 0
}

// Std makes a standard stream the descriptor of its number.
func (k *Core) Std(fd, flags int, f File) {
	k.table.fds.put(fd, slot{desc: &Desc{refs: 1, Flags: flags, File: f}})
}

// Add installs a file that has just been opened. The file is closed again if
// there is no room.
func (k *Core) Add(f File, flags int) (int, linux.Errno) { return k.AddFrom(k.FirstFD(), f, flags) }

// AddFrom is Add for a number of at least min.
func (k *Core) AddFrom(min int, f File, flags int) (int, linux.Errno) {
	fd, e := k.TryFrom(min, f, flags)
	if e != 0 {
		f.Close()
	}
	return fd, e
}

// TryFrom is AddFrom for a file that stays open if there is no room.
func (k *Core) TryFrom(min int, f File, flags int) (int, linux.Errno) {
	return k.install(&Desc{refs: 1, Flags: flags &^ creationFlags, File: f, Who: k.who}, min, flags&linux.O_CLOEXEC != 0)
}

// creationFlags are those of open(2) that F_GETFL does not show.
const creationFlags = linux.O_CREAT | linux.O_EXCL | linux.O_NOCTTY | linux.O_TRUNC | linux.O_CLOEXEC

// Close closes a descriptor.
func (k *Core) Close(fd int) linux.Errno {
	d, e := k.Desc(fd)
	if e != 0 {
		return e
	}
	k.touchTable()
	k.table.fds.clear(fd)
	return k.release(d)
}

// release drops one reference to an open file.
func (k *Core) release(d *Desc) linux.Errno {
	k.Touch(d)
	if d.refs--; d.refs == 0 {
		k.Released(d)
		return d.File.Close()
	}
	return 0
}

// Dup duplicates a descriptor to the lowest free number from min on.
func (k *Core) Dup(fd, min int, cloexec bool) (int, linux.Errno) {
	d, e := k.Desc(fd)
	if e != 0 {
		return -1, e
	}
	if min < 0 || uint64(min) >= k.table.noFile {
		return -1, linux.EINVAL
	}
	n, e := k.install(d, min, cloexec)
	if e == 0 {
		k.Touch(d)
		d.refs++
		k.duplicated(d)
	}
	return n, e
}

// Dup3 duplicates a descriptor to a given number, closing that first. Same
// tells whether the two may be equal, as they may for dup2(2).
func (k *Core) Dup3(fd, to, flags int, same bool) (int, linux.Errno) {
	d, e := k.Desc(fd)
	switch {
	case e != 0:
		return -1, e
	case fd == to && same:
		return to, 0
	case fd == to || flags&^linux.O_CLOEXEC != 0:
		return -1, linux.EINVAL
	case to < 0 || uint64(to) >= k.table.noFile:
		return -1, linux.EBADF
	}
	k.Close(to)
	n, e := k.install(d, to, flags&linux.O_CLOEXEC != 0)
	if e == 0 {
		k.Touch(d)
		d.refs++
		k.duplicated(d)
	}
	return n, e
}

// Fcntl does what fcntl(2) does for the commands that all descriptors know. Locks are
// always granted: there is no other process that could hold one.
func (k *Core) Fcntl(fd, cmd, arg int) (int, linux.Errno) {
	d, e := k.Desc(fd)
	if e != 0 {
		return -1, e
	}
	switch cmd {
	case linux.F_DUPFD:
		return k.Dup(fd, arg, false)
	case linux.F_DUPFD_CLOEXEC:
		return k.Dup(fd, arg, true)
	case linux.F_GETFD:
		if k.table.fds.at(fd).cloexec {
			return linux.FD_CLOEXEC, 0
		}
		return 0, 0
	case linux.F_SETFD:
		k.touchTable()
		k.table.fds.at(fd).cloexec = arg&linux.FD_CLOEXEC != 0
		return 0, 0
	case linux.F_GETFL:
		return d.Flags, 0
	case linux.F_SETFL:
		const settable = linux.O_APPEND | linux.O_NONBLOCK | linux.O_ASYNC | linux.ODirect | linux.O_NOATIME
		k.Touch(d)
		d.Flags = d.Flags&^settable | arg&settable
		return 0, d.File.SetFlags(d.Flags)
	case linux.F_SETLK, linux.F_SETLKW, linux.FOfdSetLk, linux.FOfdSetLkW:
		return 0, 0
	}
	return -1, linux.EINVAL
}

// Flock succeeds on every descriptor: there is no other process.
func (k *Core) Flock(fd int) linux.Errno {
	_, e := k.Desc(fd)
	return e
}

// Blocking reports whether calls on the descriptor wait instead of failing with
// EAGAIN.
func (k *Core) Blocking(fd int) bool {
	d, e := k.Desc(fd)
	return e == 0 && d.Flags&linux.O_NONBLOCK == 0
}
