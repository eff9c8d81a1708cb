package native

import (
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// What a search must know of system calls: when one would have to wait, what it
// acts on, and in how many ways it can go.

// systemOperation is the operation of the natives at the border.
var systemOperation = vm.Operation{
	Object:    -1,
	Addresses: true,
	Ready: func(c *vm.NativeCall) bool {
		s := lookingAt(c)
		defer looked(s)
		return s.ready()
	},
	Touches: func(c *vm.NativeCall, list []mem.Ptr) ([]mem.Ptr, bool) {
		s := lookingAt(c)
		defer looked(s)
		return s.touches(list)
	},
	Choices: func(c *vm.NativeCall) int {
		s := lookingAt(c)
		defer looked(s)
		return s.choices()
	},
	Idle: func(c *vm.NativeCall) vm.Idleness {
		s := lookingAt(c)
		defer looked(s)
		return s.idle()
	},
	Follows: func(c *vm.NativeCall) bool { return c.CallerPkg(beneathNet) == "internal/poll" },
}

// lookingAt is a call that is not made, only looked at.
func lookingAt(c *vm.NativeCall) *sys {
	s := lookers.Get().(*sys)
	*s = sys{c: c, k: process(c.M), num: c.Word(0)}
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

// An effect says what a system call acts on.
type effect uint8

const (
	everything effect = iota // what anybody may depend on
	nothing                  // nothing that others could see
	descriptor               // what is behind the descriptor that is the first argument
	nearEnd                  // the same, but not the far end of its connection
	reading                  // the same, unless the far end waits for room or is waited for
	connection               // of connect: that, and who listens at the address
)

// effects are those of system calls that do not act on everything.
var effects = map[uint64]effect{
	unix.SYS_GETPID: nothing, unix.SYS_GETTID: nothing, unix.SYS_GETPPID: nothing, unix.SYS_GETUID: nothing,
	unix.SYS_GETEUID: nothing, unix.SYS_GETGID: nothing, unix.SYS_GETEGID: nothing, unix.SYS_UNAME: nothing,
	unix.SYS_SCHED_YIELD: nothing, unix.SYS_MADVISE: nothing, unix.SYS_MMAP: nothing, unix.SYS_MUNMAP: nothing,
	unix.SYS_SOCKET: nothing, unix.SYS_SOCKETPAIR: nothing, unix.SYS_PIPE2: nothing,

	unix.SYS_READ: reading, unix.SYS_WRITE: descriptor, unix.SYS_READV: reading, unix.SYS_WRITEV: descriptor,
	unix.SYS_RECVFROM: reading, unix.SYS_RECVMSG: reading, unix.SYS_SENDTO: descriptor, unix.SYS_SENDMSG: descriptor,
	unix.SYS_ACCEPT: descriptor, unix.SYS_ACCEPT4: descriptor, unix.SYS_SHUTDOWN: descriptor,
	unix.SYS_GETSOCKNAME: nearEnd, unix.SYS_GETPEERNAME: nearEnd, unix.SYS_SETSOCKOPT: nearEnd,
	unix.SYS_GETSOCKOPT: nearEnd, unix.SYS_FCNTL: nearEnd, unix.SYS_CLOSE: descriptor, unix.SYS_FSTAT: nearEnd,

	unix.SYS_CONNECT: connection,
}

// names are system calls that ask for what does not change while a socket listens.
var names = map[uint64]bool{unix.SYS_GETSOCKNAME: true, unix.SYS_GETPEERNAME: true, unix.SYS_FSTAT: true}

// ownOnly are system calls that concern the process alone, but all of it.
var ownOnly = map[uint64]bool{
	unix.SYS_OPENAT: true, unix.SYS_GETRANDOM: true, unix.SYS_NEWFSTATAT: true, unix.SYS_READLINKAT: true, unix.SYS_PRLIMIT64: true,
	unix.SYS_LSEEK: true, unix.SYS_GETCWD: true, unix.SYS_CLOCK_GETTIME: true, unix.SYS_MKDIRAT: true, unix.SYS_UNLINKAT: true,
	unix.SYS_GETDENTS64: true, unix.SYS_IOCTL: true,
}

// beneathNet are the packages through which others make system calls.
var beneathNet = map[string]bool{
	"syscall": true, "internal/syscall/unix": true, "golang.org/x/sys/unix": true, "internal/runtime/syscall/linux": true,
}

// keepers are the packages that keep each descriptor in one object, or, as package
// time that of the file of a time zone, in one call.
var keepers = map[string]bool{"net": true, "os": true, "internal/poll": true, "time": true}

// kept reports whether the call is made by a package that keeps its descriptors
// in objects. What others do with a number cannot be foreseen.
func (s *sys) kept() bool { return keepers[s.c.CallerPkg(beneathNet)] }

func (s *sys) touches(list []mem.Ptr) ([]mem.Ptr, bool) {
	what := effects[s.num]
	switch {
	case s.k == nil:
		return list, true
	case len(s.faults()) > 0: // whatever goes wrong here cannot go wrong elsewhere
		s.c.M.TouchAbroad(vm.Abroad{Machine: vm.Everywhere})
		return list, true
	case !s.kept():
		if list, all, ok := s.rawTouches(list); ok {
			return list, all
		}
		fallthrough
	case what == everything:
		if !ownOnly[s.num] {
			s.c.M.TouchAbroad(vm.Abroad{Machine: vm.Everywhere})
		}
		return list, true
	}
	fd := s.fd(0)
	lent := lends(s.c, s.k)
	var room [4]kernel.Owner
	owners, near, all := room[:0], 1, false
	switch {
	case what == nothing:
		if lent {
			s.touchNext()
		}
		return list, lent && !s.k.Names && opens[s.num]
	case what == connection:
		addr, e := s.address(1)
		if e != 0 {
			return list, true
		}
		near = 0
		owners, all = s.k.ConnectOwners(owners, fd, addr)
	case !s.k.Owned(fd): // nobody knows it yet but the caller
		all = s.num == unix.SYS_CLOSE || s.k.Listens(fd) && !names[s.num]
		s.c.M.TouchNumber(numberOf(s.k, fd))
	case s.num == unix.SYS_CLOSE && (s.k.Listens(fd) || s.k.Binds(fd)): // others may connect to it by its address, or bind to that
		all = true
	case s.num == unix.SYS_SETSOCKOPT && s.lendsAddress():
		all = true
	case s.num == unix.SYS_SENDTO || s.num == unix.SYS_SENDMSG:
		owners, all = s.sendOwners(owners)
	default:
		owners, all = s.k.Owners(owners, fd, what == nearEnd || what == reading && s.k.ReadsNear(fd, s.size()) && s.ready())
	}
	all = all || awaits(s.c, s.k, fd) && !s.ready() || lent && !s.k.Names && (opens[s.num] || s.num == unix.SYS_CLOSE)
	return touched(s.c.M, s.k, list, owners, near, all)
}

// lendsAddress reports whether the call changes who else may bind to the address of a
// socket.
func (s *sys) lendsAddress() bool {
	opt := s.fd(2)
	return s.fd(1) == unix.SOL_SOCKET && (opt == unix.SO_REUSEADDR || opt == unix.SO_REUSEPORT) && s.k.Binds(s.fd(0))
}

// awaits reports whether anybody may connect to where a descriptor listens, so that
// who waits there can be let go on by anybody.
func awaits(c *vm.NativeCall, k *kernel.Kernel, fd int) bool {
	return k.Listens(fd) && (k.Joined() || !c.M.NeverDials())
}

// touched adds the owners of what a call acts on to a list, if they are of the same
// process, and tells the machine of others. The first few are of the near end, the
// others may be known to other goroutines alone.
func touched(m *vm.Machine, k *kernel.Kernel, list []mem.Ptr, owners []kernel.Owner, near int, all bool) ([]mem.Ptr, bool) {
	for i, o := range owners {
		if i >= near {
			m.TouchFar()
		}
		switch {
		case o.FD != 0:
			m.TouchNumber(vm.Number{Process: o.Process, FD: o.FD - 1, Maker: o.Creator})
		case o.Process != k.Process:
			m.TouchAbroad(vm.Abroad{Machine: o.Process, Object: mem.Ptr(o.Object), Birth: o.Creator})
		case o.Object != 0:
			list = append(list, mem.Ptr(o.Object))
		default:
			all = true
		}
	}
	if all {
		m.TouchAbroad(vm.Abroad{Machine: vm.Everywhere})
	}
	return list, all
}

// Ends tells the machine of a process that ends, beside others, what that acts on in
// them: the far ends of its connections.
func Ends(m *vm.Machine) {
	k := process(m)
	if k == nil {
		return
	}
	k.Lend(m.Lends())
	owners, all := k.ExitOwners(nil)
	touched(m, k, nil, owners, len(owners), all) // all of its own goroutines count anyway
}

// mode returns what a call waits for: to read, to write, or nothing.
func (s *sys) mode() byte {
	switch s.num {
	case unix.SYS_READ, unix.SYS_READV, unix.SYS_ACCEPT, unix.SYS_ACCEPT4:
		return 'r'
	case unix.SYS_RECVFROM:
		if s.fd(3)&unix.MSG_DONTWAIT == 0 {
			return 'r'
		}
	case unix.SYS_RECVMSG:
		if s.fd(2)&unix.MSG_DONTWAIT == 0 {
			return 'r'
		}
	case unix.SYS_WRITE, unix.SYS_WRITEV:
		return 'w'
	}
	return 0
}

// ready reports whether the call would not have to wait. Of a descriptor that is
// not blocking but in the care of the runtime's poller, it waits too: whoever
// calls would only ask the poller to be told when to call again.
func (s *sys) ready() bool { return s.can() || len(s.faults()) > 0 }

// can is ready without what may go wrong.
func (s *sys) can() bool {
	if s.num == unix.SYS_CONNECT && s.k != nil {
		addr, e := s.address(1)
		return e != 0 || !s.k.Early(s.fd(0), addr)
	}
	if (s.num == unix.SYS_SENDTO || s.num == unix.SYS_SENDMSG) && s.k != nil && s.k.Joined() {
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
	if !s.k.Blocking(fd) && (s.k.PollKey(fd+1) == 0 || s.k.PollDeadline(fd+1, mode) != 0 || s.k.PollCheck(fd+1, mode, 0) != 0) {
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
	case process(c.M) == nil:
		return 0, 0, false
	case name == "internal/poll.runtime_pollWait":
		return c.Int(0) - 1, byte(c.Int(1)), true
	case name == rwlock: // also if it waits for another reader: which of them is inside makes no difference
		r, ok := atLock(c)
		return r.fd, 'r', ok
	case systemCalls[name]:
		s := lookingAt(c)
		switch effects[s.num] {
		case descriptor, nearEnd, reading:
			return s.fd(0), s.mode(), true
		}
	}
	return 0, 0, false
}

// systemCalls are the natives at the border.
var systemCalls = map[string]bool{
	"syscall.Syscall": true, "syscall.Syscall6": true, "syscall.RawSyscall": true, "syscall.RawSyscall6": true,
	"golang.org/x/sys/unix.Syscall": true, "golang.org/x/sys/unix.Syscall6": true,
	"golang.org/x/sys/unix.RawSyscall": true, "golang.org/x/sys/unix.RawSyscall6": true,
}

// faults lists what may go wrong with the call.
func (s *sys) faults() []kernel.Fault {
	if s.k == nil || !s.k.Faults.Any() {
		return nil
	}
	call, size := kernel.CallRead, 2
	switch s.num {
	case unix.SYS_READ, unix.SYS_RECVFROM:
		size = s.int(2)
	case unix.SYS_READV, unix.SYS_RECVMSG:
		size = 1
	case unix.SYS_WRITE, unix.SYS_SENDTO:
		call, size = kernel.CallWrite, s.int(2)
	case unix.SYS_WRITEV, unix.SYS_SENDMSG:
		call, size = kernel.CallWrite, 1
	case unix.SYS_CONNECT:
		call = kernel.CallConnect
	default:
		return nil
	}
	var room [4]kernel.Fault
	list := s.k.FaultsAt(room[:0], s.fd(0), call, size)
	if !s.can() { // there is nothing to cut short
		list = slices.DeleteFunc(list, func(f kernel.Fault) bool { return f == kernel.FaultShort })
	}
	return list
}

// choose does what was chosen before the call itself is made: it leaves its way, or
// the call is done already.
func (s *sys) choose() (e kernel.Errno, done bool) {
	choice, ways := s.c.Choice(), 0
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
func (s *sys) inject(f kernel.Fault) (e kernel.Errno, done bool) {
	if e = s.k.Inject(s.fd(0), f); e != 0 {
		return e, true
	}
	if f == kernel.FaultShort {
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
func (s *sys) idle() vm.Idleness {
	if s.k == nil {
		return vm.Waits
	}
	if fds, ok := s.watches(); ok {
		idle := vm.Waits
		for _, fd := range fds {
			switch is := idleAt(s.k, fd); {
			case is == vm.Serves:
				return is
			case is == vm.Attends:
				idle = is
			}
		}
		return idle
	}
	if s.mode() != 'r' {
		return vm.Waits
	}
	return idleAt(s.k, s.fd(0))
}

// idleAt tells what it means to wait until a descriptor can be read from.
func idleAt(k *kernel.Kernel, fd int) vm.Idleness {
	if k.Serving(fd) {
		return vm.Serves
	}
	if _, _, ok := k.WithPeer(fd); ok {
		return vm.Attends
	}
	return vm.Waits
}

// The runtime's poller. Word 0 is the number of a descriptor, shifted by one.

func pollTouches(c *vm.NativeCall, list []mem.Ptr) ([]mem.Ptr, bool) {
	return pollOwners(c, list, true)
}

// pollOwners lists the owners of a descriptor and, unless only the near end matters,
// of the far end of its connection.
func pollOwners(c *vm.NativeCall, list []mem.Ptr, near bool) ([]mem.Ptr, bool) {
	k := process(c.M)
	if k == nil {
		return list, true
	}
	fd := c.Int(0) - 1
	lends(c, k)
	var room [4]kernel.Owner
	owners, all := room[:0], k.Listens(fd)
	if k.Owned(fd) {
		owners, all = k.Owners(owners, fd, near)
	}
	all = all || !near && awaits(c, k, fd)
	return touched(c.M, k, list, owners, 1, all)
}

// pollReady: the wait is over. One with a deadline begins at once: the clock ends
// it.
func pollReady(c *vm.NativeCall) bool {
	k := process(c.M)
	if k == nil {
		return true
	}
	id, mode := c.Int(0), byte(c.Int(1))
	defer k.Failure()
	return k.PollDeadline(id, mode) != 0 || k.PollCheck(id, mode, c.M.Now()) != 0 || k.PollReady(id, mode)
}

func pollWaitTouches(c *vm.NativeCall, list []mem.Ptr) ([]mem.Ptr, bool) {
	list, all := pollOwners(c, list, pollReady(c))
	if k := process(c.M); k != nil && k.PollDeadline(c.Int(0), byte(c.Int(1))) > 0 {
		return list, true
	}
	return list, all
}

func pollDeadlineTouches(c *vm.NativeCall, list []mem.Ptr) ([]mem.Ptr, bool) {
	list, all := pollTouches(c, list)
	return list, all || int64(c.Word(1)) > 0
}

func init() {
	for name := range systemCalls {
		operations[name] = systemOperation
	}
	operations["internal/poll.runtime_pollWait"] = vm.Operation{
		Object: -1, Touches: pollWaitTouches, Ready: pollReady, Follows: inMethod,
		Idle: func(c *vm.NativeCall) vm.Idleness {
			if k := process(c.M); k != nil && c.Int(1) == 'r' {
				return idleAt(k, c.Int(0)-1)
			}
			return vm.Waits
		},
	}
	operations["internal/poll.runtime_pollClose"] = vm.Operation{Object: -1, Touches: pollTouches, Follows: inMethod}
	operations["internal/poll.runtime_pollUnblock"] = vm.Operation{Object: -1, Touches: pollTouches, Follows: inMethod}
	operations["internal/poll.runtime_pollSetDeadline"] = vm.Operation{Object: -1, Touches: pollDeadlineTouches, Follows: inMethod}
}
