// Package vm executes bytecode: goroutines, calls, channels, maps, interfaces,
// defer and panic, over the byte memory of package mem. It has no clock, no
// input and no output of its own: those enter as native functions, which the
// caller supplies by name.
//
// A Machine is a cursor. It stands at one state, moves forward by executing
// goroutines, and moves back by Restore. Everything a program can observe lives
// in the heap, in the goroutines' stacks or in the Machine's few scalars, so
// that a state can be saved, compared and restored.
package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A Machine is one running program.
type Machine struct {
	Prog *bytecode.Program
	Heap *mem.Heap
	Host any // what the natives need: the modelled operating system

	funcs []fn
	fuel  int64 // calls and backward jumps until the next look around (see poll)
	kept  int64 // fuel that is left while poll is to be called soon

	cur  *G
	exit *Exit // set when the program has ended

	covering

	state scalars // what Mark saves by value
	call  NativeCall
	rt    runtimeState
	sched sched
	cursor

	// Idle, if not nil, is called when no goroutine is runnable, before the clock
	// moves. It reports whether it has made one runnable.
	Idle func(m *Machine) bool

	// Beyond is set when the running goroutine looks at or changes anything but its
	// stack and plain memory: a channel, a map, others, most natives. It is for
	// a driver to clear.
	Beyond bool

	// Messages, if not nil, is told of the values that go through channels when
	// they were sent and when they were received.
	Messages func(g *G, elem *bytecode.Type, send bool, value unsafe.Pointer)

	driver     Driver
	driven     bool // by somebody else
	asksAccess bool // see StopAtAccesses
	chanOp     ChanOp

	specialIndex specialIndex
	arrange      func(run []Special) // see CollectForced
	finalized    []uint64            // memory that EncodeFinalizers reuses
}

// scalars are the parts of a state that are neither heap nor stack.
type scalars struct {
	Counters
	special specialState
	bubbles bubbles
}

// An Exit says how a program ended.
type Exit struct {
	Code  int
	Kind  ExitKind
	Text  string          // what Go would print on standard error, traceback included
	Msg   string          // its first line
	Cause error           // for ExitUnsupported
	Where []bytecode.Line // the frames of the goroutine that ended it, the innermost first
	By    *G              // that goroutine, nil if it was nobody
	Stack []Place         // its frames, the innermost first; of very many those in the middle are left out
}

// A Place is where a function stands.
type Place struct{ Func, PC int32 }

// An ExitKind tells apart the ways a program can end.
type ExitKind uint8

const (
	ExitMain        ExitKind = iota // main.main returned
	ExitCall                        // os.Exit
	ExitPanic                       // an uncaught panic
	ExitFatal                       // a fatal error: deadlock, concurrent map write, stack overflow, out of memory...
	ExitUnsupported                 // the program needs something the machine does not have
	ExitInterrupted                 // Interrupt was called
)

// fn is a bytecode function made ready to run.
type fn struct {
	code    unsafe.Pointer // of its first Instr; nil for natives
	native  Native
	frame   int32
	params  int32
	results int32
	closure bool
	f       *bytecode.Func

	visible   bool // the driver is asked before it is called
	addresses bool // numbers among its arguments may be pointers

	points []int32       // register map of each instruction, made at first need
	param  *bytecode.Map // register map of the parameters, made at first need
}

// A Frame is one activation. Register i of it is word base+i of the goroutine's
// stack. It holds no host pointer, so a stack can be saved by copying.
type Frame struct {
	fn     int32 // function
	pc     int32 // the instruction being executed; of a suspended frame, its call
	base   int32
	kind   frameKind // what happens when it returns
	flags  uint8
	cont   uint16 // for kindCont: the continuation
	defers int32  // how many deferred calls it has pending
	turns  int32  // backward jumps of loops that do not count: see old
}

// A frameKind says who called a frame, hence what its return does.
type frameKind uint8

const (
	kindCall  frameKind = iota // a call instruction: goes on behind it
	kindEntry                  // nobody: the goroutine ends
	kindDefer                  // rundefers: executes that instruction again
	kindPanic                  // a panic that runs deferred calls: goes on unwinding
	kindCont                   // a native: calls its continuation
	kindPrint                  // an uncaught panic that prints its value
)

// A G is a goroutine.
type G struct {
	ID     int
	Parent int // who started it, 0 for the main goroutine
	GoFn   int32
	GoPC   int32 // where it was started: function and instruction of the go statement
	status gStatus
	wait   Wait // why it waits, when it does

	stack  []uint64 // words; frames overlap at their windows
	frames []Frame  // all slots; those below depth are in use
	depth  int      // frames in use

	defers    []Defer
	deferArgs []uint64
	panics    []Panic
	system    bool // not counted: runs a timer's callback or a finalizer
	member    member

	cases   []ChanCase // a native's channel operation, never changed in place
	noWait  bool       // that operation need not wait: it can also do nothing
	chosen  int32      // 1 + the case of it that another goroutine has completed, 0 for none
	chosenR bool       // whether that received a value
	waiters *waiter    // its places in wait lists
	atEnd   mem.Ptr    // whoever waits on this is woken when it ends
	gone    mem.Ptr    // this word is cleared then, unless it is 0

	serves SpecialKind // 1 + the kind of special that it calls, 0 if it calls none

	epoch uint64 // of the last mark at which it was saved

	Keeper any // what its driver keeps of it
}

// A gStatus is what a goroutine is doing.
type gStatus uint8

const (
	gRunnable gStatus = iota
	gWaiting          // cannot go on until something else happens; see Wait
	gDead
)

// A Wait says what a goroutine waits for. The instruction at its pc (or the
// native on top of its stack) is executed again when it wakes.
type Wait struct {
	Reason string  // as in Go's tracebacks: "chan receive", "select", "sync.Mutex.Lock", "sleep"
	Obj    mem.Ptr // channel, semaphore or other object; 0 if none or several
	Ticket uint64  // order among those that wait
	Wake   int64   // clock at which it wakes by itself, 0 for never
	parked int32   // depth of the native that waits, 0 if none does
	woken  bool    // the wait is over and that native does not know yet
}

// A Defer is a pending deferred call; its argument words (and closure pointer)
// are args..args+n of deferArgs.
type Defer struct {
	fn      int32 // -1: a nil func value, which panics when it is called
	frame   int32 // depth of the frame that runs it
	args, n int32
}

// A Panic is a panic (or Goexit) in progress.
type Panic struct {
	typ, data mem.Ptr // the interface value
	depth     int32   // frames when it was raised
	dframe    int32   // depth of the frame whose deferred call runs now
	goexit    bool
	recovered bool
	aborted   bool // a later panic took over

	fault      bool    // a fault of memory: Go reports a signal
	printing   bool    // its value's Error or String method was called
	repanicked bool    // the next panic has the same value
	text       mem.Ptr // what that method returned
	textLen    int
	hasText    bool
}

// status is what a helper of an instruction tells the interpreter to do next.
type status uint8

const (
	next   status = iota // go on behind the instruction
	reload               // frames changed: go on where the top frame says
	block                // the goroutine waits: stop executing it; the instruction will be executed again
	yield                // the goroutine stays runnable, others come first
	halt                 // the program has ended: m.exit is set
	pause                // the driver has stopped the goroutine before the instruction
)
