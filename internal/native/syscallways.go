package native

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/vm"
)

// System calls that do not wait: in which ways they can go. The first way of one
// that may be early is that it is; see sockets.Delays.

// direct returns what a call does that does not wait: 'r' for reading and accepting,
// 'w' for writing and connecting, 0 if it is another one or waits. That of package
// internal/poll counts as waiting: see ready.
func (s *sys) direct() byte {
	row, fd := s.row(), s.fd(0)
	waits := s.k.Blocking(fd) && (row.Flags == 0 || s.fd(row.Flags)&linux.MSG_DONTWAIT == 0)
	if row.Mode == 0 || waits || s.polled(fd) || s.size() == 0 {
		return 0
	}
	return row.Mode
}

// size returns how many bytes a call is about, 1 if that is not known or it is about
// none.
func (s *sys) size() int {
	switch s.row().Bytes {
	case effect.CountedBytes:
		return s.int(2)
	case effect.VectorBytes:
		vec, e := s.parts(s.a[1], s.a[2])
		if e != 0 {
			return 1
		}
		return len(room(vec))
	case effect.MessageBytes:
		m, e := s.message(1)
		if e != 0 {
			return 1
		}
		return len(room(m.vec))
	}
	return 1
}

// early reports whether a call may find that it is too early.
func (s *sys) early() bool {
	if s.k.Delays == 0 {
		return false
	}
	if s.num == linux.SYS_GETSOCKOPT {
		return s.fd(1) == linux.SOL_SOCKET && s.fd(2) == linux.SO_ERROR && !s.polled(s.fd(0)) && s.k.LateError(s.fd(0))
	}
	mode := s.direct()
	return mode != 0 && s.k.Late(s.fd(0), mode)
}

// portions are how many bytes a call may transfer if that is neither none nor all.
func (s *sys) portions(list []int) []int {
	if s.k.Session == nil && !s.k.Partial {
		return list
	}
	switch s.num {
	case linux.SYS_ACCEPT, linux.SYS_ACCEPT4, linux.SYS_CONNECT, linux.SYS_SENDFILE:
		return list
	}
	if s.row().Mode == 'r' && s.k.Distant(s.fd(0)) {
		return s.k.Arrivals(list, s.fd(0), s.transfer())
	}
	if !s.k.Partial || s.direct() == 0 {
		return list
	}
	return sockets.Portions(list, s.transfer())
}

// transfer returns how many bytes a call transfers if it can.
func (s *sys) transfer() int { return s.k.Transfer(s.fd(0), s.row().Mode, s.size()) }

// ways returns in how many ways the call can go, without what may go wrong.
func (s *sys) ways() int {
	if s.k == nil {
		return 1
	}
	defer s.k.Failure() // the call itself will say so
	if a, empty, ok := s.awaited(); ok {
		return a.Ways(empty)
	}
	n := 1
	switch s.num {
	case linux.SYS_ACCEPT, linux.SYS_ACCEPT4:
		n = s.k.AcceptChoices(s.fd(0))
	case linux.SYS_READ, linux.SYS_READV, linux.SYS_RECVFROM, linux.SYS_RECVMSG:
		n = s.k.ReceiveWays(s.fd(0))
	case linux.SYS_WRITE, linux.SYS_WRITEV, linux.SYS_SENDTO, linux.SYS_SENDMSG:
		n = s.k.SendWays(s.fd(0), s.whither())
	}
	if s.early() {
		n++
	}
	if s.tardy() {
		n++
	}
	var room [3]int
	return n + len(s.portions(room[:0]))
}

// tardy reports whether what a peer outside has said, and a read of package net would find, may come after the
// deadline of the read: that has passed, or may pass while somebody can run. It is the last way of the call.
func (s *sys) tardy() bool {
	fd := s.fd(0)
	if s.row().Mode != 'r' || !s.k.Distant(fd) || !s.polled(fd) {
		return false
	}
	d := s.k.PollDeadline(fd+1, 'r')
	if d <= 0 || s.transfer() == 0 {
		return false
	}
	m := drive.Of(s.c.M)
	if m.MayPass(max(0, d-s.c.M.Now())) {
		return true
	}
	m.Meet(drive.MetLate) // a bound: the answer comes before
	return false
}

// await lets a call that is tardy wait until its deadline, or find nothing if that has passed.
func (s *sys) await() linux.Errno {
	if d := s.k.PollDeadline(s.fd(0)+1, 'r'); d > s.c.M.Now() {
		s.c.Park(tardyWait, 0, d)
		s.out = vm.Again
		return 0
	}
	return linux.EAGAIN
}

// tardyWait is why a goroutine waits whose read is tardy. No other wait has this reason.
const tardyWait = "IO wait until the deadline"

// whither returns the address that a call names which sends, nil if it names none.
func (s *sys) whither() []byte {
	switch {
	case s.num == linux.SYS_SENDTO && s.a[4] != 0 && s.fd(5) != 0:
		if to, e := s.address(4); e == 0 {
			return to
		}
	case s.num == linux.SYS_SENDMSG:
		if m, e := s.message(1); e == 0 && m.name != 0 && m.nameLen != 0 && m.nameLen <= 128 {
			if to, e := s.inAt(m.name, uint64(m.nameLen)); e == 0 {
				return to
			}
		}
	}
	return nil
}

// take makes the call go one of its ways. Done means that nothing is left to do.
func (s *sys) take(way int) (e linux.Errno, done bool) {
	if a, empty, ok := s.awaited(); ok {
		if a.Excess() {
			s.out = s.c.Incomplete(diag.Incompletef("%s: %d descriptors may be ready or not: too many subsets", sysName(s.num), a.Late()))
			return 0, true
		}
		a.Choose(way, empty)
		return 0, false
	}
	if s.tardy() && way == s.ways()-1 {
		return s.await(), true
	}
	fd, mode := s.fd(0), byte('w')
	if s.early() {
		if s.num != linux.SYS_GETSOCKOPT {
			mode = s.direct()
		}
		if way == 0 {
			s.k.NotYet(fd, mode)
			return s.tooEarly(), true
		}
		way--
		s.k.Notice(fd, mode)
	}
	if s.num != linux.SYS_ACCEPT && s.num != linux.SYS_ACCEPT4 {
		var room [3]int
		if list := s.portions(room[:0]); way > 0 && way <= len(list) {
			s.k.NotYet(fd, s.row().Mode) // the rest is to come
			s.portion, way = list[way-1], 0
		}
	}
	s.way = way
	return 0, false
}

// tooEarly is the answer of a call that finds that it is too early.
func (s *sys) tooEarly() linux.Errno {
	switch s.num {
	case linux.SYS_CONNECT:
		return linux.EALREADY
	case linux.SYS_GETSOCKOPT: // nothing is wrong yet
		if size, e := s.outAt(s.a[4], 4); e != 0 {
			return e
		} else if b, e := s.outAt(s.a[3], uint64(min(4, size[0]))); e != 0 {
			return e
		} else {
			clear(b)
		}
		return 0
	}
	return linux.EAGAIN
}

// cut shortens a buffer to what the call may transfer.
func (s *sys) cut(b []byte) []byte {
	if s.portion > 0 && s.portion < len(b) {
		return b[:s.portion]
	}
	return b
}
