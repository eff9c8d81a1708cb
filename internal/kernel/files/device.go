package files

import (
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// A stream is one of the three standard streams.
type stream struct {
	process.Plain
	k    *System
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

func (s *stream) Read(d *process.Desc, p []byte) (int, linux.Errno) {
	k := s.k
	if k.opt.Through || s.fd != 0 {
		return s.host.Read(p)
	}
	if int(d.Off) == len(k.input.data) && !k.input.eof {
		buf := make([]byte, len(p))
		n, e := s.host.Read(buf)
		if e != 0 {
			return 0, e
		}
		k.input.data = append(k.input.data, buf[:n]...)
		k.input.eof = n == 0 && len(p) > 0
	}
	n := copy(p, k.input.data[d.Off:])
	k.Touch(d)
	d.Off += int64(n)
	return n, 0
}

func (s *stream) Write(d *process.Desc, p []byte) (int, linux.Errno) { return s.host.Write(p) }

func (s *stream) Pread(p []byte, off int64) (int, linux.Errno) {
	return s.host.ReadAt(p, off)
}

func (s *stream) Pwrite(d *process.Desc, p []byte, off int64) (int, linux.Errno) {
	if !s.k.opt.Through {
		return 0, linux.ESPIPE
	}
	return s.host.WriteAt(p, off)
}

func (s *stream) Seek(d *process.Desc, off int64, whence int) (int64, linux.Errno) {
	if !s.k.opt.Through {
		return 0, linux.ESPIPE
	}
	return s.host.Lseek(off, whence)
}

func (s *stream) Stat() (linux.Stat, linux.Errno) { return s.host.Stat() }

func (s *stream) Change(c host.Change) linux.Errno {
	if !s.k.opt.Through {
		return linux.EINVAL
	}
	return s.host.Change(c)
}

// A device is one of the character devices that the kernel models itself.
type device struct {
	process.Plain
	k    *System
	name string
}

// isDevice reports whether the kernel models the device of that name. The
// sources of randomness are always modelled, for the sake of equal runs.
func (k *System) isDevice(name string) bool {
	switch name {
	case "/dev/urandom", "/dev/random":
		return true
	case "/dev/null", "/dev/zero", "/dev/full":
		return !k.opt.Through
	}
	return false
}

func (v *device) Read(d *process.Desc, p []byte) (int, linux.Errno) {
	switch v.name {
	case "/dev/null":
		return 0, 0
	case "/dev/zero", "/dev/full":
		clear(p)
	default:
		v.k.Random(p)
	}
	return len(p), 0
}

func (v *device) Write(d *process.Desc, p []byte) (int, linux.Errno) {
	if v.name == "/dev/full" {
		return 0, linux.ENOSPC
	}
	return len(p), 0
}

func (v *device) Pread(p []byte, off int64) (int, linux.Errno) { return v.Read(nil, p) }

func (v *device) Pwrite(d *process.Desc, p []byte, off int64) (int, linux.Errno) {
	return v.Write(d, p)
}

func (v *device) Seek(*process.Desc, int64, int) (int64, linux.Errno) { return 0, 0 }

func (v *device) Stat() (linux.Stat, linux.Errno) {
	return linux.Stat{Mode: linux.S_IFCHR | 0o666, Nlink: 1, Rdev: 0x100, Ino: uint64(len(v.name)), Blksize: 4096}, 0
}

func (s *stream) AppendKey(w *keys.Writer) { w.Num(uint64(s.fd)) }

func (v *device) AppendKey(w *keys.Writer) { w.Str(v.name) }
