package host

import (
	"errors"
	"io"
	"io/fs"
	"syscall"

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

// errno returns the number of an error.
func errno(err error) linux.Errno {
	if err == nil {
		return 0
	}
	var e syscall.Errno
	if errors.As(err, &e) {
		if e := errnoOf(e); e != 0 {
			return e
		}
	}
	for _, known := range [...]struct {
		err error
		is  linux.Errno
	}{{fs.ErrNotExist, linux.ENOENT}, {fs.ErrExist, linux.EEXIST}, {fs.ErrPermission, linux.EACCES}, {fs.ErrClosed, linux.EBADF}} {
		if errors.Is(err, known.err) {
			return known.is
		}
	}
	return linux.EIO
}
