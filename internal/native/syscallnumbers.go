package native

import (
	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/vm"
)

// System calls that a program makes itself, on numbers that it keeps wherever it
// likes. Which goroutines make calls on a number is noted, and a search may take it for
// granted: see vm/users.go.

// numbers appends the descriptors that a call is about. It is not ok if that is not
// known.
func (s *sys) numbers(list []int) (_ []int, ok bool) {
	switch s.row().About {
	case effect.NoFD:
		return list, true
	case effect.FirstFD:
		return append(list, s.fd(0)), true
	case effect.FirstTwo:
		return append(list, s.fd(0), s.fd(1)), true
	case effect.WatchFD:
		return append(list, s.fd(0), s.fd(2)), true
	case effect.MapFD:
		return append(list, s.fd(4)), true
	case effect.AskedFDs:
		fds, _ := s.watches()
		return append(list, fds...), true
	}
	return list, false
}

// uses notes who makes the call on which numbers.
func (s *sys) uses() {
	var room [4]int
	list, ok := s.numbers(room[:0])
	if !ok {
		drive.Of(s.c.M).UsesAny()
	}
	for _, fd := range list {
		if fd >= 0 {
			drive.Of(s.c.M).Uses(s.c.G, numberOf(s.k, fd))
		}
	}
}

// mails notes who sends a datagram to which port.
func (s *sys) mails() {
	if drive.BirthOf(s.c.G) == "" { // not worth to tell goroutines apart
		return
	}
	switch s.num {
	case unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_WRITE, unix.SYS_WRITEV:
		if port, ok := s.k.SendsTo(s.fd(0), s.whither()); ok {
			drive.Of(s.c.M).Uses(s.c.G, drive.Number{Process: s.k.Process, FD: kernel.PortNumber(port)})
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
	on := drive.Of(c.M).Lends()
	k.Lend(on)
	if on {
		k.As(drive.BirthOf(c.G))
	}
	return on
}

// rawActs is acts for a call that the program makes itself. It is not ok if
// anybody may depend on it.
func (s *sys) rawActs(f *effect.Footprint, what effect.What) (ok bool) {
	if !lends(s.c, s.k) {
		return false
	}
	named := s.k.Names // the numbers that it gets depend on nobody else
	fd, all := s.fd(0), false
	var room [8]kernel.Owner
	owners := room[:0]
	var places [4]int
	switch what {
	case effect.Makes:
		s.touchNext(f)
		return named
	case effect.Connecting:
		addr, e := s.address(1)
		if e != 0 {
			return false
		}
		owners, all = s.k.ConnectOwners(owners, fd, addr)
		if !all {
			owners, all = s.k.Owners(owners, fd, true)
		}
	case effect.Outflow:
		owners, all = s.sendOwners(owners)
	case effect.Watched:
		var more bool
		owners, all = s.k.Owners(owners, fd, true)
		owners, more = s.k.Owners(owners, s.fd(2), false)
		fd, all = s.fd(2), all || more
	case effect.Asked:
		if s.span().until != 0 { // the clock may end it
			return false
		}
		fds, _ := s.numbers(places[:0])
		for _, n := range fds {
			var more bool
			owners, more = s.k.Owners(owners, n, false)
			all = all || more || awaitsBehind(s.c, s.k, n)
			f.Write(numberToken(numberOf(s.k, n)))
		}
		tokens{f, drive.Of(s.c.M), s.k, s.row().Raw[0].How}.add(owners, 0, all)
		return true
	case effect.NearEnd, effect.BothEnds, effect.Inflow, effect.Option, effect.Control:
		if s.k.Named(fd) || what == effect.Control && s.duplicates() {
			return false
		}
		owners, all = s.k.Owners(owners, fd, s.nearOnly(what))
		all = all || what == effect.Option && s.lendsAddress()
	default:
		return false
	}
	if s.row().Opens { // a connection that is accepted
		for _, n := range s.k.NextAccepted(places[:0], fd) {
			s.touchNumber(f, n)
		}
		all = all || !named
	}
	f.Write(numberToken(numberOf(s.k, fd)))
	all = all || awaitsBehind(s.c, s.k, fd)
	tokens{f, drive.Of(s.c.M), s.k, s.row().Raw[0].How}.add(owners, 0, all)
	return true
}

// duplicates reports whether a call of fcntl makes another number.
func (s *sys) duplicates() bool {
	cmd := s.fd(1)
	return cmd == unix.F_DUPFD || cmd == unix.F_DUPFD_CLOEXEC
}

// numberOf is what a number is called by users.
func numberOf(k *kernel.Kernel, fd int) drive.Number {
	return drive.Number{Process: k.Process, FD: fd, Maker: k.Maker(fd)}
}

// touchNext notes that a call gives numbers to descriptors.
func (s *sys) touchNext(f *effect.Footprint) {
	for _, n := range s.k.NextFDs() {
		s.touchNumber(f, n)
	}
}

// touchNumber notes that a call acts on a number, if there is anybody who uses it.
func (s *sys) touchNumber(f *effect.Footprint, fd int) {
	if n := numberOf(s.k, fd); drive.Of(s.c.M).HasUsers(n) {
		f.Write(numberToken(n))
	}
}

// awaitsBehind is awaits for what is behind a descriptor that the program keeps
// itself.
func awaitsBehind(c *vm.NativeCall, k *kernel.Kernel, fd int) bool {
	return k.ListensBehind(fd) && (k.Joined() || !drive.Of(c.M).NeverDials())
}
