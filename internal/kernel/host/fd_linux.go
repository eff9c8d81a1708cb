package host

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// An FD is an open file of the host, by its descriptor.
type FD int

// retry repeats a call that a signal to our own process has interrupted.
func retry(call func() (int, error)) (int, linux.Errno) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return max(n, 0), errno(err)
		}
	}
}

func (f FD) Read(p []byte) (int, linux.Errno) {
	return retry(func() (int, error) { return unix.Read(int(f), p) })
}

func (f FD) Write(p []byte) (int, linux.Errno) {
	return retry(func() (int, error) { return unix.Write(int(f), p) })
}

func (f FD) ReadAt(p []byte, off int64) (int, linux.Errno) {
	return retry(func() (int, error) { return unix.Pread(int(f), p, off) })
}

func (f FD) WriteAt(p []byte, off int64) (int, linux.Errno) {
	return retry(func() (int, error) { return unix.Pwrite(int(f), p, off) })
}

func (f FD) Lseek(off int64, whence int) (int64, linux.Errno) {
	n, err := unix.Seek(int(f), off, whence)
	return n, errno(err)
}

func (f FD) Stat() (linux.Stat, linux.Errno) {
	var u unix.Stat_t
	err := unix.Fstat(int(f), &u)
	return fromUnix(&u), errno(err)
}

func (f FD) Getdents(p []byte) (int, linux.Errno) {
	return retry(func() (int, error) { return unix.Getdents(int(f), p) })
}

func (f FD) Change(c Change) linux.Errno {
	switch c.Op {
	case Chmod:
		return errno(unix.Fchmod(int(f), c.Mode))
	case Chown:
		return errno(unix.Fchown(int(f), c.UID, c.GID))
	case Truncate:
		return errno(unix.Ftruncate(int(f), c.Size))
	case Sync:
		return errno(unix.Fsync(int(f)))
	case Times:
		return errno(unix.Futimes(int(f), timevals(c)))
	case Flags:
		_, err := unix.FcntlInt(uintptr(f), unix.F_SETFL, hostFlags(int(c.Mode)))
		return errno(err)
	}
	return linux.EINVAL
}

// timevals converts times for an open file, which cannot leave one as it is.
func timevals(c Change) []unix.Timeval {
	return []unix.Timeval{unix.NsecToTimeval(c.Atime), unix.NsecToTimeval(c.Mtime)}
}

func (f FD) Close() linux.Errno { return errno(unix.Close(int(f))) }

// fileOf returns a file that our process has opened.
func fileOf(f *os.File) File { return FD(f.Fd()) }
