package native

import (
	"encoding/binary"
	"math"

	"github.com/heddle-mc/heddle/internal/kernel/events"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/vm"
)

// System calls that wait for several descriptors at once: epoll, poll and select,
// and the descriptors that are made for them. Whether there is something to tell
// is asked of the kernel in one place for each, so that a search can ask too.

// A limit is how long a call may wait.
type limit struct {
	none  bool  // it does not wait
	until int64 // when it ends on the clock of the machine, 0 for never
}

// fixed marks an argument that was a time and is now a point in time: a call that
// waits is made again when it is woken, and must not begin to wait anew. Neither
// pointers nor times look like that.
const fixed = vm.Moment

// limitOf understands argument i as a point in time or, by the function, as the
// nanoseconds that the call was given.
func (s *sys) limitOf(i int, span func() (int64, linux.Errno)) (limit, linux.Errno) {
	if s.a[i]>>60 == fixed>>60 {
		return limit{until: int64(s.a[i] << 4 >> 4)}, 0
	}
	d, e := span()
	switch now := s.c.M.Now(); {
	case e != 0:
		return limit{}, e
	case d == 0:
		return limit{none: true}, 0
	case d < 0 || d > math.MaxInt64/16-now:
		return limit{}, 0
	default:
		return limit{until: now + d}, 0
	}
}

// millis is the span of a call whose argument is a number of milliseconds.
func (s *sys) millis(i int) func() (int64, linux.Errno) {
	return func() (int64, linux.Errno) {
		if ms := int32(s.a[i]); ms >= 0 {
			return int64(ms) * 1e6, 0
		}
		return -1, 0
	}
}

// timespec is the span of a call whose argument points to seconds and parts of a
// second, or is nil.
func (s *sys) timespec(i int, unit int64) func() (int64, linux.Errno) {
	return func() (int64, linux.Errno) {
		if s.a[i] == 0 {
			return -1, 0
		}
		w, e := s.get(s.a[i], 2)
		if e != 0 {
			return 0, e
		}
		return duration(w[0], w[1], unit)
	}
}

// duration returns seconds and parts as nanoseconds.
func duration(sec, part uint64, unit int64) (int64, linux.Errno) {
	if int64(sec) < 0 || int64(part) < 0 || int64(part) >= nanos/unit {
		return 0, linux.EINVAL
	}
	return min(int64(sec), math.MaxInt64/4/nanos)*nanos + int64(part)*unit, 0
}

// waitUntil makes the call wait on a key, but not beyond its limit, which is in
// argument i. It returns true if that has been reached.
func (s *sys) waitUntil(key uint64, i int, l limit) bool {
	if l.none || l.until != 0 && l.until <= s.c.M.Now() {
		return true
	}
	wakeAll(s.c.M, s.k)
	wake := s.k.NextExpiry()
	if l.until != 0 {
		s.c.Set(1+i, fixed|uint64(l.until))
		if wake == 0 || l.until < wake {
			wake = l.until
		}
	}
	s.c.Park("syscall", waitObj(key), wake)
	s.out = vm.Again
	return false
}

func sysEpollCreate(s *sys) linux.Errno {
	if s.fd(0) <= 0 {
		return linux.EINVAL
	}
	return s.fdResult(s.k.EpollCreate(0))
}

func sysEpollCreate1(s *sys) linux.Errno { return s.fdResult(s.k.EpollCreate(s.fd(0))) }

// epollEventSize is that of struct epoll_event: a number of 4 and one of 8 bytes,
// packed.
const epollEventSize = 12

func sysEpollCtl(s *sys) linux.Errno {
	var events uint32
	var data uint64
	if s.fd(1) != linux.EPOLL_CTL_DEL {
		b, e := s.in(3, epollEventSize)
		if e != 0 {
			return e
		}
		events, data = binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint64(b[4:])
	}
	return s.k.EpollCtl(s.fd(0), s.fd(1), s.fd(2), events, data)
}

func sysEpollWait(s *sys) linux.Errno {
	max := s.fd(2)
	if max <= 0 || max > math.MaxInt32/epollEventSize {
		return linux.EINVAL
	}
	l, _ := s.limitOf(3, s.millis(3))
	events, e := s.k.EpollWait(s.fd(0), max)
	if e == linux.EAGAIN {
		s.waitUntil(s.k.WaitKey(s.fd(0)), 3, l)
		return 0
	}
	if e != 0 {
		return e
	}
	b, e := s.outAt(s.a[1], uint64(epollEventSize*len(events)))
	if e != 0 {
		return e
	}
	for i, ev := range events {
		binary.LittleEndian.PutUint32(b[epollEventSize*i:], ev.Events)
		binary.LittleEndian.PutUint64(b[epollEventSize*i+4:], ev.Data)
	}
	s.r1 = uint64(len(events))
	return 0
}

func sysEpollPwait(s *sys) linux.Errno {
	if s.a[4] != 0 {
		return s.refuse("mask of signals (epoll_pwait)")
	}
	return sysEpollWait(s)
}

// pollSize is that of struct pollfd.
const pollSize = 8

// pollAll fills in the answers of poll and returns how many descriptors have one.
func (s *sys) pollAll() (n uint64, e linux.Errno) {
	b, e := s.outAt(s.a[0], s.a[1]*pollSize)
	if e != 0 {
		return 0, e
	}
	for ; len(b) > 0; b = b[pollSize:] {
		var events uint32
		if fd := int32(binary.LittleEndian.Uint32(b)); fd >= 0 {
			events = s.k.PollEvents(int(fd), uint32(binary.LittleEndian.Uint16(b[4:])))
		}
		binary.LittleEndian.PutUint16(b[6:], uint16(events))
		if events != 0 {
			n++
		}
	}
	return n, 0
}

// pollAsked lists what poll asks for.
func (s *sys) pollAsked() (list []sockets.Asked, e linux.Errno) {
	b, e := s.in(0, s.a[1]*pollSize)
	if e != 0 {
		return nil, e
	}
	for ; len(b) > 0; b = b[pollSize:] {
		if fd := int32(binary.LittleEndian.Uint32(b)); fd >= 0 {
			list = append(list, sockets.Asked{FD: int(fd), Events: uint32(binary.LittleEndian.Uint16(b[4:])) | linux.EvAlways})
		}
	}
	return list, 0
}

// poll is poll or ppoll, whose argument 2 is understood by the function.
func (s *sys) poll(span func() (int64, linux.Errno)) linux.Errno {
	if soft, _ := s.k.NoFile(); s.a[1] > soft {
		return linux.EINVAL
	}
	l, e := s.limitOf(2, span)
	if e != 0 {
		return e
	}
	n, e := s.pollAll()
	if e == 0 && n == 0 {
		s.waitUntil(events.AnyKey, 2, l)
	}
	s.r1 = n
	return e
}

func sysPoll(s *sys) linux.Errno { return s.poll(s.millis(2)) }

func sysPpoll(s *sys) linux.Errno {
	if s.a[3] != 0 {
		return s.refuse("mask of signals (ppoll)")
	}
	return s.poll(s.timespec(2, 1))
}

// selects are what the three sets of select ask for.
var selects = [3]uint32{events.SelectRead, events.SelectWrite, events.SelectExcept}

// selectAll returns the sets of select with those descriptors that are ready, and
// how many there are.
func (s *sys) selectAll() (sets [3][]byte, n uint64, e linux.Errno) {
	top := s.fd(0)
	if top < 0 {
		return sets, 0, linux.EINVAL
	}
	size := uint64(top+63) / 64 * 8
	for i, events := range selects {
		if s.a[1+i] == 0 {
			continue
		}
		asked, e := s.in(1+i, size)
		if e != 0 {
			return sets, 0, e
		}
		sets[i] = make([]byte, size)
		for fd := range top {
			if asked[fd/8]&(1<<(fd%8)) == 0 {
				continue
			}
			ready, e := s.k.SelectEvents(fd, events)
			if e != 0 {
				return sets, 0, e
			}
			if ready {
				sets[i][fd/8] |= 1 << (fd % 8)
				n++
			}
		}
	}
	return sets, n, 0
}

// selectAsked lists what select asks for.
func (s *sys) selectAsked() (list []sockets.Asked, e linux.Errno) {
	top := s.fd(0)
	if top < 0 {
		return nil, linux.EINVAL
	}
	for i, events := range selects {
		if s.a[1+i] == 0 {
			continue
		}
		asked, e := s.in(1+i, uint64(top+63)/64*8)
		if e != 0 {
			return nil, e
		}
		for fd := range top {
			if asked[fd/8]&(1<<(fd%8)) != 0 {
				list = append(list, sockets.Asked{FD: fd, Events: events})
			}
		}
	}
	return list, 0
}

// sel is select or pselect6, whose argument 4 is a time with parts of a unit.
func (s *sys) sel(unit int64) linux.Errno {
	l, e := s.limitOf(4, s.timespec(4, unit))
	if e != 0 {
		return e
	}
	sets, n, e := s.selectAll()
	if e != 0 {
		return e
	}
	if n == 0 && !s.waitUntil(events.AnyKey, 4, l) {
		return 0
	}
	for i, set := range sets {
		if set == nil {
			continue
		}
		b, e := s.outAt(s.a[1+i], uint64(len(set)))
		if e != 0 {
			return e
		}
		copy(b, set)
	}
	s.r1 = n
	return 0
}

func sysSelect(s *sys) linux.Errno { return s.sel(1000) }

// sysPselect has a mask of signals, by a pointer to a pointer and a size.
func sysPselect(s *sys) linux.Errno {
	if s.a[5] != 0 {
		w, e := s.get(s.a[5], 1)
		if e != 0 {
			return e
		}
		if w[0] != 0 {
			return s.refuse("mask of signals (pselect6)")
		}
	}
	return s.sel(1)
}

func sysEventfd(s *sys) linux.Errno { return s.fdResult(s.k.Eventfd(uint32(s.a[0]), 0)) }

func sysEventfd2(s *sys) linux.Errno { return s.fdResult(s.k.Eventfd(uint32(s.a[0]), s.fd(1))) }

func sysTimerfdCreate(s *sys) linux.Errno { return s.fdResult(s.k.TimerfdCreate(s.fd(0), s.fd(1))) }

// putTimer writes a struct itimerspec, if an address is given.
func (s *sys) putTimer(addr uint64, t events.TimerSpec, e linux.Errno) linux.Errno {
	if e != 0 || addr == 0 {
		return e
	}
	return s.put(addr, uint64(t.Interval/nanos), uint64(t.Interval%nanos), uint64(t.Value/nanos), uint64(t.Value%nanos))
}

func sysTimerfdSettime(s *sys) linux.Errno {
	w, e := s.get(s.a[2], 4)
	if e != 0 {
		return e
	}
	var t events.TimerSpec
	if t.Interval, e = duration(w[0], w[1], 1); e != 0 {
		return e
	}
	if t.Value, e = duration(w[2], w[3], 1); e != 0 {
		return e
	}
	old, e := s.k.TimerfdSettime(s.fd(0), s.fd(1), t)
	return s.putTimer(s.a[3], old, e)
}

func sysTimerfdGettime(s *sys) linux.Errno {
	t, e := s.k.TimerfdGettime(s.fd(0))
	return s.putTimer(s.a[1], t, e)
}

// waitsFor tells of calls that wait for several things whether they would not have
// to. One with a time limit begins at once: the clock ends it.
var waitsFor = map[uint64]func(s *sys) bool{
	linux.SYS_EPOLL_WAIT:  epollReady,
	linux.SYS_EPOLL_PWAIT: epollReady,
	linux.SYS_POLL:        func(s *sys) bool { return s.pollReady(s.millis(2)) },
	linux.SYS_PPOLL:       func(s *sys) bool { return s.pollReady(s.timespec(2, 1)) },
	linux.SYS_SELECT:      func(s *sys) bool { return s.selectReady(1000) },
	linux.SYS_PSELECT6:    func(s *sys) bool { return s.selectReady(1) },
}

// bounded reports whether a call with a limit is to begin at once.
func (l limit) bounded() bool { return l.none || l.until != 0 }

func epollReady(s *sys) bool {
	l, _ := s.limitOf(3, s.millis(3))
	ready, e := s.k.Ready(s.fd(0), 'r')
	return l.bounded() || ready || e != 0
}

func (s *sys) pollReady(span func() (int64, linux.Errno)) bool {
	l, e := s.limitOf(2, span)
	if e != 0 || l.bounded() {
		return true
	}
	asked, e := s.pollAsked()
	return e != 0 || s.some(asked)
}

func (s *sys) selectReady(unit int64) bool {
	l, e := s.limitOf(4, s.timespec(4, unit))
	if e != 0 || l.bounded() {
		return true
	}
	asked, e := s.selectAsked()
	return e != 0 || s.some(asked)
}

// some reports whether there is something to tell.
func (s *sys) some(asked []sockets.Asked) bool {
	a := s.k.Await(asked)
	return a.Any()
}

// awaited tells what a call may find that waits for several descriptors, and whether
// it may find nothing. It is not ok for other calls.
func (s *sys) awaited() (a sockets.Awaited, empty, ok bool) {
	var asked []sockets.Asked
	var e linux.Errno
	switch s.num {
	case linux.SYS_EPOLL_WAIT, linux.SYS_EPOLL_PWAIT:
		l := s.span()
		return s.k.AwaitEpoll(s.fd(0)), l.bounded(), true
	case linux.SYS_POLL, linux.SYS_PPOLL:
		asked, e = s.pollAsked()
	case linux.SYS_SELECT, linux.SYS_PSELECT6:
		asked, e = s.selectAsked()
	default:
		return a, false, false
	}
	if e == 0 {
		a = s.k.Await(asked)
	}
	l := s.span()
	return a, l.bounded(), true
}

// span returns how long a call may wait that waits for several descriptors.
func (s *sys) span() (l limit) {
	switch s.num {
	case linux.SYS_EPOLL_WAIT, linux.SYS_EPOLL_PWAIT:
		l, _ = s.limitOf(3, s.millis(3))
	case linux.SYS_POLL:
		l, _ = s.limitOf(2, s.millis(2))
	case linux.SYS_PPOLL:
		l, _ = s.limitOf(2, s.timespec(2, 1))
	case linux.SYS_SELECT:
		l, _ = s.limitOf(4, s.timespec(4, 1000))
	case linux.SYS_PSELECT6:
		l, _ = s.limitOf(4, s.timespec(4, 1))
	}
	return l
}

func init() {
	handle(map[int]handler{
		linux.SYS_EPOLL_CREATE:    sysEpollCreate,
		linux.SYS_EPOLL_CREATE1:   sysEpollCreate1,
		linux.SYS_EPOLL_CTL:       sysEpollCtl,
		linux.SYS_EPOLL_WAIT:      sysEpollWait,
		linux.SYS_EPOLL_PWAIT:     sysEpollPwait,
		linux.SYS_POLL:            sysPoll,
		linux.SYS_PPOLL:           sysPpoll,
		linux.SYS_SELECT:          sysSelect,
		linux.SYS_PSELECT6:        sysPselect,
		linux.SYS_EVENTFD:         sysEventfd,
		linux.SYS_EVENTFD2:        sysEventfd2,
		linux.SYS_TIMERFD_CREATE:  sysTimerfdCreate,
		linux.SYS_TIMERFD_SETTIME: sysTimerfdSettime,
		linux.SYS_TIMERFD_GETTIME: sysTimerfdGettime,
	})
}
