package native

import (
	"slices"
	"sync"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/vm"
)

// What a search must know of system calls besides what they act on: when one would have
// to wait, in how many ways it can go, and what it means to wait there.

// systemOperation is the operation of the natives at the border.
var systemOperation = drive.Operation{
	Ready: func(c *vm.NativeCall) bool {
		s := lookingAt(c)
		defer looked(s)
		return s.ready()
	},
	Acts: func(c *vm.NativeCall, f *effect.Footprint) {
		s := lookingAt(c)
		defer looked(s)
		s.acts(f)
	},
	Choices: func(c *vm.NativeCall) int {
		s := lookingAt(c)
		defer looked(s)
		return s.choices()
	},
	Idle: func(c *vm.NativeCall) drive.Idleness {
		s := lookingAt(c)
		defer looked(s)
		return s.idle()
	},
	Unordered: unorderedCall,
	Follows:   func(c *vm.NativeCall) bool { return c.CallerPkg(effect.Beneath) == "internal/poll" },
}

// lookingAt is a call that is not made, only looked at.
func lookingAt(c *vm.NativeCall) *sys {
	s := lookers.Get().(*sys)
	*s = sys{c: c, k: kernelOf(c.M), num: c.Word(0)}
	for i := range 6 {
		if i < 3 || wide(c) {
			s.a[i] = c.Word(1 + i)
		}
	}
	return s
}

// lookers are calls that nobody looks at. There is one for each look otherwise, of
// which a search has many for each step.
var lookers = sync.Pool{New: func() any { return new(sys) }}

func looked(s *sys) { lookers.Put(s) }

// wide reports whether a native has six arguments.
func wide(c *vm.NativeCall) bool { return c.Params() > 4 }

// mode returns what a call waits for: to read, to write, or nothing.
func (s *sys) mode() byte {
	row := s.row()
	if !row.Waits() || row.Flags != 0 && s.fd(row.Flags)&linux.MSG_DONTWAIT != 0 {
		return 0
	}
	return row.Mode
}

// ready reports whether the call would not have to wait. Of a descriptor that is
// not blocking but in the care of the runtime's poller, it waits too if package
// internal/poll makes it: that would only ask the poller to be told when to call again. A
// program that makes the call itself, in a function that it gives to SyscallConn, is
// told that there is nothing yet.
func (s *sys) ready() bool { return s.can() || len(s.faults()) > 0 }

// polled reports whether the call waits by the runtime's poller if it has to.
func (s *sys) polled(fd int) bool { return s.k.PollKey(fd+1) != 0 && s.kept() }

// can is ready without what may go wrong.
func (s *sys) can() bool {
	if s.num == linux.SYS_CONNECT && s.k != nil {
		addr, e := s.address(1)
		return e != 0 || !s.k.Early(s.fd(0), addr)
	}
	if (s.num == linux.SYS_SENDTO || s.num == linux.SYS_SENDMSG) && s.k != nil && s.k.Joined() {
		to := s.whither()
		return to == nil || !s.k.Early(s.fd(0), to)
	}
	mode := s.mode()
	if s.k != nil && waitsFor[s.num] != nil {
		return waitsFor[s.num](s)
	}
	if mode == 0 || s.k == nil {
		return true
	}
	fd := s.fd(0)
	if s.k.Blocking(fd) && s.k.TimeLimited(fd) {
		return true // the call itself will refuse to wait
	}
	if !s.k.Blocking(fd) && (!s.polled(fd) || s.k.PollDeadline(fd+1, mode) != 0 || s.k.PollCheck(fd+1, mode, 0) != 0) {
		return true
	}
	ready, e := s.k.Ready(fd, mode)
	s.k.Failure() // the call itself will say so
	return ready || e != 0
}

// Descriptor returns the descriptor that a call of the operating system is about
// and what it would have to wait for there: to read, to write, or 0.
func Descriptor(c *vm.NativeCall, name string) (fd int, mode byte, ok bool) {
	switch {
	case kernelOf(c.M) == nil:
		return 0, 0, false
	case name == "internal/poll.runtime_pollWait":
		return c.Int(0) - 1, byte(c.Int(1)), true
	case name == rwlock: // also if it waits for another reader: which of them is inside makes no difference
		r, ok := atLock(c)
		return r.fd, 'r', ok
	case systemCalls[name]:
		if s := lookingAt(c); s.row().OnFirst() {
			return s.fd(0), s.mode(), true
		}
	}
	return 0, 0, false
}

// systemCalls are the natives at the border.
var systemCalls = map[string]bool{
	"syscall.Syscall": true, "syscall.Syscall6": true, "syscall.RawSyscall": true, "syscall.RawSyscall6": true, "syscall.rawSyscallNoError": true,
	"golang.org/x/sys/unix.SyscallNoError": true, "golang.org/x/sys/unix.RawSyscallNoError": true,
	"golang.org/x/sys/unix.Syscall": true, "golang.org/x/sys/unix.Syscall6": true,
	"golang.org/x/sys/unix.RawSyscall": true, "golang.org/x/sys/unix.RawSyscall6": true,
}

// faults lists what may go wrong with the call.
func (s *sys) faults() []sockets.Fault {
	if s.k == nil || !s.k.Faults.Any() {
		return nil
	}
	call, size := sockets.CallRead, 2
	switch s.num {
	case linux.SYS_READ, linux.SYS_RECVFROM:
		size = s.int(2)
	case linux.SYS_READV, linux.SYS_RECVMSG:
		size = 1
	case linux.SYS_WRITE, linux.SYS_SENDTO:
		call, size = sockets.CallWrite, s.int(2)
	case linux.SYS_WRITEV, linux.SYS_SENDMSG:
		call, size = sockets.CallWrite, 1
	case linux.SYS_CONNECT:
		call = sockets.CallConnect
	default:
		return nil
	}
	var room [4]sockets.Fault
	list := s.k.FaultsAt(room[:0], s.fd(0), call, size)
	if !s.can() { // there is nothing to cut short
		list = slices.DeleteFunc(list, func(f sockets.Fault) bool { return f == sockets.FaultShort })
	}
	return list
}

// choose does what was chosen before the call itself is made: it leaves its way, or
// the call is done already.
func (s *sys) choose() (e linux.Errno, done bool) {
	if s.c.Resumed(tardyWait) {
		return linux.EAGAIN, true
	}
	choice, ways := drive.Of(s.c.M).Choice(), 0
	list := s.faults()
	if len(list) == 0 {
		return s.take(choice)
	}
	if s.can() {
		ways = s.ways()
	}
	if choice >= ways && choice-ways < len(list) {
		return s.inject(list[choice-ways])
	}
	return s.take(choice)
}

// inject does the call with a fault.
func (s *sys) inject(f sockets.Fault) (e linux.Errno, done bool) {
	if e = s.k.Inject(s.fd(0), f); e != 0 {
		return e, true
	}
	if f == sockets.FaultShort {
		s.a[2] = 1
	}
	return 0, false
}

// choices returns in how many ways the call can go.
func (s *sys) choices() int {
	n := len(s.faults())
	if n == 0 || s.can() {
		n += s.ways()
	}
	return n
}

// idle tells what it means to wait in the call.
func (s *sys) idle() drive.Idleness {
	if s.k == nil {
		return drive.Waits
	}
	if fds, ok := s.watches(); ok {
		idle := drive.Waits
		for _, fd := range fds {
			switch is := idleAt(s.k, fd); {
			case is == drive.Serves:
				return is
			case is == drive.Attends, is == drive.Unmet:
				idle = is
			}
		}
		return idle
	}
	if s.mode() != 'r' {
		return drive.Waits
	}
	return idleAt(s.k, s.fd(0))
}

// idleAt tells what it means to wait until a descriptor can be read from.
func idleAt(k *kernel.Kernel, fd int) drive.Idleness {
	if k.Serving(fd) {
		return drive.Serves
	}
	if _, _, ok := k.WithPeer(fd); ok {
		return drive.Attends
	}
	if k.Unmet(fd) {
		return drive.Unmet
	}
	return drive.Waits
}

func init() {
	for name := range systemCalls {
		operations[name] = systemOperation
	}
}
