package host

import (
	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

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
		fd, err := unix.Openat(fdOf(dir), path, hostFlags(flags)|unix.O_CLOEXEC|unix.O_NOCTTY, mode)
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

// hostFlags are flags of open(2) as this processor has them: a few are others on other processors.
func hostFlags(flags int) int {
	own := flags &^ (linux.O_DIRECTORY | linux.O_NOFOLLOW | linux.ODirect | linux.OLargeFile)
	for _, f := range [...]struct{ model, host int }{{linux.O_DIRECTORY, unix.O_DIRECTORY}, {linux.O_NOFOLLOW, unix.O_NOFOLLOW}, {linux.ODirect, unix.O_DIRECT}} {
		if flags&f.model != 0 {
			own |= f.host
		}
	}
	return own
}

// fromUnix converts what this processor's structure says.
func fromUnix(u *unix.Stat_t) linux.Stat {
	return linux.Stat{
		Dev: uint64(u.Dev), Ino: u.Ino, Nlink: uint64(u.Nlink), Mode: u.Mode, Uid: u.Uid, Gid: u.Gid, Rdev: uint64(u.Rdev), Size: u.Size,
		Blksize: int64(u.Blksize), Blocks: u.Blocks,
		Atim: linux.NsecToTimespec(u.Atim.Nano()), Mtim: linux.NsecToTimespec(u.Mtim.Nano()), Ctim: linux.NsecToTimespec(u.Ctim.Nano()),
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
		f, e := h.Open(c.Dir, c.Path, linux.O_WRONLY, 0)
		if e != 0 {
			return e
		}
		defer f.Close()
		return f.Change(c)
	}
	return linux.EINVAL
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
