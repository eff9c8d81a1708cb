package native

import (
	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// System calls that a program makes itself, on numbers that it keeps wherever it
// likes. Which goroutines make calls on a number is noted, and a search may take it for
// granted: see vm/users.go.

// firstArgument are calls on the one descriptor that is their first argument.
var firstArgument = setOf(
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_PWRITE64, unix.SYS_LSEEK,
	unix.SYS_RECVFROM, unix.SYS_RECVMSG, unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
	unix.SYS_SHUTDOWN, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_CONNECT, unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME,
	unix.SYS_SETSOCKOPT, unix.SYS_GETSOCKOPT, unix.SYS_FCNTL, unix.SYS_CLOSE, unix.SYS_FSTAT, unix.SYS_DUP, unix.SYS_IOCTL,
	unix.SYS_EPOLL_WAIT, unix.SYS_EPOLL_PWAIT, unix.SYS_TIMERFD_SETTIME, unix.SYS_TIMERFD_GETTIME, unix.SYS_FTRUNCATE,
	unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_FLOCK, unix.SYS_GETDENTS64, unix.SYS_OPENAT, unix.SYS_NEWFSTATAT,
)

// noArgument are calls on no descriptor that there is.
var noArgument = setOf(
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_PIPE, unix.SYS_PIPE2, unix.SYS_EVENTFD, unix.SYS_EVENTFD2,
	unix.SYS_EPOLL_CREATE, unix.SYS_EPOLL_CREATE1, unix.SYS_TIMERFD_CREATE, unix.SYS_OPEN, unix.SYS_GETPID, unix.SYS_GETTID,
	unix.SYS_GETPPID, unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_UNAME, unix.SYS_EXIT_GROUP,
	unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_GETRANDOM, unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY, unix.SYS_NANOSLEEP,
	unix.SYS_SCHED_YIELD, unix.SYS_PRLIMIT64, unix.SYS_GETRLIMIT, unix.SYS_SETRLIMIT, unix.SYS_GETRUSAGE, unix.SYS_GETCWD,
	unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_ACCESS, unix.SYS_READLINK,
	unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_MLOCK, unix.SYS_MUNLOCK, unix.SYS_MPROTECT,
)

// opens are calls that make descriptors.
var opens = setOf(
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_PIPE, unix.SYS_PIPE2, unix.SYS_EVENTFD, unix.SYS_EVENTFD2, unix.SYS_EPOLL_CREATE,
	unix.SYS_EPOLL_CREATE1, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
)

func setOf(numbers ...uint64) map[uint64]bool {
	set := make(map[uint64]bool, len(numbers))
	for _, n := range numbers {
		set[n] = true
	}
	return set
}

// numbers appends the descriptors that a call is about. It is not ok if that is not
// known.
func (s *sys) numbers(list []int) (_ []int, ok bool) {
	switch {
	case firstArgument[s.num]:
		return append(list, s.fd(0)), true
	case noArgument[s.num]:
		return list, true
	}
	var asked []kernel.Asked
	var e kernel.Errno
	switch s.num {
	case unix.SYS_EPOLL_CTL:
		return append(list, s.fd(0), s.fd(2)), true
	case unix.SYS_DUP2, unix.SYS_DUP3, unix.SYS_SENDFILE:
		return append(list, s.fd(0), s.fd(1)), true
	case unix.SYS_MMAP:
		return append(list, s.fd(4)), true
	case unix.SYS_POLL, unix.SYS_PPOLL:
		asked, e = s.pollAsked()
	case unix.SYS_SELECT, unix.SYS_PSELECT6:
		asked, e = s.selectAsked()
	default:
		return list, false
	}
	if e == 0 {
		for _, a := range asked {
			list = append(list, a.FD)
		}
	}
	return list, true
}

// uses notes who makes the call on which numbers.
func (s *sys) uses() {
	var room [4]int
	list, ok := s.numbers(room[:0])
	if !ok {
		s.c.M.UsesAny()
	}
	for _, fd := range list {
		if fd >= 0 {
			s.c.M.Uses(s.c.G, numberOf(s.k, fd))
		}
	}
}

// mails notes who sends a datagram to which port.
func (s *sys) mails() {
	if s.c.G.Birth() == "" { // not worth to tell goroutines apart
		return
	}
	switch s.num {
	case unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_WRITE, unix.SYS_WRITEV:
		if port, ok := s.k.SendsTo(s.fd(0), s.whither()); ok {
			s.c.M.Uses(s.c.G, vm.Number{Process: s.k.Process, FD: kernel.PortNumber(port)})
		}
	}
}

// sendOwners returns whom a call concerns that may name an address.
func (s *sys) sendOwners(list []kernel.Owner) ([]kernel.Owner, bool) {
	if to := s.whither(); to != nil {
		return s.k.SendOwners(list, s.fd(0), to)
	}
	return s.k.Owners(list, s.fd(0), false)
}

// lends prepares the kernel to say on whom a call depends, and reports whether it is taken
// for granted who makes calls on which numbers.
func lends(c *vm.NativeCall, k *kernel.Kernel) bool {
	on := c.M.Lends()
	k.Lend(on)
	if on {
		k.As(c.G.Birth())
	}
	return on
}

// rawTouches is touches for a call that the program makes itself. It is not ok if
// anybody may depend on it.
func (s *sys) rawTouches(list []mem.Ptr) (_ []mem.Ptr, all, ok bool) {
	if !lends(s.c, s.k) {
		return list, true, false
	}
	named := s.k.Names // the numbers that it gets depend on nobody else
	fd := s.fd(0)
	var room [8]kernel.Owner
	owners := room[:0]
	var places [4]int
	switch s.num {
	case unix.SYS_ACCEPT, unix.SYS_ACCEPT4:
		for _, n := range s.k.NextAccepted(places[:0], fd) {
			s.c.M.TouchNumber(numberOf(s.k, n))
		}
		owners, all = s.k.Owners(owners, fd, false)
		all = all || !named
	case unix.SYS_CONNECT:
		addr, e := s.address(1)
		if e != 0 {
			return list, true, false
		}
		owners, all = s.k.ConnectOwners(owners, fd, addr)
		if !all {
			owners, all = s.k.Owners(owners, fd, true)
		}
	case unix.SYS_FCNTL:
		if cmd := s.fd(1); cmd == unix.F_DUPFD || cmd == unix.F_DUPFD_CLOEXEC {
			return list, true, false
		}
		owners, all = s.k.Owners(owners, fd, true)
	case unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME, unix.SYS_SETSOCKOPT, unix.SYS_FSTAT:
		owners, all = s.k.Owners(owners, fd, true)
		all = all || s.num == unix.SYS_SETSOCKOPT && s.lendsAddress()
	case unix.SYS_SENDTO:
		owners, all = s.sendOwners(owners)
	case unix.SYS_READ, unix.SYS_READV, unix.SYS_RECVFROM, unix.SYS_WRITE, unix.SYS_WRITEV, unix.SYS_SHUTDOWN,
		unix.SYS_GETSOCKOPT:
		near := effects[s.num] == reading && s.k.ReadsNear(fd, s.size()) && s.ready()
		owners, all = s.k.Owners(owners, fd, near)
	case unix.SYS_EPOLL_CTL:
		var more bool
		owners, all = s.k.Owners(owners, fd, true)
		owners, more = s.k.Owners(owners, s.fd(2), false)
		fd, all = s.fd(2), all || more
	case unix.SYS_EPOLL_WAIT, unix.SYS_EPOLL_PWAIT, unix.SYS_POLL, unix.SYS_PPOLL, unix.SYS_SELECT, unix.SYS_PSELECT6:
		if s.span().until != 0 { // the clock may end it
			return list, true, false
		}
		fds, _ := s.numbers(places[:0])
		for _, n := range fds {
			var more bool
			owners, more = s.k.Owners(owners, n, false)
			all = all || more || awaitsBehind(s.c, s.k, n)
		}
	default:
		if opens[s.num] {
			s.touchNext()
			return list, false, named
		}
		return list, true, false
	}
	s.c.M.CallOn(numberOf(s.k, fd))
	all = all || awaitsBehind(s.c, s.k, fd)
	list, all = touched(s.c.M, s.k, list, owners, 0, all)
	return list, all, true
}

// numberOf is what a number is called by users.
func numberOf(k *kernel.Kernel, fd int) vm.Number {
	return vm.Number{Process: k.Process, FD: fd, Maker: k.Maker(fd)}
}

// touchNext notes that a call gives numbers to descriptors.
func (s *sys) touchNext() {
	for _, n := range s.k.NextFDs() {
		s.c.M.TouchNumber(numberOf(s.k, n))
	}
}

// awaitsBehind is awaits for what is behind a descriptor that the program keeps
// itself.
func awaitsBehind(c *vm.NativeCall, k *kernel.Kernel, fd int) bool {
	return k.ListensBehind(fd) && (k.Joined() || !c.M.NeverDials())
}
