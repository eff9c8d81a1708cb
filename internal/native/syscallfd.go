package native

import (
	"encoding/binary"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/kernel"
)

// System calls on descriptors.

func sysRead(s *sys) kernel.Errno {
	b, e := s.outAt(s.a[1], s.a[2])
	if e != 0 {
		return e
	}
	n, e := s.k.Read(s.fd(0), b)
	s.r1 = uint64(n)
	return s.wait(s.fd(0), e)
}

func sysWrite(s *sys) kernel.Errno {
	b, e := s.in(1, s.a[2])
	if e != 0 {
		return e
	}
	n, e := s.k.Write(s.fd(0), b)
	s.r1 = uint64(n)
	return s.wait(s.fd(0), e)
}

func sysPread(s *sys) kernel.Errno {
	b, e := s.outAt(s.a[1], s.a[2])
	if e != 0 {
		return e
	}
	n, e := s.k.Pread(s.fd(0), b, int64(s.a[3]))
	s.r1 = uint64(n)
	return e
}

func sysPwrite(s *sys) kernel.Errno {
	b, e := s.in(1, s.a[2])
	if e != 0 {
		return e
	}
	n, e := s.k.Pwrite(s.fd(0), b, int64(s.a[3]))
	s.r1 = uint64(n)
	return e
}

// vectored reads or writes the parts of an iovec one after the other, up to the
// first that is not done in full.
func vectored(do func(s *sys, addr, n uint64) (int, kernel.Errno)) handler {
	return func(s *sys) kernel.Errno {
		if s.a[2] > 1024 {
			return syscall.EINVAL
		}
		vec, e := s.get(s.a[1], int(2*s.a[2]))
		if e != 0 {
			return e
		}
		for i := 0; i < len(vec); i += 2 {
			n, e := do(s, vec[i], vec[i+1])
			s.r1 += uint64(n)
			if e != 0 && s.r1 == 0 {
				return s.wait(s.fd(0), e)
			}
			if e != 0 || uint64(n) < vec[i+1] {
				break
			}
		}
		return 0
	}
}

func readPart(s *sys, addr, n uint64) (int, kernel.Errno) {
	b, e := s.outAt(addr, n)
	if e != 0 {
		return 0, e
	}
	return s.k.Read(s.fd(0), b)
}

func writePart(s *sys, addr, n uint64) (int, kernel.Errno) {
	b, e := s.inAt(addr, n)
	if e != 0 {
		return 0, e
	}
	return s.k.Write(s.fd(0), b)
}

func sysLseek(s *sys) kernel.Errno {
	n, e := s.k.Seek(s.fd(0), int64(s.a[1]), s.fd(2))
	s.r1 = uint64(n)
	return e
}

func sysClose(s *sys) kernel.Errno { return s.k.Close(s.fd(0)) }

func sysDup(s *sys) kernel.Errno { return s.fdResult(s.k.Dup(s.fd(0), 0, false)) }

func sysDup2(s *sys) kernel.Errno { return s.fdResult(s.k.Dup3(s.fd(0), s.fd(1), 0, true)) }

func sysDup3(s *sys) kernel.Errno { return s.fdResult(s.k.Dup3(s.fd(0), s.fd(1), s.fd(2), false)) }

func sysFcntl(s *sys) kernel.Errno { return s.fdResult(s.k.Fcntl(s.fd(0), s.fd(1), s.int(2))) }

// fdResult leaves a small number as the result.
func (s *sys) fdResult(n int, e kernel.Errno) kernel.Errno {
	s.r1 = uint64(n)
	return e
}

// sysIoctl answers that no descriptor is a terminal.
func sysIoctl(s *sys) kernel.Errno {
	if _, e := s.k.Fstat(s.fd(0)); e != 0 {
		return e
	}
	return syscall.ENOTTY
}

func sysFlock(s *sys) kernel.Errno { return s.k.Flock(s.fd(0)) }

func sysPipe(s *sys) kernel.Errno { return s.pipe(0) }

func sysPipe2(s *sys) kernel.Errno { return s.pipe(s.fd(1)) }

func (s *sys) pipe(flags int) kernel.Errno {
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

func sysGetdents(s *sys) kernel.Errno {
	b, e := s.outAt(s.a[1], s.a[2])
	if e != 0 {
		return e
	}
	n, e := s.k.Getdents(s.fd(0), b)
	s.r1 = uint64(n)
	return e
}

func sysFstat(s *sys) kernel.Errno {
	st, e := s.k.Fstat(s.fd(0))
	return s.putStat(s.a[1], st, e)
}

// putStat writes a stat structure to memory.
func (s *sys) putStat(addr uint64, st kernel.Stat, e kernel.Errno) kernel.Errno {
	if e != 0 {
		return e
	}
	const size = unsafe.Sizeof(st)
	b, e := s.outAt(addr, uint64(size))
	if e == 0 {
		copy(b, (*[size]byte)(unsafe.Pointer(&st))[:])
	}
	return e
}

func sysFtruncate(s *sys) kernel.Errno {
	return s.k.Fchange(s.fd(0), kernel.Change{Op: kernel.Truncate, Size: int64(s.a[1])})
}

func sysFsync(s *sys) kernel.Errno {
	return s.k.Fchange(s.fd(0), kernel.Change{Op: kernel.Sync})
}

func sysFchmod(s *sys) kernel.Errno {
	return s.k.Fchange(s.fd(0), kernel.Change{Op: kernel.Chmod, Mode: uint32(s.a[1])})
}

func sysFchown(s *sys) kernel.Errno {
	return s.k.Fchange(s.fd(0), kernel.Change{Op: kernel.Chown, UID: s.fd(1), GID: s.fd(2)})
}

func init() {
	handle(map[int]handler{
		unix.SYS_READ:       sysRead,
		unix.SYS_WRITE:      sysWrite,
		unix.SYS_PREAD64:    sysPread,
		unix.SYS_PWRITE64:   sysPwrite,
		unix.SYS_READV:      vectored(readPart),
		unix.SYS_WRITEV:     vectored(writePart),
		unix.SYS_LSEEK:      sysLseek,
		unix.SYS_CLOSE:      sysClose,
		unix.SYS_DUP:        sysDup,
		unix.SYS_DUP2:       sysDup2,
		unix.SYS_DUP3:       sysDup3,
		unix.SYS_FCNTL:      sysFcntl,
		unix.SYS_IOCTL:      sysIoctl,
		unix.SYS_FLOCK:      sysFlock,
		unix.SYS_PIPE:       sysPipe,
		unix.SYS_PIPE2:      sysPipe2,
		unix.SYS_GETDENTS64: sysGetdents,
		unix.SYS_FSTAT:      sysFstat,
		unix.SYS_FTRUNCATE:  sysFtruncate,
		unix.SYS_FSYNC:      sysFsync,
		unix.SYS_FDATASYNC:  sysFsync,
		unix.SYS_FCHMOD:     sysFchmod,
		unix.SYS_FCHOWN:     sysFchown,
		unix.SYS_SYNC:       succeed,
		unix.SYS_FADVISE64:  succeed,

		// Callers fall back on reading and writing.
		unix.SYS_COPY_FILE_RANGE: absent,
		unix.SYS_SENDFILE:        absent,
		unix.SYS_SPLICE:          absent,
		unix.SYS_MEMFD_CREATE:    absent,
	})
}
