//go:build linux

package peer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/fixed"
)

// A thread is what one thread of a peer does at a moment.
type thread struct {
	pid, tid int
	name     string
	state    byte   // as ps(1) shows it
	switches uint64 // how often it has been given a processor, or has left it
	call     int64  // the system call that it sleeps in, or -1
	args     [6]uint64
}

var errGone = errors.New("the thread has ended")

func goneOr(err error) error {
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ESRCH) {
		return errGone
	}
	return err
}

// A waitKind says what ends the sleep of a thread.
type waitKind uint8

const (
	goesOn  waitKind = iota // it runs, or goes on by itself
	naps                    // it looks whether another thread of its process is blocked, see fixed.Nap
	input                   // input
	passive                 // another thread or process of the peer, or a signal
)

// A wait is what a thread waits for. If it has a timeout, it also goes on
// without.
type wait struct {
	kind    waitKind
	timed   bool
	timeout time.Duration
}

// wait classifies what a thread does.
//
//	input     read, recv, accept, epoll, poll and select in their variants,
//	          io_uring_enter
//	passive   futex, wait for a child, for a signal, for a semaphore
//	naps      nanosleep of fixed.Nap
//	goes on   everything else: running threads, nanosleep, writes, connects,
//	          threads in disk sleep, and poll or select of nothing, which is a sleep
//
// A stopped thread does not go on by itself either, but it does not wait for
// input: its peer is never quiet, and the time limit says so.
func (t *thread) wait() wait {
	if t.state != 'S' {
		return wait{}
	}
	switch t.call {
	case unix.SYS_READ, unix.SYS_READV, unix.SYS_RECVFROM, unix.SYS_RECVMSG, unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_IO_URING_ENTER:
		return wait{kind: input}
	case unix.SYS_RECVMMSG:
		return t.relative(input, 4, 1)
	case sysEpollWait, unix.SYS_EPOLL_PWAIT:
		return millis(input, t.args[3])
	case unix.SYS_EPOLL_PWAIT2:
		return t.relative(input, 3, 1)
	case sysPoll:
		return orSleep(t.args[1], millis(input, t.args[2]))
	case unix.SYS_PPOLL:
		return orSleep(t.args[1], t.relative(input, 2, 1))
	case sysSelect:
		return orSleep(t.args[0], t.relative(input, 4, 1000))
	case unix.SYS_PSELECT6:
		return orSleep(t.args[0], t.relative(input, 4, 1))
	case unix.SYS_FUTEX:
		return t.futex()
	case unix.SYS_RT_SIGTIMEDWAIT:
		return t.relative(passive, 2, 1)
	case unix.SYS_SEMTIMEDOP:
		return t.relative(passive, 3, 1)
	case unix.SYS_FUTEX_WAITV:
		return t.absolute(passive, 3, int32(t.args[4]))
	case unix.SYS_NANOSLEEP:
		if d, ok := t.timespec(t.args[0], 1); ok && d == fixed.Nap {
			return wait{kind: naps}
		}
	case unix.SYS_WAIT4, unix.SYS_WAITID, sysPause, unix.SYS_RT_SIGSUSPEND, unix.SYS_SEMOP:
		return wait{kind: passive}
	}
	return wait{}
}

// orSleep returns w, or a sleep if there are no descriptors to wait for.
func orSleep(descriptors uint64, w wait) wait {
	switch {
	case descriptors > 0:
		return w
	case w.timed:
		return wait{}
	}
	return wait{kind: passive}
}

// millis is a wait with a timeout in milliseconds, where -1 means none.
func millis(kind waitKind, arg uint64) wait {
	if ms := int32(arg); ms >= 0 {
		return wait{kind, true, time.Duration(ms) * time.Millisecond}
	}
	return wait{kind: kind}
}

// relative is a wait whose timeout is where an argument points to: two words,
// seconds and parts of a second in the given number of nanoseconds.
func (t *thread) relative(kind waitKind, arg int, unit int64) wait {
	if t.args[arg] == 0 {
		return wait{kind: kind}
	}
	d, ok := t.timespec(t.args[arg], unit)
	if !ok {
		return wait{} // it has a timeout, but we cannot see which
	}
	return wait{kind, true, d}
}

// absolute is a wait until a time on a clock.
func (t *thread) absolute(kind waitKind, arg int, clock int32) wait {
	w := t.relative(kind, arg, 1)
	if !w.timed {
		return w
	}
	var now unix.Timespec
	if unix.ClockGettime(clock, &now) != nil {
		return wait{}
	}
	w.timeout = max(0, w.timeout-time.Duration(now.Nano()))
	return w
}

func (t *thread) futex() wait {
	const (
		waitOp, lockPI, waitBitset, waitRequeue, lockPI2 = 0, 6, 9, 11, 13
		realtime                                         = 256
	)
	clock := int32(unix.CLOCK_MONOTONIC)
	if t.args[1]&realtime != 0 {
		clock = unix.CLOCK_REALTIME
	}
	switch t.args[1] & 127 {
	case waitOp:
		return t.relative(passive, 3, 1)
	case waitBitset, waitRequeue, lockPI2:
		return t.absolute(passive, 3, clock)
	case lockPI:
		return t.absolute(passive, 3, unix.CLOCK_REALTIME)
	}
	return wait{}
}

// timespec reads two words of the memory of a thread.
func (t *thread) timespec(at uint64, unit int64) (time.Duration, bool) {
	var b [16]byte
	local := []unix.Iovec{{Base: &b[0], Len: uint64(len(b))}}
	remote := []unix.RemoteIovec{{Base: uintptr(at), Len: len(b)}}
	if n, err := unix.ProcessVMReadv(t.pid, local, remote, 0); err != nil || n != len(b) {
		return 0, false
	}
	sec, part := int64(binary.NativeEndian.Uint64(b[:])), int64(binary.NativeEndian.Uint64(b[8:]))
	const most = 1 << 33 // seconds that a Duration can hold
	return time.Duration(min(sec, most))*time.Second + time.Duration(part*unit), true
}

// String tells what the thread does.
func (t *thread) String() string {
	what := fmt.Sprintf("state %c", t.state)
	if t.call >= 0 {
		what = fmt.Sprintf("in system call %d", t.call)
	}
	w := t.wait()
	switch {
	case w.kind == input:
		what += ", waits for input"
	case w.kind == passive:
		what += ", waits for another thread or a signal"
	case t.state == 'R':
		what = "runs"
	case t.state == 'T' || t.state == 't':
		what = "is stopped"
	case t.call == unix.SYS_NANOSLEEP || t.call == unix.SYS_CLOCK_NANOSLEEP:
		what = "sleeps"
	}
	if w.timed {
		what += fmt.Sprintf(" for %v", w.timeout)
	}
	return fmt.Sprintf("thread %s %s", strconv.QuoteToASCII(t.name), what)
}
