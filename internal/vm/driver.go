package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A Driver decides which goroutine runs when, and what is left open by the
// language: which case of a select, where a range over a map begins. A machine
// is its own driver, with run queues and a clock (see selfDriver), until Drive
// gives it another one.
//
// The machine tells its driver what goroutines are about to do, before they do
// it. A driver that says no stops the goroutine there: Execute returns, and the
// goroutine asks again when it is executed the next time.
type Driver interface {
	// New returns a G for a goroutine that is about to be made. All of its
	// fields are zero but those that hold memory which can be used again.
	New(system bool) *G
	// Started is told that g was made, by a go statement of another goroutine or,
	// if by is nil, in another way. It reports whether that goroutine stops
	// at its go statement. A goroutine that waits already must not run before it is woken.
	Started(by, g *G) (stop bool)
	// Goroutines calls yield for those that have not ended, and perhaps for
	// some that have.
	Goroutines(yield func(*G) bool)
	// Changing is told before a goroutine changes, also when it is about to run.
	// It is saved if that is its first change since a mark.
	Changing(g *G, saved bool)
	// Parked is told that a goroutine waits, and Readied that it does so no more.
	Parked(g *G)
	Readied(g *G)
	// Ended is told that a goroutine has nothing left to execute. The driver
	// calls Bury, at once or later.
	Ended(g *G)
	// Returned is told that main.main has returned, and reports whether that
	// ends the program.
	Returned() bool
	// Wake makes up to n goroutines go on that wait on obj by NativeCall.Park,
	// all if n is negative. It returns how many. Waiters tells how many wait.
	Wake(obj mem.Ptr, n int) int
	Waiters(obj mem.Ptr) int
	// Safepoint is asked whether g goes on when it has used up its fuel, or when
	// something else had to be looked after. If not, Execute returns.
	Safepoint(g *G) bool

	// Channel is asked before an operation on channels, if the machine does not
	// drive itself. It returns the case that is to be done, -1 for none, or that
	// the goroutine stops before the operation.
	Channel(o *ChanOp) (chosen int, ok bool)
	// Native is asked before a native is called of which SetVisible was said.
	// NativeDone is told when it has returned.
	Native(c *NativeCall) bool
	NativeDone(c *NativeCall)
	// Access is asked before an instruction that accesses memory, in the frame
	// at fp, if StopAtAccesses was called.
	Access(g *G, fp unsafe.Pointer, in *bytecode.Instr) bool
	// MapRange is asked at which entry a range over a map begins, -1 for the
	// usual order. The map has more than one.
	MapRange(g *G, mp mem.Ptr) (first int, ok bool)
	// Status is what tracebacks say of a goroutine that neither runs nor waits.
	Status(g *G) string
	// Noted is told what the running goroutine has seen or done beside that.
	Noted(n Note, obj mem.Ptr)
}

// A Note is something that a goroutine has seen or done that is neither an
// operation of its own nor an access to memory.
type Note uint8

// The notes.
const (
	ClockRead       Note = iota // it has seen what time it is
	ProcessTouched              // it has seen or changed what all goroutines share and no object stands for
	KeyTold                     // the main goroutine has got a key of a map from an iterator
	KeyToldOthers               // somebody else may have
	EntriesMissed               // a range over a map has left out entries that were added meanwhile
	CollectionAsked             // it asks for a collection
	Collected                   // the heap was collected, whoever asked for it
	TimerSet                    // a timer is about to be set that calls a function
	Numbered                    // it has got a pointer as a number; the object is that of the pointer
	NumberedInside              // the same, where the library is the only one that will look at it
	Aligned                     // the program asks whether a pointer to an object without pointers is aligned
)

// Drive makes the machine, which was not started yet, be driven by d. Execution
// takes no time then.
func (m *Machine) Drive(d Driver) {
	m.driver, m.driven = d, true
	m.sched.frozen = true
}

// Driver returns who drives the machine.
func (m *Machine) Driver() Driver { return m.driver }

// Driven reports whether somebody else drives the machine.
func (m *Machine) Driven() bool { return m.driven }

// StopAtAccesses makes the machine ask its driver before each access to memory.
func (m *Machine) StopAtAccesses() { m.asksAccess = true }

// SetVisible makes the machine ask its driver before it calls a native. If
// Addresses is set, numbers among its arguments may be pointers, as those of
// system calls.
func (m *Machine) SetVisible(native int, addresses bool) {
	m.funcs[native].visible, m.funcs[native].addresses = true, addresses
}

// Execute runs g until its driver stops it, it waits, or it ends. It reports
// whether g could go on at once.
func (m *Machine) Execute(g *G) (yields bool) {
	outer, call := m.cur, m.call
	m.cur = g
	st := m.exec(g)
	m.cur, m.call = outer, call
	return st == yield
}

// Current returns the goroutine that runs, nil if none does.
func (m *Machine) Current() *G { return m.cur }

// SetExit ends the program, or with nil makes it go on.
func (m *Machine) SetExit(e *Exit) { m.exit = e }

// SetFuel says after how many calls and backward jumps the driver is asked
// whether the running goroutine goes on. FuelLeft is how many are left.
func (m *Machine) SetFuel(n int64) { m.fuel, m.kept = n, 0 }

// LookUp makes the driver be asked after n of them already, with those left that are left.
func (m *Machine) LookUp(n int64) {
	if m.fuel > n {
		m.kept, m.fuel = m.kept+m.fuel-n, n
	}
}

// FuelLeft is negative if all fuel was used.
func (m *Machine) FuelLeft() int64 { return m.fuel + m.kept }

// MoveClock moves the clock to a time, unless that has passed.
func (m *Machine) MoveClock(to int64) { m.state.Now = max(m.state.Now, to) }

// Counters are the numbers of a state that are not in the heap.
type Counters struct {
	NextG  int    // number of the next goroutine
	Ticket uint64 // order in which goroutines began to wait
	Now    int64  // the virtual clock, nanoseconds
	Rng    uint64 // state of the schedule's random choices

	Timers    mem.Ptr // table of the active timers that call functions, in the heap
	NumTimers int     // how many there are
}

// Counters returns the numbers of the current state.
func (m *Machine) Counters() Counters { return m.state.Counters }

// Perturb changes the state of the random choices.
func (m *Machine) Perturb(by uint64) { m.state.Rng ^= by }
