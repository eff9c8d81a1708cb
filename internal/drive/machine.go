package drive

import (
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A Machine is a machine of the language that is driven by steps. It stands at one
// state: each goroutine stands before an operation, or waits.
type Machine struct {
	*vm.Machine
	opts  Options
	funcs []function
	gs    []*G // the live goroutines in the order of the state

	checked checkedState // what it adds to the state of the machine of the language
	running
	stepped
	listing
	ordering
	conditions
	listening
	reducing
	fairness
	effects  effects
	key      stateKey
	log      undoLog
	met      Met
	outcomes map[string]bool
	pools    libraryPools
	origins  origins
	deep     *bool // see comparesDeeply
}

// running is what is known while a step is being taken.
type running struct {
	armed     bool          // the running goroutine does the operation at which it stands
	choice    int           // which of its alternatives
	mute      int           // accesses are not noted if it is positive
	inOp      bool          // an operation is being done: accesses are its own
	buffers   bool          // it accesses more than what it acts on, as a system call its buffer
	selecting bool          // it is a channel operation of a native
	spent     bool          // the fuel of the step was used up
	slice     int64         // how much there was
	halted    bool          // see Halted
	work      int64         // see Work
	following *G            // who is in an operation that began with a stop: see Operation.Follows
	pace      pace          // how far a goroutine goes that is tried: see spin.go
	writes    int           // to shared memory, while it goes by operations
	lone      *G            // who moves, if all others wait for it: see alone
	started   []*G          // goroutines that the step has started and that have not run yet
	spare     *G            // a system goroutine that has ended
	cur       Block         // what the running goroutine has accessed since its last operation
	scanned   int           // how much of cur was looked through by publishWrites
	elsewhere bool          // see OthersRun
	probing   bool          // it is noted what the step touches
	noting    bool          // and also what commutes with what others do
	trying    bool          // the step is taken for nothing else: see try
	unknown   bool          // the operation acts on what the running goroutine need not be able to reach, as the far end of a connection
	probe     vm.NativeCall // see nativeCall
	lists
}

// lists are room that is used again and again.
type lists struct {
	alts      ways
	objects   []mem.Ptr // see objectsOf
	footprint effect.Footprint
}

// stepped is what the last step has done.
type stepped struct {
	movers  []*G  // goroutines that took part in it
	back    bool  // it jumped backwards, or moved the clock
	outside bool  // it has touched something that all goroutines share
	last    bool  // it has ended the program, and who took it was the last goroutine
	op      Block // what its operation has accessed
	opBy    *G    // who has done it
	races   []Race
	failed  []Failure
	stances []stance // room
	left    []*G     // see Left
	progress
	clockRead  bool           // it has looked at the time
	ticked     bool           // it was one of the clock
	passed     int64          // see Passed
	clockMoved bool           // and has moved it by that: see lookAtClock
	touched    []effect.Token // while probing: what operations acted on
	loads      Block          // while probing: what operations have read and nothing else
	trail      Block          // while probing: all plain accesses
	far        []effect.Token // what operations act on that is not an object of this machine
}

// listing is what can happen in the current state.
type listing struct {
	known   bool // steps and moves are those of the current state
	steps   []Step
	moves   []bool // by goroutine: whether it takes part in one of the steps
	busy    bool   // see Busy
	several bool   // several can run, each of its own
	held    bool   // see Held

	outer   int       // how many steps of clocks are those of the clock outside of bubbles
	ticking []ticking // the clocks of bubbles that can take steps
	rooted  []int     // see rootBubbles
	live    []bool    // see Stuck
}

// ordering is what is needed to put goroutines in order, and to tell states.
type ordering struct {
	canon   mem.Canon
	teller  mem.Canon
	viewer  mem.Canon
	peers   mem.Masks // who can reach what, while goroutines are put in order
	ranks   ranking   // of these
	ordered bool      // the views of those that tie are those of this state
	path    []byte
	paths   pathTexts
	sharer  mem.Sharer
	reacher mem.Reacher

	isGlobal func(mem.ObjID) bool // reacher.Global, once it was needed
	keyed    keyed                // nil if keys tell nothing of the state outside
}

// conditions is what is known of the conditions of package verify.
type conditions struct {
	watching bool        // one is being evaluated
	clocked  bool        // one of them has looked at the clock, or at something else that is no object
	looked   []mem.ObjID // what they have read
	number   int         // how many there are where steps are tried
	ends     bool        // the program has ended: only promises are looked at
}

// reducing is what is known while it is found out what steps act on.
type reducing struct {
	owners   owners
	told     told
	unfit    Views      // views that do not fit
	slots    []mem.Slot // room
	around   []byte     // keys that comesBack compares
	start    []byte
	counts   bool // the program can ask how many goroutines there are
	collects bool // the program can ask for a collection
	expects  bool // and not only package testing can, so that one may come before what it makes a difference to
}

// checkedState is what is added to the scalars of a state.
type checkedState struct {
	seeded   bool  // random numbers have a seed
	pruned   bool  // an assumption does not hold: nothing follows
	observed bool  // the program knows what time it is
	mainGone bool  // main.main has returned
	queues   bool  // some goroutine is queued: see queue.go
	late     int64 // how much time has passed since all waited
	ticks    int   // how often the clock has moved since the program has seen it, times loneLooks
	watches  mem.Ptr
	nWatches int
	promises promises
}

// A G is a goroutine of a driven machine.
type G struct {
	vm.G
	kept
}

// of returns the goroutine that a goroutine of the language belongs to, nil if that is nil.
func of(g *vm.G) *G {
	if g == nil {
		return nil
	}
	return g.Keeper.(*G)
}

// Current returns the goroutine that runs, nil if none does.
func (m *Machine) Current() *G { return of(m.Machine.Current()) }

// GOf returns the goroutine that a goroutine of the language belongs to. Its machine must
// be driven.
func GOf(g *vm.G) *G { return of(g) }

// kept is what a goroutine has besides.
type kept struct {
	identity
	digest
	standing
	block Block // its accesses to shared memory since its last operation; never changed in place

	progress        // since its last jump back
	receipt  uint32 // how much it has received: see Receive
}

// identity is by what names a goroutine is known.
type identity struct {
	path   string // its name: see adopt
	birth  string // see Birth
	births uint32 // how many goroutines it has started
	ticket uint64 // under which it is in a queue of the heap, 0 for none: see TakeTicket
	queue  mem.Ptr
	token  uint64 // what it is called in the heap, 0 for nothing: see Name
	entry  int32  // the function that it was started with
	made   int32  // where it was started: see originOf
	start  int32  // where the user's code has started it, or the library that has
}

// digest is what was computed from a goroutine's state.
type digest struct {
	known  bool   // order and part are those of its current state
	plain  bool   // in keys, its digest is all there is to tell of it
	rivals bool   // it stands before an operation of a kind that has rivals
	where  where  // it stands in the code
	order  uint64 // its rank among those that stand there
	view   uint64 // a hash of all that it can reach, while goroutines are put in order
	shares uint64 // a hash of what of that others can reach too, by its identity
	local  *local // what is known of steps from its current state, nil if not looked up
	part   mem.Part
}

// standing is how a goroutine stands where it does.
type standing struct {
	launch  bool     // it stands behind a go statement that has not taken effect
	unborn  bool     // the go statement that starts it has not taken effect
	spun    bool     // it stands at a safepoint because it ran too long
	spent   int64    // how many calls and backward jumps it has taken then, see span
	access  bool     // it stands before a plain access
	ending  bool     // it has ended but for its block
	exit    *vm.Exit // it has ended the program but for its block
	arrived bool     // it was blocked when the clock moved or synctest.Wait returned: others may count on it
	queued  uint16   // its number among those who are certain to wait at a channel, 0 if it need not have come: see queue.go
	decided uint16   // the case, counted from 1, for which its select is decided, 0 for none
	atomic  int32    // how many calls of verify.Atomic it is in
	pinned  bool     // see Pin
	settled bool     // its block was there when finalizers and cleanups began: see settle
	creeps  uint16   // how often it has looked at a clock that creeps, since then
	looks   uint8    // how often it has looked at the clock since that has moved otherwise: see lookAtClock
	solo    uint8    // how many steps it has taken while others waited for it: see isolate
	glances uint8    // how often a package of the network has for it since the clock has moved
}

// Of returns the driven machine that a machine of the language belongs to, nil if it
// drives itself. What natives tell a machine that is nil has no effect.
func Of(m *vm.Machine) *Machine {
	h, _ := m.Driver().(*hooks)
	return (*Machine)(h)
}
