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
// takes: each look moves it, so that no two are the same, and each sleep by its length. One that has looked very
// often seems to wait for some time to come: then each look moves it further.
type clock struct {
	looks int64
	slept time.Duration
}

const (
	patience  = 4096
	step      = time.Microsecond
	largeStep = time.Millisecond
)

// now returns the time in nanoseconds since 1970.
func (k *clock) now() int64 {
	return Date*int64(time.Second) + k.looks*int64(step) + max(0, k.looks-patience)*int64(largeStep) + int64(k.slept)
}

// tell answers a call that asks for the time.
func (p *process) tell(c *intercept.Call) intercept.Answer {
	p.clock.looks++
	now := p.clock.now()
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
	case unix.SYS_TIME:
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

// sleep moves the calendar by a sleep that begins. Where its end is given, its length is not known to the
// microsecond.
func (p *process) sleep(c *intercept.Call) {
	ns, ok := timespec(c, c.Args[2])
	if !ok {
		return
	}
	if c.Args[1]&unix.TIMER_ABSTIME != 0 {
		switch id := int32(c.Args[0]); id {
		case unix.CLOCK_REALTIME:
			ns -= p.clock.now()
			p.wake(c, c.Args[2])
		default:
			ns -= real(id)
		}
		ns = (ns + int64(time.Millisecond) - 1) / int64(time.Millisecond) * int64(time.Millisecond)
	}
	p.clock.slept += time.Duration(max(ns, 0))
}

// Nap is the shortest sleep by nanosleep. No program asks for just this.
const Nap = 20*time.Millisecond + 1

// nap makes a short sleep longer. Go's runtime has a thread that looks around every 20 µs to 10 ms: a goroutine that is
// in a system call then, twice, is held to be blocked, and another thread goes on in its place. As threads have
// random numbers of their own, for the order of maps and of cases of select, it would depend on such moments what a
// program does. C libraries sleep by another call.
func nap(c *intercept.Call) {
	if ns, ok := timespec(c, c.Args[0]); ok && ns > 0 && ns < int64(Nap) {
		c.Write(c.Args[0], pair(0, int64(Nap)))
	}
}

// real returns what a clock of the kernel says.
func real(id int32) int64 {
	var ts unix.Timespec
	unix.ClockGettime(id, &ts)
	return ts.Nano()
}

// futexRealtime is the bit of an operation of futex whose end is given as a date.
const futexRealtime = 256

// wait is for a wait that ends at a date.
func (p *process) wait(c *intercept.Call) { p.wake(c, c.Args[3]) }

// wake changes a date in the memory of the caller, at which the kernel will wake it, to what
// that is on the true calendar.
func (p *process) wake(c *intercept.Call, at uint64) {
	ns, ok := timespec(c, at)
	if !ok || p.moved[at] == ns { // or it waits again until the same date
		return
	}
	ns += real(unix.CLOCK_REALTIME) - p.clock.now()
	if c.Write(at, pair(ns/int64(time.Second), ns%int64(time.Second))) {
		p.moved[at] = ns
	}
}
