package events

import (
	"encoding/binary"
	"math"

	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// A timerFile is the timer behind a descriptor of timerfd_create(2). Times are
// those of the clock of deadlines.
type timerFile struct {
	process.Plain
	k        *Waits
	epoch    uint64
	key      uint64
	ino      uint64
	real     bool  // it was made for the wall clock
	expiry   int64 // 0 if it does not run
	interval int64
	told     int64 // expirations that epoll was told of since the last read
}

// Flags of TimerfdSettime.
const (
	timerAbsolute    = 1
	timerCancelOnSet = 2
)

// TimerfdCreate makes a timer for one of the clocks of clock_gettime(2).
func (k *Waits) TimerfdCreate(clock, flags int) (int, linux.Errno) {
	const realtime, monotonic, boottime, realtimeAlarm, boottimeAlarm = 0, 1, 7, 8, 9
	switch {
	case flags&^(linux.O_CLOEXEC|linux.O_NONBLOCK) != 0,
		clock != realtime && clock != monotonic && clock != boottime && clock != realtimeAlarm && clock != boottimeAlarm:
		return -1, linux.EINVAL
	case clock == realtimeAlarm || clock == boottimeAlarm:
		return -1, k.Refuse("timer that wakes the machine (timerfd_create)")
	}
	f := &timerFile{k: k, epoch: k.Stretch(), key: k.NewKey(), ino: k.NewIno(), real: clock == realtime}
	return k.Add(f, flags|linux.O_RDWR)
}

func (k *Waits) timer(fd int) (*timerFile, linux.Errno) {
	d, e := k.Desc(fd)
	if e != 0 {
		return nil, e
	}
	f, ok := d.File.(*timerFile)
	if !ok {
		return nil, linux.EINVAL
	}
	return f, 0
}

func (k *Waits) touchTimer(f *timerFile) { undo.Save(k.Log, f, &f.epoch) }

// A TimerSpec is when a timer expires, and how often after that. Both are in
// nanoseconds; a timer whose Value is 0 does not run.
type TimerSpec struct{ Interval, Value int64 }

// TimerfdSettime starts or stops a timer and returns what was set before.
func (k *Waits) TimerfdSettime(fd, flags int, spec TimerSpec) (old TimerSpec, e linux.Errno) {
	f, e := k.timer(fd)
	switch {
	case flags&^(timerAbsolute|timerCancelOnSet) != 0 || spec.Interval < 0 || spec.Value < 0:
		return old, linux.EINVAL
	case e != 0:
		return old, e
	}
	old = f.spec()
	k.touchTimer(f)
	f.expiry, f.interval, f.told = 0, spec.Interval, 0
	if spec.Value > 0 {
		f.expiry = k.when(f, flags&timerAbsolute != 0, spec.Value)
	}
	k.WakeFor(f.key, 0)
	return old, 0
}

// when returns the time on the clock of deadlines, which is never 0.
func (k *Waits) when(f *timerFile, absolute bool, t int64) int64 {
	now := k.Monotonic()
	switch {
	case absolute && f.real:
		t += now - k.Wall()
	case !absolute:
		t = min(t, math.MaxInt64-now) + now
	}
	return max(t, 1)
}

// TimerfdGettime returns how long a timer will run.
func (k *Waits) TimerfdGettime(fd int) (TimerSpec, linux.Errno) {
	f, e := k.timer(fd)
	if e != 0 {
		return TimerSpec{}, e
	}
	return f.spec(), 0
}

func (f *timerFile) spec() TimerSpec {
	now, next := f.k.Monotonic(), f.next(f.k.Monotonic())
	if next == 0 {
		return TimerSpec{Interval: f.interval}
	}
	return TimerSpec{f.interval, next - now}
}

// expirations returns how often the timer has expired since the last read.
func (f *timerFile) expirations(now int64) int64 {
	switch {
	case f.expiry == 0 || now < f.expiry:
		return 0
	case f.interval == 0:
		return 1
	}
	return 1 + (now-f.expiry)/f.interval
}

// next returns when the timer expires next, 0 for never.
func (f *timerFile) next(now int64) int64 {
	switch n := f.expirations(now); {
	case n == 0:
		return f.expiry
	case f.interval == 0:
		return 0
	default:
		return f.expiry + n*f.interval
	}
}

func (f *timerFile) Read(d *process.Desc, p []byte) (int, linux.Errno) {
	if len(p) < 8 {
		return 0, linux.EINVAL
	}
	now := f.k.Monotonic()
	n := f.expirations(now)
	if n == 0 {
		return 0, linux.EAGAIN
	}
	f.k.touchTimer(f)
	f.expiry, f.told = f.next(now), 0
	binary.LittleEndian.PutUint64(p, uint64(n))
	return 8, 0
}

func (f *timerFile) Events() uint32 {
	if f.expirations(f.k.Monotonic()) > 0 {
		return linux.EvIn
	}
	return 0
}

func (f *timerFile) WaitKey() uint64 { return f.key }

func (f *timerFile) Stat() (linux.Stat, linux.Errno) {
	return linux.Stat{Mode: 0o600, Nlink: 1, Ino: f.ino, Blksize: 4096}, 0
}

// timers calls a function for the timers that are open.
func (k *Waits) timers(do func(f *timerFile)) {
	k.Each(func(_ int, d *process.Desc) {
		if f, ok := d.File.(*timerFile); ok {
			do(f)
		}
	})
}

// expire tells epoll of the timers that have expired.
func (k *Waits) expire() {
	now := k.Monotonic()
	k.timers(func(f *timerFile) {
		if n := f.expirations(now); n > f.told {
			k.touchTimer(f)
			f.told = n
			k.WakeFor(f.key, linux.EvIn)
		}
	})
}

// NextExpiry returns when the next timer expires, 0 for never: whoever waits for
// something looks again then.
func (k *Waits) NextExpiry() (first int64) {
	now := k.Monotonic()
	k.timers(func(f *timerFile) {
		if t := f.next(now); t != 0 && (first == 0 || t < first) {
			first = t
		}
	})
	return first
}

func (f *timerFile) AppendKey(w *keys.Writer) {
	if w.First(f) {
		now := f.k.Monotonic()
		w.Num(uint64(f.expirations(now)))
		w.Away(f.next(now), now)
		w.Num(uint64(f.interval), uint64(f.told))
		w.Flag(f.real)
	}
}
