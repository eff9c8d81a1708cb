package native

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// System calls on the process, its memory and the clock.

// constant is for calls whose result does not change.
func constant(f func(k *kernel.Kernel) int) handler {
	return func(s *sys) linux.Errno {
		s.r1 = uint64(f(s.k))
		return 0
	}
}

func sysGetgroups(s *sys) linux.Errno {
	groups := s.k.Groups
	s.r1 = uint64(len(groups))
	if s.a[0] == 0 {
		return 0
	}
	if s.int(0) < len(groups) {
		return linux.EINVAL
	}
	b, e := s.outAt(s.a[1], uint64(4*len(groups)))
	for i, g := range groups {
		if e == 0 {
			binary.LittleEndian.PutUint32(b[4*i:], uint32(g))
		}
	}
	return e
}

// sysUname describes the modelled system: six fields of 65 bytes.
func sysUname(s *sys) linux.Errno {
	b, e := s.outAt(s.a[0], 6*65)
	if e != 0 {
		return e
	}
	clear(b)
	for i, text := range []string{"Linux", s.k.Hostname, "6.1.0", "#1 heddle", "x86_64", "(none)"} {
		copy(b[65*i:65*i+64], text)
	}
	return 0
}

func sysExit(s *sys) linux.Errno {
	s.out = s.c.Exit(s.fd(0))
	return 0
}

// kill sends a signal. One whose effect would be to end the process is refused:
// how that looks is a matter between host and parent process.
func (s *sys) kill(pid, sig int) linux.Errno {
	dies, e := s.k.Kill(pid, sig)
	if dies {
		return s.refuse(fmt.Sprintf("signal %d (%v) that ends the process", sig, linux.Signal(sig)))
	}
	return e
}

func sysGetrandom(s *sys) linux.Errno {
	b, e := s.outAt(s.a[0], s.a[1])
	if e == 0 {
		s.k.Random(b)
		s.r1 = uint64(len(b))
	}
	return e
}

// The clocks that programs ask for.
const (
	clockRealtime       = 0
	clockMonotonic      = 1
	clockProcessCPU     = 2
	clockThreadCPU      = 3
	clockMonotonicRaw   = 4
	clockRealtimeCoarse = 5
	clockMonotonicCo    = 6
	clockBoottime       = 7
)

// readClock notes that the program looks at the clock of the system, in a bubble, too.
func (s *sys) readClock() {
	s.c.M.ReadClock()
	if s.c.G.Bubble() != 0 {
		drive.Of(s.c.M).LooksOutside()
	}
}

func sysClockGettime(s *sys) linux.Errno {
	var t int64
	s.readClock()
	switch s.fd(0) {
	case clockRealtime, clockRealtimeCoarse:
		sec, nsec := wallClock(s.c.M)
		t = sec*nanos + nsec
	case clockMonotonic, clockMonotonicRaw, clockMonotonicCo, clockBoottime, clockProcessCPU, clockThreadCPU:
		t = nanotime(s.c.M)
	default:
		return linux.EINVAL
	}
	return s.put(s.a[1], uint64(t/nanos), uint64(t%nanos))
}

func sysGettimeofday(s *sys) linux.Errno {
	s.readClock()
	sec, nsec := wallClock(s.c.M)
	return s.put(s.a[0], uint64(sec), uint64(nsec/1000))
}

// sysNanosleep sleeps for the time at an address; it is never interrupted.
func (s *sys) sleep(addr uint64) linux.Errno {
	if s.c.Resumed("sleep") {
		return 0
	}
	w, e := s.get(addr, 2)
	if e != 0 {
		return e
	}
	sec, nsec := int64(w[0]), int64(w[1])
	if sec < 0 || nsec < 0 || nsec >= nanos {
		return linux.EINVAL
	}
	wake := s.c.M.Now()
	if sec > math.MaxInt64/nanos/2 {
		wake = math.MaxInt64
	} else if wake += sec*nanos + nsec; wake == s.c.M.Now() {
		return 0
	}
	s.c.Park("sleep", 0, wake)
	s.out = vm.Again
	return 0
}

// limit reads and sets a resource limit: that of descriptors is kept, others
// are infinite.
func (s *sys) limit(resource int, set, get uint64) linux.Errno {
	cur, max := ^uint64(0), ^uint64(0)
	if resource == linux.RLIMIT_NOFILE {
		cur, max = s.k.NoFile()
	}
	if get != 0 {
		if e := s.put(get, cur, max); e != 0 {
			return e
		}
	}
	if set == 0 || resource != linux.RLIMIT_NOFILE {
		return 0
	}
	w, e := s.get(set, 2)
	if e != 0 {
		return e
	}
	if w[0] > w[1] {
		return linux.EINVAL
	}
	return s.k.SetNoFile(w[0])
}

// sysGetrusage tells that all time was spent by the program itself.
func sysGetrusage(s *sys) linux.Errno {
	var w [18]uint64
	s.readClock()
	now := nanotime(s.c.M)
	w[0], w[1] = uint64(now/nanos), uint64(now%nanos/1000)
	return s.put(s.a[1], w[:]...)
}

// sysMmap makes an object of the heap. A mapped file is a copy of the file, so
// that a shared mapping is refused if the program could write to the mapping, or
// to the file by the descriptor that is mapped and expect to see it there.
func sysMmap(s *sys) linux.Errno {
	size, prot, flags := s.a[1], s.fd(2), s.fd(3)
	switch {
	case size == 0:
		return linux.EINVAL
	case size > mem.MaxSize:
		return s.refuse(fmt.Sprintf("mapping of %d bytes (mmap): limit is %d", size, mem.MaxSize))
	case flags&linux.MAP_FIXED != 0:
		return linux.ENOMEM
	case prot == linux.PROT_NONE:
		return s.refuse("memory that cannot be read (mmap)")
	}
	var data []byte
	if flags&linux.MAP_ANON == 0 {
		mode, _ := s.k.Fcntl(s.fd(4), linux.F_GETFL, 0)
		if flags&linux.MAP_SHARED != 0 && (prot&linux.PROT_WRITE != 0 || mode&linux.O_ACCMODE == linux.O_RDWR) {
			return s.refuse("shared mapping of a file that can be written (mmap)")
		}
		data = make([]byte, size)
		n, e := s.k.Pread(s.fd(4), data, int64(s.a[5]))
		if e != 0 {
			return e
		}
		data = data[:n]
	}
	p := s.c.M.AllocBytes(int((size + 4095) &^ 4095))
	if p == 0 {
		return linux.ENOMEM
	}
	if b, ok := s.c.M.Heap.WriteBytes(p, uint32(len(data))); ok {
		copy(b, data)
	}
	s.r1 = uint64(p)
	return 0
}

// sysMprotect knows only memory that can be read and written.
func sysMprotect(s *sys) linux.Errno {
	if s.fd(2)&(linux.PROT_READ|linux.PROT_WRITE) != linux.PROT_READ|linux.PROT_WRITE {
		return s.refuse("memory that cannot be read or written (mprotect)")
	}
	return 0
}

func sysYield(s *sys) linux.Errno {
	s.out = vm.Yield
	return 0
}

// refused is for calls that must not fail silently.
func refused(what string) handler {
	return func(s *sys) linux.Errno { return s.refuse(what) }
}

func init() {
	fork := refused("starting a process")
	handle(map[int]handler{
		linux.SYS_GETPID:    constant(func(k *kernel.Kernel) int { return k.Pid }),
		linux.SYS_GETTID:    constant(func(k *kernel.Kernel) int { return k.Pid }),
		linux.SYS_GETPPID:   constant(func(k *kernel.Kernel) int { return k.Ppid }),
		linux.SYS_GETPGRP:   constant(func(k *kernel.Kernel) int { return k.Pid }),
		linux.SYS_GETPGID:   constant(func(k *kernel.Kernel) int { return k.Pid }),
		linux.SYS_GETSID:    constant(func(k *kernel.Kernel) int { return k.Pid }),
		linux.SYS_GETUID:    constant(func(k *kernel.Kernel) int { return k.UID }),
		linux.SYS_GETEUID:   constant(func(k *kernel.Kernel) int { return k.UID }),
		linux.SYS_GETGID:    constant(func(k *kernel.Kernel) int { return k.GID }),
		linux.SYS_GETEGID:   constant(func(k *kernel.Kernel) int { return k.GID }),
		linux.SYS_GETGROUPS: sysGetgroups,
		linux.SYS_UNAME:     sysUname,

		linux.SYS_EXIT:       sysExit,
		linux.SYS_EXIT_GROUP: sysExit,
		linux.SYS_KILL:       func(s *sys) linux.Errno { return s.kill(s.fd(0), s.fd(1)) },
		linux.SYS_TKILL:      func(s *sys) linux.Errno { return s.kill(s.fd(0), s.fd(1)) },
		linux.SYS_TGKILL:     func(s *sys) linux.Errno { return s.kill(s.fd(0), s.fd(2)) },

		linux.SYS_GETRANDOM:       sysGetrandom,
		linux.SYS_CLOCK_GETTIME:   sysClockGettime,
		linux.SYS_CLOCK_GETRES:    func(s *sys) linux.Errno { return s.put(s.a[1], 0, 1) },
		linux.SYS_GETTIMEOFDAY:    sysGettimeofday,
		linux.SYS_NANOSLEEP:       func(s *sys) linux.Errno { return s.sleep(s.a[0]) },
		linux.SYS_CLOCK_NANOSLEEP: sysClockNanosleep,
		linux.SYS_TIME:            sysTime,
		linux.SYS_SCHED_YIELD:     sysYield,

		linux.SYS_PRLIMIT64: func(s *sys) linux.Errno { return s.limit(s.fd(1), s.a[2], s.a[3]) },
		linux.SYS_GETRLIMIT: func(s *sys) linux.Errno { return s.limit(s.fd(0), 0, s.a[1]) },
		linux.SYS_SETRLIMIT: func(s *sys) linux.Errno { return s.limit(s.fd(0), s.a[1], 0) },
		linux.SYS_GETRUSAGE: sysGetrusage,

		linux.SYS_MMAP:     sysMmap,
		linux.SYS_MUNMAP:   succeed, // the collector frees it
		linux.SYS_MADVISE:  succeed,
		linux.SYS_MLOCK:    succeed,
		linux.SYS_MUNLOCK:  succeed,
		linux.SYS_MPROTECT: sysMprotect,
		linux.SYS_MSYNC:    succeed,

		// Package os asks whether these exist and does without.
		linux.SYS_PIDFD_OPEN:        absent,
		linux.SYS_PIDFD_SEND_SIGNAL: absent,

		linux.SYS_WAIT4:  func(*sys) linux.Errno { return linux.ECHILD },
		linux.SYS_WAITID: func(*sys) linux.Errno { return linux.ECHILD },
		linux.SYS_CLONE:  fork,
		linux.SYS_CLONE3: fork,
		linux.SYS_FORK:   fork,
		linux.SYS_VFORK:  fork,
		linux.SYS_EXECVE: fork,
	})
}

// sysClockNanosleep sleeps for a time or until one.
func sysClockNanosleep(s *sys) linux.Errno {
	const absolute = 1
	if s.fd(1)&absolute != 0 {
		return s.refuse("clock_nanosleep until an absolute time")
	}
	return s.sleep(s.a[2])
}

func sysTime(s *sys) linux.Errno {
	s.readClock()
	sec, _ := wallClock(s.c.M)
	s.r1 = uint64(sec)
	if s.a[0] != 0 {
		return s.put(s.a[0], s.r1)
	}
	return 0
}
