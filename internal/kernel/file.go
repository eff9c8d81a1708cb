package kernel

import (
	"syscall"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A file is what an open file description refers to.
type file interface {
	read(k *Kernel, d *desc, p []byte) (int, linux.Errno)
	write(k *Kernel, d *desc, p []byte) (int, linux.Errno)
	pread(k *Kernel, p []byte, off int64) (int, linux.Errno)
	pwrite(k *Kernel, d *desc, p []byte, off int64) (int, linux.Errno)
	seek(k *Kernel, d *desc, off int64, whence int) (int64, linux.Errno)
	stat(k *Kernel) (linux.Stat, linux.Errno)
	getdents(k *Kernel, d *desc, p []byte) (int, linux.Errno)
	change(k *Kernel, c host.Change) linux.Errno
	setFlags(flags int) linux.Errno
	close(k *Kernel) linux.Errno
}

// plain has what most files answer to the calls that are not for them.
type plain struct{}

func (plain) read(*Kernel, *desc, []byte) (int, linux.Errno)          { return 0, syscall.EINVAL }
func (plain) write(*Kernel, *desc, []byte) (int, linux.Errno)         { return 0, syscall.EINVAL }
func (plain) pread(*Kernel, []byte, int64) (int, linux.Errno)         { return 0, syscall.ESPIPE }
func (plain) pwrite(*Kernel, *desc, []byte, int64) (int, linux.Errno) { return 0, syscall.ESPIPE }
func (plain) seek(*Kernel, *desc, int64, int) (int64, linux.Errno)    { return 0, syscall.ESPIPE }
func (plain) getdents(*Kernel, *desc, []byte) (int, linux.Errno)      { return 0, syscall.ENOTDIR }
func (plain) change(*Kernel, host.Change) linux.Errno                 { return syscall.EINVAL }
func (plain) setFlags(int) linux.Errno                                { return 0 }
func (plain) close(*Kernel) linux.Errno                               { return 0 }

// readable and writable return the open file of a descriptor if it was opened
// for that.
func (k *Kernel) readable(fd int) (*desc, linux.Errno) {
	d, e := k.desc(fd)
	if e == 0 && (d.flags&syscall.O_ACCMODE == syscall.O_WRONLY || d.flags&linux.OPath != 0) {
		return nil, syscall.EBADF
	}
	return d, e
}

func (k *Kernel) writable(fd int) (*desc, linux.Errno) {
	d, e := k.desc(fd)
	if e == 0 && (d.flags&syscall.O_ACCMODE == syscall.O_RDONLY || d.flags&linux.OPath != 0) {
		return nil, syscall.EBADF
	}
	return d, e
}

// Read reads at the file's offset. It fails with EAGAIN if it would have to
// wait; the caller waits on the key of the descriptor if that is blocking.
func (k *Kernel) Read(fd int, p []byte) (int, linux.Errno) {
	d, e := k.readable(fd)
	if e != 0 {
		return 0, e
	}
	return d.file.read(k, d, p)
}

// Write writes at the file's offset. Like Read it fails with EAGAIN.
func (k *Kernel) Write(fd int, p []byte) (int, linux.Errno) {
	d, e := k.writable(fd)
	if e != 0 {
		return 0, e
	}
	return d.file.write(k, d, p)
}

// isPipe reports whether a descriptor is an end of a pipe.
func (k *Kernel) isPipe(fd int) bool {
	d, e := k.desc(fd)
	if e != 0 {
		return false
	}
	_, ok := d.file.(*pipeEnd)
	return ok
}

// Pread reads at an offset.
func (k *Kernel) Pread(fd int, p []byte, off int64) (int, linux.Errno) {
	if off < 0 {
		return 0, syscall.EINVAL
	}
	if k.isPipe(fd) {
		return 0, syscall.ESPIPE
	}
	d, e := k.readable(fd)
	if e != 0 {
		return 0, e
	}
	return d.file.pread(k, p, off)
}

// Pwrite writes at an offset.
func (k *Kernel) Pwrite(fd int, p []byte, off int64) (int, linux.Errno) {
	if off < 0 {
		return 0, syscall.EINVAL
	}
	if k.isPipe(fd) {
		return 0, syscall.ESPIPE
	}
	d, e := k.writable(fd)
	if e != 0 {
		return 0, e
	}
	return d.file.pwrite(k, d, p, off)
}

// Seek moves the file's offset.
func (k *Kernel) Seek(fd int, off int64, whence int) (int64, linux.Errno) {
	d, e := k.desc(fd)
	if e != 0 {
		return 0, e
	}
	return d.file.seek(k, d, off, whence)
}

// Fstat describes an open file.
func (k *Kernel) Fstat(fd int) (linux.Stat, linux.Errno) {
	d, e := k.desc(fd)
	if e != 0 {
		return linux.Stat{}, e
	}
	return d.file.stat(k)
}

// Getdents reads directory entries, as many records as fit.
func (k *Kernel) Getdents(fd int, p []byte) (int, linux.Errno) {
	d, e := k.desc(fd)
	if e != 0 {
		return 0, e
	}
	return d.file.getdents(k, d, p)
}

// Fchange alters an open file: Chmod, Chown, Times, Truncate or Sync.
func (k *Kernel) Fchange(fd int, c host.Change) linux.Errno {
	d, e := k.desc(fd)
	switch {
	case e != 0:
		return e
	case c.Op == host.Truncate && c.Size < 0:
		return syscall.EINVAL
	case c.Op == host.Truncate && d.flags&syscall.O_ACCMODE == syscall.O_RDONLY:
		return syscall.EINVAL
	}
	return d.file.change(k, c)
}

// A stream is one of the three standard streams.
type stream struct {
	plain
	fd   int
	host host.File
}

// An inputLog holds what was read of standard input, so that a program that is
// taken back reads the same bytes again. How far it has read is the offset of
// the open file.
type inputLog struct {
	data []byte
	eof  bool
}

func (s *stream) read(k *Kernel, d *desc, p []byte) (int, linux.Errno) {
	if k.Through || s.fd != 0 {
		return s.host.Read(p)
	}
	if int(d.off) == len(k.input.data) && !k.input.eof {
		buf := make([]byte, len(p))
		n, e := s.host.Read(buf)
		if e != 0 {
			return 0, e
		}
		k.input.data = append(k.input.data, buf[:n]...)
		k.input.eof = n == 0 && len(p) > 0
	}
	n := copy(p, k.input.data[d.off:])
	k.touch(d)
	d.off += int64(n)
	return n, 0
}

func (s *stream) write(k *Kernel, d *desc, p []byte) (int, linux.Errno) { return s.host.Write(p) }

func (s *stream) pread(k *Kernel, p []byte, off int64) (int, linux.Errno) {
	return s.host.ReadAt(p, off)
}

func (s *stream) pwrite(k *Kernel, d *desc, p []byte, off int64) (int, linux.Errno) {
	if !k.Through {
		return 0, syscall.ESPIPE
	}
	return s.host.WriteAt(p, off)
}

func (s *stream) seek(k *Kernel, d *desc, off int64, whence int) (int64, linux.Errno) {
	if !k.Through {
		return 0, syscall.ESPIPE
	}
	return s.host.Lseek(off, whence)
}

func (s *stream) stat(k *Kernel) (linux.Stat, linux.Errno) { return s.host.Stat() }

func (s *stream) change(k *Kernel, c host.Change) linux.Errno {
	if !k.Through {
		return syscall.EINVAL
	}
	return s.host.Change(c)
}

// A device is one of the character devices that the kernel models itself.
type device struct {
	plain
	name string
}

// isDevice reports whether the kernel models the device of that name. The
// sources of randomness are always modelled, for the sake of equal runs.
func (k *Kernel) isDevice(name string) bool {
	switch name {
	case "/dev/urandom", "/dev/random":
		return true
	case "/dev/null", "/dev/zero", "/dev/full":
		return !k.Through
	}
	return false
}

func (v *device) read(k *Kernel, d *desc, p []byte) (int, linux.Errno) {
	switch v.name {
	case "/dev/null":
		return 0, 0
	case "/dev/zero", "/dev/full":
		clear(p)
	default:
		k.Random(p)
	}
	return len(p), 0
}

func (v *device) write(k *Kernel, d *desc, p []byte) (int, linux.Errno) {
	if v.name == "/dev/full" {
		return 0, syscall.ENOSPC
	}
	return len(p), 0
}

func (v *device) pread(k *Kernel, p []byte, off int64) (int, linux.Errno) { return v.read(k, nil, p) }

func (v *device) pwrite(k *Kernel, d *desc, p []byte, off int64) (int, linux.Errno) {
	return v.write(k, d, p)
}

func (v *device) seek(*Kernel, *desc, int64, int) (int64, linux.Errno) { return 0, 0 }

func (v *device) stat(*Kernel) (linux.Stat, linux.Errno) {
	return linux.Stat{Mode: syscall.S_IFCHR | 0o666, Nlink: 1, Rdev: 0x100, Ino: uint64(len(v.name)), Blksize: 4096}, 0
}
