package host

import (
	"errors"
	"io"
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
		_, err := unix.FcntlInt(uintptr(f), unix.F_SETFL, int(c.Mode))
		return errno(err)
	}
	return unix.EINVAL
}

// timevals converts times for an open file, which cannot leave one as it is.
func timevals(c Change) []unix.Timeval {
	return []unix.Timeval{unix.NsecToTimeval(c.Atime), unix.NsecToTimeval(c.Mtime)}
}

func (f FD) Close() linux.Errno { return errno(unix.Close(int(f))) }

// A hostStream is a standard stream. What it can do besides reading or writing
// depends on whether a file of the host lies behind it.
type hostStream struct {
	fd int
	r  io.Reader
	w  io.Writer
}

// file returns the descriptor of the host behind the stream, if there is one.
func (s *hostStream) file() (FD, bool) {
	var f *os.File
	if s.fd == 0 {
		f, _ = s.r.(*os.File)
	} else {
		f, _ = s.w.(*os.File)
	}
	if f == nil {
		return 0, false
	}
	return FD(f.Fd()), true
}

func (s *hostStream) Read(p []byte) (int, linux.Errno) {
	if s.r == nil {
		return 0, 0
	}
	n, err := s.r.Read(p)
	if n > 0 || err == nil || errors.Is(err, io.EOF) {
		return n, 0
	}
	return 0, errno(err)
}

func (s *hostStream) Write(p []byte) (int, linux.Errno) {
	if s.w == nil {
		return len(p), 0
	}
	n, err := s.w.Write(p)
	if n > 0 && n < len(p) {
		return n, 0 // the next write will tell why
	}
	return n, errno(err)
}

func (s *hostStream) ReadAt(p []byte, off int64) (int, linux.Errno) {
	if f, ok := s.file(); ok {
		return f.ReadAt(p, off)
	}
	return 0, unix.ESPIPE
}

func (s *hostStream) WriteAt(p []byte, off int64) (int, linux.Errno) {
	if f, ok := s.file(); ok {
		return f.WriteAt(p, off)
	}
	return 0, unix.ESPIPE
}

func (s *hostStream) Lseek(off int64, whence int) (int64, linux.Errno) {
	if f, ok := s.file(); ok {
		return f.Lseek(off, whence)
	}
	return 0, unix.ESPIPE
}

// Stat describes the host's file, or a pipe if there is none.
func (s *hostStream) Stat() (linux.Stat, linux.Errno) {
	if f, ok := s.file(); ok {
		return f.Stat()
	}
	return linux.Stat{Mode: unix.S_IFIFO | 0o600, Nlink: 1, Ino: uint64(s.fd) + 1, Blksize: 4096}, 0
}

func (s *hostStream) Getdents(p []byte) (int, linux.Errno) { return 0, unix.ENOTDIR }

func (s *hostStream) Change(c Change) linux.Errno {
	if f, ok := s.file(); ok {
		return f.Change(c)
	}
	return unix.EINVAL
}

// Close leaves the host's stream alone: it belongs to our process.
func (s *hostStream) Close() linux.Errno { return 0 }
