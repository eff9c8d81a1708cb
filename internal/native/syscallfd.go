package native

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// System calls on descriptors.

func sysRead(s *sys) linux.Errno {
	b, e := s.outAt(s.a[1], s.a[2])
	if e != 0 {
		return e
	}
	n, e := s.k.Read(s.fd(0), s.cut(b))
	s.r1 = uint64(n)
	return s.wait(s.fd(0), e)
}

func sysWrite(s *sys) linux.Errno {
	b, e := s.in(1, s.a[2])
	if e != 0 {
		return e
	}
	n, e := s.k.Write(s.fd(0), s.cut(b))
	s.r1 = uint64(n)
	return s.wait(s.fd(0), e)
}

func sysPread(s *sys) linux.Errno {
	b, e := s.outAt(s.a[1], s.a[2])
	if e != 0 {
		return e
	}
	n, e := s.k.Pread(s.fd(0), b, int64(s.a[3]))
	s.r1 = uint64(n)
	return e
}

func sysPwrite(s *sys) linux.Errno {
	b, e := s.in(1, s.a[2])
	if e != 0 {
		return e
	}
	n, e := s.k.Pwrite(s.fd(0), b, int64(s.a[3]))
	s.r1 = uint64(n)
	return e
}

// maxParts is how many parts an iovec has at most.
const maxParts = 1024

// A part is an element of an iovec: address and length.
type part struct{ addr, size uint64 }

// parts reads an iovec of n elements.
func (s *sys) parts(addr, n uint64) ([]part, linux.Errno) {
	if n > maxParts {
		return nil, linux.EINVAL
	}
	words, e := s.get(addr, int(2*n))
	if e != 0 {
		return nil, e
	}
	vec := make([]part, n)
	for i := range vec {
		vec[i] = part{words[2*i], words[2*i+1]}
	}
	return vec, 0
}

// gather returns the bytes of all parts in one piece.
func (s *sys) gather(vec []part) (data []byte, e linux.Errno) {
	for _, v := range vec {
		b, e := s.inAt(v.addr, v.size)
		if e != 0 {
			return nil, e
		}
		data = append(data, b...)
	}
	return data, 0
}

// scatter distributes bytes to parts, which are long enough together.
func (s *sys) scatter(vec []part, data []byte) linux.Errno {
	for ; len(data) > 0; vec = vec[1:] {
		b, e := s.outAt(vec[0].addr, min(vec[0].size, uint64(len(data))))
		if e != 0 {
			return e
		}
		data = data[copy(b, data):]
	}
	return 0
}

// room makes a buffer for all parts.
func room(vec []part) []byte {
	const most = 1 << 24 // more than a pipe or connection holds
	n := uint64(0)
	for _, v := range vec {
		n = min(n+min(v.size, most), most)
	}
	return make([]byte, n)
}

func sysReadv(s *sys) linux.Errno {
	vec, e := s.parts(s.a[1], s.a[2])
	if e != 0 {
		return e
	}
	b := room(vec)
	n, e := s.k.Read(s.fd(0), s.cut(b))
	if e != 0 {
		return s.wait(s.fd(0), e)
	}
	s.r1 = uint64(n)
	return s.scatter(vec, b[:n])
}

func sysWritev(s *sys) linux.Errno {
	vec, e := s.parts(s.a[1], s.a[2])
	if e != 0 {
		return e
	}
	b, e := s.gather(vec)
	if e != 0 {
		return e
	}
	n, e := s.k.Write(s.fd(0), s.cut(b))
	s.r1 = uint64(n)
	return s.wait(s.fd(0), e)
}

// sysSendfile copies from a file to a socket. Between other descriptors callers
// fall back on reading and writing.
func sysSendfile(s *sys) linux.Errno {
	out, in := s.fd(0), s.fd(1)
	if !s.k.IsSocket(out) {
		return linux.ENOSYS
	}
	off, e := s.k.Seek(in, 0, 1)
	if e != 0 {
		return linux.EINVAL
	}
	if s.a[2] != 0 {
		w, e := s.get(s.a[2], 1)
		if e != 0 {
			return e
		}
		off = int64(w[0])
	}
	b := room([]part{{size: s.a[3]}})
	n, e := s.k.Pread(in, b, off)
	if e != 0 || n == 0 {
		return e
	}
	if n, e = s.k.Write(out, b[:n]); e != 0 {
		return s.wait(out, e)
	}
	s.r1 = uint64(n)
	if s.a[2] != 0 {
		return s.put(s.a[2], uint64(off+int64(n)))
	}
	_, e = s.k.Seek(in, off+int64(n), 0)
	return e
}

func sysLseek(s *sys) linux.Errno {
	n, e := s.k.Seek(s.fd(0), int64(s.a[1]), s.fd(2))
	s.r1 = uint64(n)
	return e
}

func sysClose(s *sys) linux.Errno {
	s.replaces(s.fd(0))
	return s.k.Close(s.fd(0))
}

// replaces notes if what is behind a descriptor is taken from under the package that keeps
// it.
func (s *sys) replaces(fd int) {
	if s.k.PollKey(fd+1) != 0 && !s.kept() {
		drive.Of(s.c.M).Intruded()
	}
}

func sysDup(s *sys) linux.Errno { return s.fdResult(s.k.Dup(s.fd(0), 0, false)) }

func sysDup2(s *sys) linux.Errno {
	s.replaces(s.fd(1))
	return s.fdResult(s.k.Dup3(s.fd(0), s.fd(1), 0, true))
}

func sysDup3(s *sys) linux.Errno {
	s.replaces(s.fd(1))
	return s.fdResult(s.k.Dup3(s.fd(0), s.fd(1), s.fd(2), false))
}

func sysFcntl(s *sys) linux.Errno { return s.fdResult(s.k.Fcntl(s.fd(0), s.fd(1), s.int(2))) }

// fdResult leaves a small number as the result.
func (s *sys) fdResult(n int, e linux.Errno) linux.Errno {
	s.r1 = uint64(n)
	return e
}

// sysIoctl answers that no descriptor is a terminal. Sockets have requests of
// their own.
func sysIoctl(s *sys) linux.Errno {
	if _, e := s.k.Fstat(s.fd(0)); e != 0 {
		return e
	}
	switch request := s.a[1]; request {
	case linux.TCGETS, linux.TCSETS, linux.TCSETSW, linux.TCSETSF, linux.TIOCGWINSZ, linux.TIOCGPGRP:
	default:
		if s.k.IsSocket(s.fd(0)) {
			return s.refuse(fmt.Sprintf("request %#x to a socket (ioctl)", request))
		}
	}
	return linux.ENOTTY
}

func sysFlock(s *sys) linux.Errno { return s.k.Flock(s.fd(0)) }

func sysPipe(s *sys) linux.Errno { return s.pipe(0) }

func sysPipe2(s *sys) linux.Errno { return s.pipe(s.fd(1)) }

func (s *sys) pipe(flags int) linux.Errno {
	b, e := s.outAt(s.a[0], 8)
	if e != 0 {
		return e
	}
	r, w, e := s.k.Pipe2(flags)
	if e == 0 {
		binary.LittleEndian.PutUint32(b, uint32(r))
		binary.LittleEndian.PutUint32(b[4:], uint32(w))
	}
	return e
}

func sysGetdents(s *sys) linux.Errno {
	b, e := s.outAt(s.a[1], s.a[2])
	if e != 0 {
		return e
	}
	n, e := s.k.Getdents(s.fd(0), b)
	s.r1 = uint64(n)
	return e
}

func sysFstat(s *sys) linux.Errno {
	st, e := s.k.Fstat(s.fd(0))
	return s.putStat(s.a[1], st, e)
}

// putStat writes a stat structure to memory.
func (s *sys) putStat(addr uint64, st linux.Stat, e linux.Errno) linux.Errno {
	if e != 0 {
		return e
	}
	s.tellsStat(&st)
	const size = unsafe.Sizeof(st)
	b, e := s.outAt(addr, uint64(size))
	if e == 0 {
		copy(b, (*[size]byte)(unsafe.Pointer(&st))[:])
	}
	return e
}

func sysFtruncate(s *sys) linux.Errno {
	return s.k.Fchange(s.fd(0), host.Change{Op: host.Truncate, Size: int64(s.a[1])})
}

func sysFsync(s *sys) linux.Errno {
	return s.k.Fchange(s.fd(0), host.Change{Op: host.Sync})
}

func sysFchmod(s *sys) linux.Errno {
	return s.k.Fchange(s.fd(0), host.Change{Op: host.Chmod, Mode: uint32(s.a[1])})
}

func sysFchown(s *sys) linux.Errno {
	return s.k.Fchange(s.fd(0), host.Change{Op: host.Chown, UID: s.fd(1), GID: s.fd(2)})
}

func init() {
	handle(map[int]handler{
		linux.SYS_READ:       sysRead,
		linux.SYS_WRITE:      sysWrite,
		linux.SYS_PREAD64:    sysPread,
		linux.SYS_PWRITE64:   sysPwrite,
		linux.SYS_READV:      sysReadv,
		linux.SYS_WRITEV:     sysWritev,
		linux.SYS_LSEEK:      sysLseek,
		linux.SYS_CLOSE:      sysClose,
		linux.SYS_DUP:        sysDup,
		linux.SYS_DUP2:       sysDup2,
		linux.SYS_DUP3:       sysDup3,
		linux.SYS_FCNTL:      sysFcntl,
		linux.SYS_IOCTL:      sysIoctl,
		linux.SYS_FLOCK:      sysFlock,
		linux.SYS_PIPE:       sysPipe,
		linux.SYS_PIPE2:      sysPipe2,
		linux.SYS_GETDENTS64: sysGetdents,
		linux.SYS_FSTAT:      sysFstat,
		linux.SYS_FTRUNCATE:  sysFtruncate,
		linux.SYS_FSYNC:      sysFsync,
		linux.SYS_FDATASYNC:  sysFsync,
		linux.SYS_FCHMOD:     sysFchmod,
		linux.SYS_FCHOWN:     sysFchown,
		linux.SYS_SENDFILE:   sysSendfile,
		linux.SYS_SYNC:       succeed,
		linux.SYS_FADVISE64:  succeed,

		// Callers fall back on reading and writing.
		linux.SYS_COPY_FILE_RANGE: absent,
		linux.SYS_MEMFD_CREATE:    absent,
		linux.SYS_SPLICE:          func(*sys) linux.Errno { return linux.EINVAL },
	})
}
