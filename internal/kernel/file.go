package kernel

import (
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/pipes"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// readable and writable return the open file of a descriptor if it was opened
// for that.
func (k *Kernel) readable(fd int) (*process.Desc, linux.Errno) {
	d, e := k.Desc(fd)
	if e == 0 && (d.Flags&linux.O_ACCMODE == linux.O_WRONLY || d.Flags&linux.OPath != 0) {
		return nil, linux.EBADF
	}
	return d, e
}

func (k *Kernel) writable(fd int) (*process.Desc, linux.Errno) {
	d, e := k.Desc(fd)
	if e == 0 && (d.Flags&linux.O_ACCMODE == linux.O_RDONLY || d.Flags&linux.OPath != 0) {
		return nil, linux.EBADF
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
	return d.File.Read(d, p)
}

// Write writes at the file's offset. Like Read it fails with EAGAIN.
func (k *Kernel) Write(fd int, p []byte) (int, linux.Errno) {
	d, e := k.writable(fd)
	if e != 0 {
		return 0, e
	}
	return d.File.Write(d, p)
}

// isPipe reports whether a descriptor is an end of a pipe.
func (k *Kernel) isPipe(fd int) bool {
	d, e := k.Desc(fd)
	if e != 0 {
		return false
	}
	_, ok := d.File.(*pipes.End)
	return ok
}

// Pread reads at an offset.
func (k *Kernel) Pread(fd int, p []byte, off int64) (int, linux.Errno) {
	if off < 0 {
		return 0, linux.EINVAL
	}
	if k.isPipe(fd) {
		return 0, linux.ESPIPE
	}
	d, e := k.readable(fd)
	if e != 0 {
		return 0, e
	}
	return d.File.Pread(p, off)
}

// Pwrite writes at an offset.
func (k *Kernel) Pwrite(fd int, p []byte, off int64) (int, linux.Errno) {
	if off < 0 {
		return 0, linux.EINVAL
	}
	if k.isPipe(fd) {
		return 0, linux.ESPIPE
	}
	d, e := k.writable(fd)
	if e != 0 {
		return 0, e
	}
	return d.File.Pwrite(d, p, off)
}

// Seek moves the file's offset.
func (k *Kernel) Seek(fd int, off int64, whence int) (int64, linux.Errno) {
	d, e := k.Desc(fd)
	if e != 0 {
		return 0, e
	}
	return d.File.Seek(d, off, whence)
}

// Fstat describes an open file.
func (k *Kernel) Fstat(fd int) (linux.Stat, linux.Errno) {
	d, e := k.Desc(fd)
	if e != 0 {
		return linux.Stat{}, e
	}
	return d.File.Stat()
}

// Getdents reads directory entries, as many records as fit.
func (k *Kernel) Getdents(fd int, p []byte) (int, linux.Errno) {
	d, e := k.Desc(fd)
	if e != 0 {
		return 0, e
	}
	return d.File.Getdents(d, p)
}

// Fchange alters an open file: Chmod, Chown, Times, Truncate or Sync.
func (k *Kernel) Fchange(fd int, c host.Change) linux.Errno {
	d, e := k.Desc(fd)
	switch {
	case e != 0:
		return e
	case c.Op == host.Truncate && c.Size < 0:
		return linux.EINVAL
	case c.Op == host.Truncate && d.Flags&linux.O_ACCMODE == linux.O_RDONLY:
		return linux.EINVAL
	}
	return d.File.Change(c)
}

// Fcntl does what fcntl(2) does for the commands of descriptors.
func (k *Kernel) Fcntl(fd, cmd, arg int) (int, linux.Errno) {
	if cmd == linux.FGetPipeSize {
		return k.pipeSize(fd)
	}
	return k.Core.Fcntl(fd, cmd, arg)
}
