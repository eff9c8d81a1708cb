//go:build linux

package fixed

import (
	"bytes"
	"encoding/binary"
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/intercept"
)

// A wait that has run out has to show on the calendar, or else who goes around until a date goes around for ever. The kernel tells of
// a call before it is done, and not what has become of it. So what is known of a wait is looked at when its thread makes the next
// call: it has run out if the thread has slept for so long.
//
// How long a process has nothing to do is no part of what it was told, and differs from run to run. So as long as it is idle, a wait that nobody
// has looked at the calendar after does not count: a server that looks around twice a second, as many do, finds the date of its last answer.

// A timeout is a wait that a thread has begun and that ends by itself.
type timeout struct {
	length time.Duration
	due    int64         // the date when it has run out
	exact  bool          // it lasts so long, whenever it begins
	since  time.Time     // when it began
	awake  time.Duration // of the thread, until then
	nap    bool          // it counts only if the thread looks at the calendar next
}

// timedWaits are the calls that wait, if they wait for some time.
var timedWaits = append([]intercept.Want{
	{Call: unix.SYS_CLOCK_NANOSLEEP}, {Call: unix.SYS_NANOSLEEP},
	{Call: unix.SYS_EPOLL_PWAIT, Arg: 3, Except: untimed}, {Call: unix.SYS_EPOLL_PWAIT2, Given: 4},
	{Call: unix.SYS_PPOLL, Given: 3}, {Call: unix.SYS_PSELECT6, Given: 5},
	{Call: unix.SYS_RECVMMSG, Given: 5}, {Call: unix.SYS_RT_SIGTIMEDWAIT, Given: 3}, {Call: unix.SYS_SEMTIMEDOP, Given: 4},
	{Call: unix.SYS_FUTEX, Arg: 1, Values: futexWaits(), Given: 4},
}, oldWaits...)

// untimed are the milliseconds of a call that does not wait, or for ever.
var untimed = []uint32{0, 1<<32 - 1}

// Operations of futex that wait, and bits of them.
const (
	futexWait        = 0
	futexWaitBitset  = 9
	futexWaitRequeue = 11
	futexPrivate     = 128
	futexRealtime    = 256 // the end is given as a date
)

// futexWaits returns the operations of futex that wait.
func futexWaits() (list []uint32) {
	for _, op := range []uint32{futexWait, futexWaitBitset, futexWaitRequeue} {
		list = append(list, op, op|futexPrivate, op|futexRealtime, op|futexPrivate|futexRealtime)
	}
	return list
}

// begins notes a wait that begins.
func (p *process) begins(c *intercept.Call) {
	t := timeout{nap: c.Number == unix.SYS_NANOSLEEP && nap(c)}
	t.awake, _ = awake(p.pid, c.Thread, true)
	t.since = time.Now() // before it is asked how long it is until the end
	ok, due := false, time.Duration(0)
	if at := dateOf(c); at != 0 {
		t.due, ok = p.wake(c, at)
		t.length = time.Duration(t.due - p.clock.now())
		due = t.length
	} else {
		t.length, t.exact, ok = lengthOf(c)
		due = t.length
		if !t.exact {
			t.since, due = c.To, meant(c, t.length)
		}
		t.due = max(p.clock.now(), p.owed) + int64(due)
	}
	if t.exact { // it begins when the call goes on
		t.since = time.Now()
	}
	if ok && due > 0 {
		p.waits[c.Thread] = t
	}
}

// dateOf returns where in the memory of the caller the date is until which a call waits, 0 if it does not wait until a date.
func dateOf(c *intercept.Call) uint64 {
	switch {
	case c.Number == unix.SYS_CLOCK_NANOSLEEP && c.Args[1]&unix.TIMER_ABSTIME != 0 && c.Args[0] == unix.CLOCK_REALTIME:
		return c.Args[2]
	case c.Number == unix.SYS_FUTEX && c.Args[1]&futexRealtime != 0 && c.Args[1]&^(futexPrivate|futexRealtime) != futexWait:
		return c.Args[3]
	}
	return 0
}

// until returns how long it was until a time of a clock when a call was made.
func until(c *intercept.Call, clock int32, ns int64) int64 {
	return ns - real(clock) + int64(time.Since(c.To))
}

// blur is how wrong it may be when a call was made.
const blur = 200 * time.Microsecond

// meant returns how long somebody wanted to wait who has given a time at which that ends, if so much was left when the call was made. Before that
// it has looked at the clock, which takes some microseconds more or less. So it is some number of milliseconds; and if it is not known
// when the call was made, since the machine is busy, the roundest that it can be: people choose such numbers.
func meant(c *intercept.Call, left time.Duration) time.Duration {
	most := left + c.To.Sub(c.From)
	if most <= 0 {
		return 0
	}
	least := max(left-blur, 1)
	up := func(unit time.Duration) time.Duration { return (least + unit - 1) / unit * unit }
	for unit := 1000 * time.Second; unit > time.Millisecond; unit /= 10 {
		if n := up(unit); n <= most {
			return n
		}
	}
	return up(time.Millisecond)
}

// lengthOf returns how long a call waits at most. It is not exact where a time is given at which it ends.
func lengthOf(c *intercept.Call) (length time.Duration, exact, ok bool) {
	ns, exact := int64(0), true
	switch c.Number {
	case sysEpollWait, unix.SYS_EPOLL_PWAIT:
		return time.Duration(int32(c.Args[3])) * time.Millisecond, true, true
	case sysPoll:
		return time.Duration(int32(c.Args[2])) * time.Millisecond, true, true
	case sysSelect:
		ns, ok = timeval(c, c.Args[4])
	case unix.SYS_PPOLL, unix.SYS_RT_SIGTIMEDWAIT:
		ns, ok = timespec(c, c.Args[2])
	case unix.SYS_EPOLL_PWAIT2, unix.SYS_SEMTIMEDOP:
		ns, ok = timespec(c, c.Args[3])
	case unix.SYS_PSELECT6, unix.SYS_RECVMMSG:
		ns, ok = timespec(c, c.Args[4])
	case unix.SYS_NANOSLEEP:
		ns, ok = timespec(c, c.Args[0])
	case unix.SYS_CLOCK_NANOSLEEP:
		if ns, ok = timespec(c, c.Args[2]); c.Args[1]&unix.TIMER_ABSTIME != 0 {
			ns, exact = until(c, int32(c.Args[0]), ns), false
		}
	case unix.SYS_FUTEX:
		if ns, ok = timespec(c, c.Args[3]); c.Args[1]&^(futexPrivate|futexRealtime) != futexWait {
			ns, exact = until(c, unix.CLOCK_MONOTONIC, ns), false
		}
	}
	return time.Duration(ns), exact, ok
}

// timeval reads one from the memory of the caller.
func timeval(c *intercept.Call, at uint64) (ns int64, ok bool) {
	var b [16]byte
	if at == 0 || !c.Read(at, b[:]) {
		return 0, false
	}
	return int64(binary.NativeEndian.Uint64(b[:]))*int64(time.Second) + int64(binary.NativeEndian.Uint64(b[8:]))*int64(time.Microsecond), true
}

// ends looks what has become of the wait of a thread, which makes another call.
func (p *process) ends(c *intercept.Call) {
	t, ok := p.waits[c.Thread]
	if !ok {
		return
	}
	delete(p.waits, c.Thread)
	if t.ranOut(p.pid, c.Thread, c.At, true) && (!t.nap || looks(c)) {
		p.owed = max(p.owed, t.due)
	}
	if p.idle && !looks(c) {
		p.owed = 0
	}
}

// look returns the date, which it moves.
func (p *process) look() int64 {
	for tid, t := range p.waits { // of others, which may have woken who looks
		if !t.nap && t.ranOut(p.pid, tid, time.Now(), false) {
			p.owed = max(p.owed, t.due)
			delete(p.waits, tid)
		}
	}
	p.expire()
	p.clock.reach(p.owed)
	p.owed = 0
	if !p.lingers.IsZero() {
		p.clock.reach(p.lingered + int64(time.Since(p.lingers)))
	}
	p.clock.looks++
	return p.clock.now()
}

// ranOut reports whether a wait of a thread has run out by some time: the thread has slept for so long. One that
// was given input just before has not, whenever it has got on with that. If the end was given, the thread may have come late to its wait, so
// how long it has slept says nothing.
func (t *timeout) ranOut(pid, tid int, now time.Time, stopped bool) bool {
	elapsed := now.Sub(t.since)
	if elapsed < t.length || !t.exact {
		return elapsed >= t.length
	}
	const slack = 20 * time.Microsecond // between the clock of timers and that of the scheduler
	n, ok := awake(pid, tid, stopped)
	return ok && elapsed-(n-t.awake) >= t.length-slack
}

// awake returns how much of its time a thread has not slept: it was on a processor, or waited for one. If it waits for us,
// it is stopped; but this may take a moment, and before that the kernel has not counted all. It is not ok if the thread has ended.
func awake(pid, tid int, stopped bool) (sum time.Duration, ok bool) {
	dir := "/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(tid)
	const tries = 100
	for n := 0; stopped && n < tries && state(dir) == 'R'; n++ {
		runtime.Gosched()
	}
	data, err := os.ReadFile(dir + "/schedstat")
	if err != nil {
		return 0, false
	}
	for i, f := range bytes.Fields(data) {
		if n, err := strconv.ParseInt(string(f), 10, 64); err == nil && i < 2 {
			sum += time.Duration(n)
		}
	}
	return sum, true
}

// state returns what a thread does, as ps(1) shows it.
func state(dir string) byte {
	data, _ := os.ReadFile(dir + "/stat")
	if i := bytes.LastIndexByte(data, ')'); i >= 0 && i+2 < len(data) {
		return data[i+2]
	}
	return 0
}

// Nap is the shortest sleep by nanosleep. No program asks for just this.
const Nap = 20*time.Millisecond + 1

// nap makes a short sleep longer, and reports whether it was short. Go's runtime has a thread that looks around every 20 µs to 10 ms: a goroutine that is
// in a system call then, twice, is held to be blocked, and another thread goes on in its place. As threads have
// random numbers of their own, for the order of maps and of cases of select, it would depend on such moments what a
// program does. C libraries sleep by another call.
func nap(c *intercept.Call) bool {
	ns, ok := timespec(c, c.Args[0])
	if !ok || ns <= 0 || ns >= int64(Nap) {
		return ok && ns == int64(Nap) // what it was changed to before
	}
	c.Write(c.Args[0], pair(0, int64(Nap)))
	return true
}

// Asked is told that a run is about to be asked something: from now on all that it waits for counts.
func (f *Fixer) Asked(run int) { f.each(run, func(p *process) { p.setIdle(false) }) }

// Calm is told that a run has answered.
func (f *Fixer) Calm(run int) { f.each(run, func(p *process) { p.setIdle(true) }) }

func (p *process) setIdle(idle bool) {
	p.idle, p.owed = idle, 0
	p.rebase()
}

// Linger lets the calendar of a run go as time does, until the function is called that it returns. What a process does that waits for
// a date, in whatever way, shows then.
func (f *Fixer) Linger(run int) (over func()) {
	f.each(run, func(p *process) { p.lingers, p.lingered = time.Now(), max(p.clock.now(), p.owed) })
	return func() { f.each(run, func(p *process) { p.lingers = time.Time{} }) }
}

// each does something for all processes of a run.
func (f *Fixer) each(run int, do func(*process)) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.processes {
		if p.run.ID == run {
			do(p)
		}
	}
}
