package kernel

import (
	"syscall"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// maxFDs is the hard limit of descriptors.
const maxFDs = 1 << 20

// A desc is an open file description: what descriptors that were duplicated
// from each other share.
type desc struct {
	epoch uint64
	refs  int
	flags int // as open(2) and F_SETFL give them
	off   int64
	names []string // of a directory of the overlay: what getdents goes through
	file  file
	owner Owner  // see Own
	who   string // in whose name it was made: see As
}

// desc returns the open file of a descriptor.
func (k *Kernel) desc(fd int) (*desc, linux.Errno) {
	s := k.self.fds.at(fd)
	if s == nil {
		return nil, syscall.EBADF
	}
	return s.desc, 0
}

// install puts an open file into the lowest free slot from min on.
func (k *Kernel) install(d *desc, min int, cloexec bool) (int, linux.Errno) {
	fd := k.self.fds.free(min)
	if uint64(fd) >= k.self.noFile && fd < k.firstFD() {
		return -1, syscall.EMFILE
	}
	k.touchSelf()
	k.outside.made = true
	k.self.fds.put(fd, slot{desc: d, cloexec: cloexec})
	return fd, 0
}

// add installs a file that has just been opened. The file is closed again if
// there is no room.
func (k *Kernel) add(f file, flags int) (int, linux.Errno) { return k.addFrom(k.firstFD(), f, flags) }

// addFrom is add for a number of at least min.
func (k *Kernel) addFrom(min int, f file, flags int) (int, linux.Errno) {
	d := &desc{refs: 1, flags: flags &^ (creationFlags), file: f, who: k.outside.who}
	fd, e := k.install(d, min, flags&syscall.O_CLOEXEC != 0)
	if e != 0 {
		f.close(k)
	}
	return fd, e
}

// creationFlags are those of open(2) that F_GETFL does not show.
const creationFlags = syscall.O_CREAT | syscall.O_EXCL | syscall.O_NOCTTY | syscall.O_TRUNC | syscall.O_CLOEXEC

// Close closes a descriptor.
func (k *Kernel) Close(fd int) linux.Errno {
	d, e := k.desc(fd)
	if e != 0 {
		return e
	}
	k.touchSelf()
	k.self.fds.clear(fd)
	return k.release(d)
}

// release drops one reference to an open file.
func (k *Kernel) release(d *desc) linux.Errno {
	k.touch(d)
	if d.refs--; d.refs == 0 {
		k.released(d)
		return d.file.close(k)
	}
	return 0
}

// Dup duplicates a descriptor to the lowest free number from min on.
func (k *Kernel) Dup(fd, min int, cloexec bool) (int, linux.Errno) {
	d, e := k.desc(fd)
	if e != 0 {
		return -1, e
	}
	if min < 0 || uint64(min) >= k.self.noFile {
		return -1, syscall.EINVAL
	}
	n, e := k.install(d, min, cloexec)
	if e == 0 {
		k.touch(d)
		d.refs++
		k.duplicated(d)
	}
	return n, e
}

// Dup3 duplicates a descriptor to a given number, closing that first. Same
// tells whether the two may be equal, as they may for dup2(2).
func (k *Kernel) Dup3(fd, to, flags int, same bool) (int, linux.Errno) {
	d, e := k.desc(fd)
	switch {
	case e != 0:
		return -1, e
	case fd == to && same:
		return to, 0
	case fd == to || flags&^syscall.O_CLOEXEC != 0:
		return -1, syscall.EINVAL
	case to < 0 || uint64(to) >= k.self.noFile:
		return -1, syscall.EBADF
	}
	k.Close(to)
	n, e := k.install(d, to, flags&syscall.O_CLOEXEC != 0)
	if e == 0 {
		k.touch(d)
		d.refs++
		k.duplicated(d)
	}
	return n, e
}

// Fcntl does what fcntl(2) does for the commands of descriptors. Locks are
// always granted: there is no other process that could hold one.
func (k *Kernel) Fcntl(fd, cmd, arg int) (int, linux.Errno) {
	d, e := k.desc(fd)
	if e != 0 {
		return -1, e
	}
	switch cmd {
	case syscall.F_DUPFD:
		return k.Dup(fd, arg, false)
	case syscall.F_DUPFD_CLOEXEC:
		return k.Dup(fd, arg, true)
	case syscall.F_GETFD:
		if k.self.fds.at(fd).cloexec {
			return syscall.FD_CLOEXEC, 0
		}
		return 0, 0
	case syscall.F_SETFD:
		k.touchSelf()
		k.self.fds.at(fd).cloexec = arg&syscall.FD_CLOEXEC != 0
		return 0, 0
	case syscall.F_GETFL:
		return d.flags, 0
	case syscall.F_SETFL:
		const settable = syscall.O_APPEND | syscall.O_NONBLOCK | syscall.O_ASYNC | linux.ODirect | syscall.O_NOATIME
		k.touch(d)
		d.flags = d.flags&^settable | arg&settable
		return 0, d.file.setFlags(d.flags)
	case linux.FGetPipeSize:
		if p, ok := d.file.(*pipeEnd); ok {
			return p.pipe.capacity, 0
		}
		return -1, syscall.EBADF
	case syscall.F_SETLK, syscall.F_SETLKW, linux.FOfdSetLk, linux.FOfdSetLkW:
		return 0, 0
	}
	return -1, syscall.EINVAL
}

// Flock succeeds on every descriptor: there is no other process.
func (k *Kernel) Flock(fd int) linux.Errno {
	_, e := k.desc(fd)
	return e
}

// Blocking reports whether calls on the descriptor wait instead of failing with
// EAGAIN.
func (k *Kernel) Blocking(fd int) bool {
	d, e := k.desc(fd)
	return e == 0 && d.flags&syscall.O_NONBLOCK == 0
}
