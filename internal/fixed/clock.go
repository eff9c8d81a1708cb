//go:build linux

package fixed

import (
	"encoding/binary"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/intercept"
)

// Date is when the calendar of a process begins, in seconds since 1970. It is the date at which programs begin that
// are checked, so that they and their peers agree.
const Date = 1257894000 // 2009-11-10 23:00:00 UTC

// calendars are the clocks that tell the date.
var calendars = []uint32{unix.CLOCK_REALTIME, unix.CLOCK_REALTIME_COARSE, unix.CLOCK_TAI}

// A clock is the calendar of a process. It goes by what the process does, which repeats, and not by how long that
// takes: each look moves it, so that no two are the same, and each wait that has run out by its length. One that has looked very
// often seems to wait for some time to come: then each look moves it further.
type clock struct {
	looks  int64
	waited time.Duration
}

const (
	patience  = 4096
	step      = time.Microsecond
	largeStep = time.Millisecond
)

// now returns the time in nanoseconds since 1970.
func (k *clock) now() int64 {
	return Date*int64(time.Second) + k.looks*int64(step) + max(0, k.looks-patience)*int64(largeStep) + int64(k.waited)
}

// reach moves the calendar to a date, unless that is over.
func (k *clock) reach(date int64) { k.waited += time.Duration(max(0, date-k.now())) }

// tell answers a call that asks for the time.
func (p *process) tell(c *intercept.Call) intercept.Answer {
	now := p.look()
	sec, nsec := now/int64(time.Second), now%int64(time.Second)
	at, value := c.Args[0], int64(0)
	var b []byte
	switch c.Number {
	case unix.SYS_CLOCK_GETTIME:
		at, b = c.Args[1], pair(sec, nsec)
	case unix.SYS_GETTIMEOFDAY:
		b = pair(sec, nsec/1000)
		if zone := c.Args[1]; zone != 0 && !c.Write(zone, make([]byte, 8)) {
			return intercept.Done(-int64(unix.EFAULT))
		}
	case sysTime:
		b, value = pair(sec, 0)[:8], sec
	}
	if at == 0 && c.Number != unix.SYS_CLOCK_GETTIME {
		return intercept.Done(value)
	}
	if !c.Write(at, b) {
		return intercept.Done(-int64(unix.EFAULT))
	}
	return intercept.Done(value)
}

// pair returns a timespec or timeval.
func pair(a, b int64) []byte {
	data := binary.NativeEndian.AppendUint64(nil, uint64(a))
	return binary.NativeEndian.AppendUint64(data, uint64(b))
}

// timespec reads one from the memory of the caller.
func timespec(c *intercept.Call, at uint64) (ns int64, ok bool) {
	var b [16]byte
	if at == 0 || !c.Read(at, b[:]) {
		return 0, false
	}
	const most = 1 << 32 // seconds
	sec := min(int64(binary.NativeEndian.Uint64(b[:])), most)
	return sec*int64(time.Second) + int64(binary.NativeEndian.Uint64(b[8:])), true
}

// real returns what a clock of the kernel says.
func real(id int32) int64 {
	var ts unix.Timespec
	unix.ClockGettime(id, &ts)
	return ts.Nano()
}

// wake changes a date in the memory of the caller, at which the kernel will wake it, to what
// that is on the true calendar. It returns the date.
func (p *process) wake(c *intercept.Call, at uint64) (date int64, ok bool) {
	date, ok = timespec(c, at)
	if !ok {
		return 0, false
	}
	if m := p.moved[at]; m.to == date { // it waits again until the same date
		return m.from, true
	}
	to := date + real(unix.CLOCK_REALTIME) - p.clock.now()
	if c.Write(at, pair(to/int64(time.Second), to%int64(time.Second))) {
		p.moved[at] = moved{date, to}
	}
	return date, true
}

// A moved is a date until which a process waits, and what it was changed to.
type moved struct{ from, to int64 }
