package host

import (
	"errors"
	"io"
	"os"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A hostStream is a standard stream. What it can do besides reading or writing
// depends on whether a file of the host lies behind it.
type hostStream struct {
	fd int
	r  io.Reader
	w  io.Writer
}

// file returns the file of the host behind the stream, if there is one.
func (s *hostStream) file() (File, bool) {
	var f *os.File
	if s.fd == 0 {
		f, _ = s.r.(*os.File)
	} else {
		f, _ = s.w.(*os.File)
	}
	if f == nil {
		return nil, false
	}
	return fileOf(f), true
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
	return 0, linux.ESPIPE
}

func (s *hostStream) WriteAt(p []byte, off int64) (int, linux.Errno) {
	if f, ok := s.file(); ok {
		return f.WriteAt(p, off)
	}
	return 0, linux.ESPIPE
}

func (s *hostStream) Lseek(off int64, whence int) (int64, linux.Errno) {
	if f, ok := s.file(); ok {
		return f.Lseek(off, whence)
	}
	return 0, linux.ESPIPE
}

// Stat describes the host's file, or a pipe if there is none.
func (s *hostStream) Stat() (linux.Stat, linux.Errno) {
	if f, ok := s.file(); ok {
		return f.Stat()
	}
	return linux.Stat{Mode: linux.S_IFIFO | 0o600, Nlink: 1, Ino: uint64(s.fd) + 1, Blksize: 4096}, 0
}

func (s *hostStream) Getdents(p []byte) (int, linux.Errno) { return 0, linux.ENOTDIR }

func (s *hostStream) Change(c Change) linux.Errno {
	if f, ok := s.file(); ok {
		return f.Change(c)
	}
	return linux.EINVAL
}

// Close leaves the host's stream alone: it belongs to our process.
func (s *hostStream) Close() linux.Errno { return 0 }
