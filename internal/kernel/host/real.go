package host

import (
	"errors"
	"io"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A Real leads to the real host. Nil streams are empty or discard.
type Real struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Std implements Door.
func (h *Real) Std(fd int) File {
	switch fd {
	case 0:
		return &hostStream{fd: fd, r: h.Stdin}
	case 1:
		return &hostStream{fd: fd, w: h.Stdout}
	}
	return &hostStream{fd: fd, w: h.Stderr}
}

// fdOf returns the descriptor of a directory that this door opened.
func fdOf(dir File) int {
	if f, ok := dir.(FD); ok {
		return int(f)
	}
	return unix.AT_FDCWD
}

// Open implements Door.
func (h *Real) Open(dir File, path string, flags int, mode uint32) (File, linux.Errno) {
	for {
		fd, err := unix.Openat(fdOf(dir), path, flags|unix.O_CLOEXEC|unix.O_NOCTTY, mode)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, errno(err)
		}
		return FD(fd), 0
	}
}

// Stat implements Door.
func (h *Real) Stat(dir File, path string, follow bool) (st linux.Stat, e linux.Errno) {
	flags := 0
	if !follow {
		flags = unix.AT_SYMLINK_NOFOLLOW
	}
	var u unix.Stat_t
	e = errno(unix.Fstatat(fdOf(dir), path, &u, flags))
	return fromUnix(&u), e
}

// fromUnix converts between the two names of one structure.
func fromUnix(u *unix.Stat_t) linux.Stat {
	return linux.Stat{
		Dev: u.Dev, Ino: u.Ino, Nlink: u.Nlink, Mode: u.Mode, Uid: u.Uid, Gid: u.Gid, Rdev: u.Rdev, Size: u.Size,
		Blksize: u.Blksize, Blocks: u.Blocks,
		Atim: syscall.Timespec(u.Atim), Mtim: syscall.Timespec(u.Mtim), Ctim: syscall.Timespec(u.Ctim),
	}
}

// Readlink implements Door.
func (h *Real) Readlink(dir File, path string) (string, linux.Errno) {
	buf := make([]byte, 4096)
	n, err := unix.Readlinkat(fdOf(dir), path, buf)
	if err != nil {
		return "", errno(err)
	}
	return string(buf[:n]), 0
}

// Access implements Door.
func (h *Real) Access(dir File, path string, mode uint32, flags int) linux.Errno {
	return errno(unix.Faccessat(fdOf(dir), path, mode, flags))
}

// Change implements Door.
func (h *Real) Change(c Change) linux.Errno {
	dir, to := fdOf(c.Dir), fdOf(c.ToDir)
	flags := 0
	if c.NoFollow {
		flags = unix.AT_SYMLINK_NOFOLLOW
	}
	switch c.Op {
	case Mkdir:
		return errno(unix.Mkdirat(dir, c.Path, c.Mode))
	case Unlink:
		return errno(unix.Unlinkat(dir, c.Path, 0))
	case Rmdir:
		return errno(unix.Unlinkat(dir, c.Path, unix.AT_REMOVEDIR))
	case Rename:
		return errno(unix.Renameat2(dir, c.Path, to, c.To, uint(c.Flags)))
	case Link:
		return errno(unix.Linkat(dir, c.Path, to, c.To, c.Flags))
	case Symlink:
		return errno(unix.Symlinkat(c.Path, to, c.To))
	case Chmod:
		return errno(unix.Fchmodat(dir, c.Path, c.Mode, flags))
	case Chown:
		return errno(unix.Fchownat(dir, c.Path, c.UID, c.GID, flags))
	case Times:
		return errno(unix.UtimesNanoAt(dir, c.Path, times(c), flags))
	case Mknod:
		return errno(unix.Mknodat(dir, c.Path, c.Mode, 0))
	case Truncate:
		f, e := h.Open(c.Dir, c.Path, unix.O_WRONLY, 0)
		if e != 0 {
			return e
		}
		defer f.Close()
		return f.Change(c)
	}
	return unix.EINVAL
}

// times converts the times of a change for the host.
func times(c Change) []unix.Timespec {
	ts := make([]unix.Timespec, 2)
	for i, t := range []int64{c.Atime, c.Mtime} {
		if t == OmitTime {
			ts[i].Nsec = unix.UTIME_OMIT
		} else {
			ts[i] = unix.NsecToTimespec(t)
		}
	}
	return ts
}

// errno returns the number of a system call's error.
func errno(err error) linux.Errno {
	if err == nil {
		return 0
	}
	var e linux.Errno
	if errors.As(err, &e) {
		return e
	}
	return unix.EIO
}
