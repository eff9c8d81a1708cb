package native

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// What a search must know of system calls: when one would have to wait, what it
// acts on, and in how many ways it can go.

// systemOperation is the operation of the natives at the border.
var systemOperation = vm.Operation{
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
	Idle: func(c *vm.NativeCall) vm.Idleness {
		s := lookingAt(c)
		defer looked(s)
		return s.idle()
	},
	Follows: func(c *vm.NativeCall) bool { return c.CallerPkg(effect.Beneath) == "internal/poll" },
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

// callRows are the rows of system calls by number.
var callRows = func() (rows [len(handlers)]*effect.Call) {
	for num := range rows {
		rows[num] = &unknownCall
	}
	for _, run := range sysNames {
		for i, name := range strings.Fields(run.names) {
			rows[int(run.first)+i] = effect.CallNamed(name)
		}
	}
	return rows
}()

// unknownCall is the row of numbers that no system call has.
var unknownCall effect.Call

func rowOf(num uint64) *effect.Call {
	if num < uint64(len(callRows)) {
		return callRows[num]
	}
	return &unknownCall
}

func (s *sys) row() *effect.Call { return rowOf(s.num) }

// kept reports whether the call is made by a package that keeps its descriptors
// in objects.
func (s *sys) kept() bool { return effect.Keepers[s.c.CallerPkg(effect.Beneath)] }

// acts adds what the call acts on.
func (s *sys) acts(f *effect.Footprint) {
	kept := s.kept()
	what := s.row().What(kept)
	switch {
	case s.k == nil:
		f.Write(processToken(s.c))
	case len(s.faults()) > 0: // whatever goes wrong here cannot go wrong elsewhere
		f.Everything = true
	case what == effect.Nothing:
	case what == effect.Own:
		f.Write(processToken(s.c))
	case what == effect.Time:
		f.Read(effect.Of(effect.Clock, s.k.Process))
	case what == effect.Anything, !kept && !s.rawActs(f, what):
		f.Everything = true
	case kept:
		s.keptActs(f, what)
	}
}

// keptActs is acts for a call that is made by a package that keeps its descriptors in
// objects.
func (s *sys) keptActs(f *effect.Footprint, what effect.What) {
	fd := s.fd(0)
	lent := lends(s.c, s.k)
	numbered := lent && !s.k.Names && s.row().Opens // others get other numbers
	var room [4]kernel.Owner
	owners, near, all := room[:0], 1, false
	switch {
	case what == effect.Makes:
		if lent {
			s.touchNext(f)
		}
		if numbered {
			f.Write(processToken(s.c))
		}
		return
	case what == effect.Connecting:
		addr, e := s.address(1)
		if e != 0 {
			f.Write(processToken(s.c))
			return
		}
		near = 0
		owners, all = s.k.ConnectOwners(owners, fd, addr)
	case !s.k.Owned(fd): // nobody knows it yet but the caller
		all = what == effect.Closing || s.k.Listens(fd) && !s.row().OnlyAsks()
		if n := numberOf(s.k, fd); s.c.M.HasUsers(n) {
			f.Write(numberToken(n))
		}
	case what == effect.Closing && (s.k.Listens(fd) || s.k.Binds(fd)): // others may connect to it by its address, or bind to that
		all = true
	case what == effect.Option && s.lendsAddress():
		all = true
	case what == effect.Outflow:
		owners, all = s.sendOwners(owners)
	default:
		owners, all = s.k.Owners(owners, fd, s.nearOnly(what))
	}
	all = all || awaits(s.c, s.k, fd) && !s.ready() || numbered || lent && !s.k.Names && what == effect.Closing
	how := s.row().Kept[0].How
	if what != effect.Closing && what != effect.Control && s.k.Named(fd) {
		f.Put(how, processToken(s.c))
	}
	tokens{f, s.c.M, s.k, how}.add(owners, near, all)
}

// nearOnly reports whether a call concerns the near end of a connection alone.
func (s *sys) nearOnly(what effect.What) bool {
	switch what {
	case effect.NearEnd, effect.Option, effect.Control:
		return true
	case effect.Inflow:
		return s.k.ReadsNear(s.fd(0), s.size()) && s.ready()
	}
	return false
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

// numberOfProcess is the number of the machine's process.
func numberOfProcess(m *vm.Machine) int {
	if k := process(m); k != nil {
		return k.Process
	}
	return 0
}

// processToken stands for all that the goroutines of the caller's process have in common.
func processToken(c *vm.NativeCall) effect.Token {
	return effect.Of(effect.Process, numberOfProcess(c.M))
}

// numberToken stands for what is behind a number, or for a port that counts as one.
func numberToken(n vm.Number) effect.Token {
	if n.FD < 0 {
		return effect.Token{Kind: effect.Port, Process: int32(n.Process), Number: kernel.PortNumber(0) - n.FD}
	}
	return effect.FD(n.Process, n.FD, n.Maker)
}

// tokens makes tokens of owners.
type tokens struct {
	f   *effect.Footprint
	m   *vm.Machine
	k   *kernel.Kernel
	how effect.How
}

// add adds the owners of what a call acts on. The first few are of the near end, the
// others may be known to other goroutines alone.
func (t tokens) add(owners []kernel.Owner, near int, all bool) {
	for i, o := range owners {
		var token effect.Token
		switch {
		case o.FD != 0:
			n := vm.Number{Process: o.Process, FD: o.FD - 1, Maker: o.Creator}
			if i < near && !t.m.HasUsers(n) {
				continue
			}
			token = numberToken(n)
		case o.Object != 0:
			token = effect.Whole(o.Process, mem.Ptr(o.Object))
		case o.Process != t.k.Process:
			token = effect.Token{Kind: effect.Goroutine, Process: int32(o.Process), Birth: o.Creator}
		default:
			all = true
			continue
		}
		token.Far = i >= near
		how := t.how
		if how&effect.Writes != 0 {
			how &^= effect.Reads // who changes it is among those already who matter to readers
		}
		t.f.Put(how, token)
	}
	t.f.Everything = t.f.Everything || all
}

// Ends tells what the end of a process acts on in others: the far ends of its connections.
func Ends(m *vm.Machine, f *effect.Footprint) {
	k := process(m)
	if k == nil {
		return
	}
	k.Lend(m.Lends())
	owners, all := k.ExitOwners(nil)
	tokens{f, m, k, effect.Writes}.add(owners, len(owners), all) // all of its own goroutines count anyway
}

// mode returns what a call waits for: to read, to write, or nothing.
func (s *sys) mode() byte {
	row := s.row()
	if !row.Waits() || row.Flags != 0 && s.fd(row.Flags)&unix.MSG_DONTWAIT != 0 {
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
	case process(c.M) == nil:
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

func pollActs(c *vm.NativeCall, f *effect.Footprint) { pollOwners(c, f, true) }

// pollOwners adds the owners of a descriptor and, unless only the near end matters,
// of the far end of its connection.
func pollOwners(c *vm.NativeCall, f *effect.Footprint, near bool) {
	k := process(c.M)
	if k == nil {
		f.Write(processToken(c))
		return
	}
	fd := c.Int(0) - 1
	lends(c, k)
	var room [4]kernel.Owner
	owners, all := room[:0], k.Listens(fd)
	if k.Owned(fd) {
		owners, all = k.Owners(owners, fd, near)
	}
	all = all || !near && awaits(c, k, fd)
	tokens{f, c.M, k, effect.Waits | effect.Writes}.add(owners, 1, all)
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

func pollWaitActs(c *vm.NativeCall, f *effect.Footprint) {
	pollOwners(c, f, pollReady(c))
	if k := process(c.M); k != nil && k.PollDeadline(c.Int(0), byte(c.Int(1))) > 0 {
		f.Wait(effect.Of(effect.Clock, k.Process))
	}
}

func pollDeadlineActs(c *vm.NativeCall, f *effect.Footprint) {
	pollActs(c, f)
	if int64(c.Word(1)) > 0 {
		f.Write(effect.Of(effect.Clock, numberOfProcess(c.M)))
	}
}

func init() {
	for name := range systemCalls {
		operations[name] = systemOperation
	}
	operations["internal/poll.runtime_pollWait"] = vm.Operation{
		Acts: pollWaitActs, Ready: pollReady, Follows: inMethod,
		Idle: func(c *vm.NativeCall) vm.Idleness {
			if k := process(c.M); k != nil && c.Int(1) == 'r' {
				return idleAt(k, c.Int(0)-1)
			}
			return vm.Waits
		},
	}
	operations["internal/poll.runtime_pollClose"] = vm.Operation{Acts: pollActs, Follows: inMethod}
	operations["internal/poll.runtime_pollUnblock"] = vm.Operation{Acts: pollActs, Follows: inMethod}
	operations["internal/poll.runtime_pollSetDeadline"] = vm.Operation{Acts: pollDeadlineActs, Follows: inMethod}
}
