package native

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// What system calls act on: the words of their rows as tokens, as things are.

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
	what := s.row().What(s.kept())
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
	case what == effect.Anything:
		f.Everything = true
	default:
		s.keptActs(f, what)
	}
}

// keptActs is acts for a call that is made by a package that keeps its descriptors in
// objects.
func (s *sys) keptActs(f *effect.Footprint, what effect.What) {
	fd := s.fd(0)
	var room [4]process.Owner
	owners, near, all := room[:0], 1, false
	switch {
	case what == effect.Makes:
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
	case what == effect.Closing && (s.k.Listens(fd) || s.k.Binds(fd)): // others may connect to it by its address, or bind to that
		all = true
	case what == effect.Option && s.lendsAddress():
		all = true
	case what == effect.Outflow:
		owners, all = s.k.Owners(owners, fd, false)
	default:
		owners, all = s.k.Owners(owners, fd, s.nearOnly(what))
	}
	if !s.ready() {
		awaits(f, s.k, fd)
	}
	how := s.row().Kept[0].How
	if what != effect.Closing && s.k.Named(fd) {
		f.Put(how, processToken(s.c))
	}
	tokens{f, drive.Of(s.c.M), s.k, how}.add(owners, near, all)
}

// nearOnly reports whether a call concerns the near end of a connection alone.
func (s *sys) nearOnly(what effect.What) bool {
	switch what {
	case effect.NearEnd, effect.Option:
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
	return s.fd(1) == linux.SOL_SOCKET && (opt == linux.SO_REUSEADDR || opt == linux.SO_REUSEPORT) && s.k.Binds(s.fd(0))
}

// awaits adds that anybody may connect to where a descriptor listens, and so let those go on
// who wait there. If there are no other processes, that is whoever connects to its own.
func awaits(f *effect.Footprint, k *kernel.Kernel, fd int) {
	switch {
	case !k.Listens(fd):
	case k.Joined():
		f.Everything = true
	default:
		f.Wait(effect.Of(effect.Process, k.Process))
	}
}

// numberOfProcess is the number of the machine's process.
func numberOfProcess(m *vm.Machine) int {
	if k := kernelOf(m); k != nil {
		return k.Process
	}
	return 0
}

// processToken stands for all that the goroutines of the caller's process have in common.
func processToken(c *vm.NativeCall) effect.Token {
	return effect.Of(effect.Process, numberOfProcess(c.M))
}

// tokens makes tokens of owners.
type tokens struct {
	f   *effect.Footprint
	m   *drive.Machine
	k   *kernel.Kernel
	how effect.How
}

// add adds the owners of what a call acts on. The first few are of the near end, the
// others may be known to other goroutines alone.
func (t tokens) add(owners []process.Owner, near int, all bool) {
	for i, o := range owners {
		var token effect.Token
		switch {
		case o.Object != 0:
			token = effect.Whole(o.Process, mem.Ptr(o.Object))
			if !t.m.KeepsNumbers() { // others may make calls on its number
				all = all || o.Process != t.k.Process
				t.f.Write(effect.Of(effect.Process, o.Process))
			}
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
func Ends(m *drive.Machine, f *effect.Footprint) {
	k := kernelOf(m.Machine)
	if k == nil {
		return
	}
	owners, all := k.ExitOwners(nil)
	tokens{f, m, k, effect.Writes}.add(owners, len(owners), all) // all of its own goroutines count anyway
}
