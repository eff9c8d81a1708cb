package kernel

import (
	"encoding/binary"
	"math"
	"syscall"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A timerFile is the timer behind a descriptor of timerfd_create(2). Times are
// those of the clock of deadlines.
type timerFile struct {
	plain
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

// mono is the clock of deadlines.
func (k *Kernel) mono() int64 {
	if k.Mono == nil {
		return 0
	}
	return k.Mono()
}

// TimerfdCreate makes a timer for one of the clocks of clock_gettime(2).
func (k *Kernel) TimerfdCreate(clock, flags int) (int, linux.Errno) {
	const realtime, monotonic, boottime, realtimeAlarm, boottimeAlarm = 0, 1, 7, 8, 9
	switch {
	case flags&^(syscall.O_CLOEXEC|syscall.O_NONBLOCK) != 0,
		clock != realtime && clock != monotonic && clock != boottime && clock != realtimeAlarm && clock != boottimeAlarm:
		return -1, syscall.EINVAL
	case clock == realtimeAlarm || clock == boottimeAlarm:
		return -1, k.refuse("timer that wakes the machine (timerfd_create)")
	}
	k.touchSelf()
	f := &timerFile{epoch: k.epoch, key: k.self.nextKey, ino: k.self.nextIno, real: clock == realtime}
	k.self.nextKey++
	k.self.nextIno++
	return k.add(f, flags|syscall.O_RDWR)
}

func (k *Kernel) timer(fd int) (*timerFile, linux.Errno) {
	d, e := k.desc(fd)
	if e != 0 {
		return nil, e
	}
	f, ok := d.file.(*timerFile)
	if !ok {
		return nil, syscall.EINVAL
	}
	return f, 0
}

func (k *Kernel) touchTimer(f *timerFile) { save(k, f, &f.epoch) }

// A TimerSpec is when a timer expires, and how often after that. Both are in
// nanoseconds; a timer whose Value is 0 does not run.
type TimerSpec struct{ Interval, Value int64 }

// TimerfdSettime starts or stops a timer and returns what was set before.
func (k *Kernel) TimerfdSettime(fd, flags int, spec TimerSpec) (old TimerSpec, e linux.Errno) {
	f, e := k.timer(fd)
	switch {
	case flags&^(timerAbsolute|timerCancelOnSet) != 0 || spec.Interval < 0 || spec.Value < 0:
		return old, syscall.EINVAL
	case e != 0:
		return old, e
	}
	old = f.spec(k)
	k.touchTimer(f)
	f.expiry, f.interval, f.told = 0, spec.Interval, 0
	if spec.Value > 0 {
		f.expiry = k.when(f, flags&timerAbsolute != 0, spec.Value)
	}
	k.wakeFor(f.key, 0)
	return old, 0
}

// when returns the time on the clock of deadlines, which is never 0.
func (k *Kernel) when(f *timerFile, absolute bool, t int64) int64 {
	now := k.mono()
	switch {
	case absolute && f.real:
		t += now - k.now()
	case !absolute:
		t = min(t, math.MaxInt64-now) + now
	}
	return max(t, 1)
}

// TimerfdGettime returns how long a timer will run.
func (k *Kernel) TimerfdGettime(fd int) (TimerSpec, linux.Errno) {
	f, e := k.timer(fd)
	if e != 0 {
		return TimerSpec{}, e
	}
	return f.spec(k), 0
}

func (f *timerFile) spec(k *Kernel) TimerSpec {
	now, next := k.mono(), f.next(k.mono())
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

func (f *timerFile) read(k *Kernel, d *desc, p []byte) (int, linux.Errno) {
	if len(p) < 8 {
		return 0, syscall.EINVAL
	}
	now := k.mono()
	n := f.expirations(now)
	if n == 0 {
		return 0, syscall.EAGAIN
	}
	k.touchTimer(f)
	f.expiry, f.told = f.next(now), 0
	binary.LittleEndian.PutUint64(p, uint64(n))
	return 8, 0
}

func (f *timerFile) events(k *Kernel) uint32 {
	if f.expirations(k.mono()) > 0 {
		return linux.EvIn
	}
	return 0
}

func (f *timerFile) waitKey() uint64 { return f.key }

func (f *timerFile) stat(*Kernel) (linux.Stat, linux.Errno) {
	return linux.Stat{Mode: 0o600, Nlink: 1, Ino: f.ino, Blksize: 4096}, 0
}

// timers calls a function for the timers that are open.
func (k *Kernel) timers(do func(f *timerFile)) {
	k.self.fds.each(func(fd int, s *slot) {
		if f, ok := s.desc.file.(*timerFile); ok {
			do(f)
		}
	})
}

// expire tells epoll of the timers that have expired.
func (k *Kernel) expire() {
	now := k.mono()
	k.timers(func(f *timerFile) {
		if n := f.expirations(now); n > f.told {
			k.touchTimer(f)
			f.told = n
			k.wakeFor(f.key, linux.EvIn)
		}
	})
}

// NextExpiry returns when the next timer expires, 0 for never: whoever waits for
// something looks again then.
func (k *Kernel) NextExpiry() (first int64) {
	now := k.mono()
	k.timers(func(f *timerFile) {
		if t := f.next(now); t != 0 && (first == 0 || t < first) {
			first = t
		}
	})
	return first
}
