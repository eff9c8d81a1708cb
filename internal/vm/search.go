package vm

import (
	"cmp"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A machine that a search drives does not schedule. Each of its goroutines
// stands before a visible operation, one that others can see: of a channel, a
// lock, an atomic, the clock. Whether it can be done now follows from the state,
// so nobody waits in a queue: a receiver that stands before its operation is the
// same as one that waits. A step lets one goroutine do its operation and run up
// to the next one.
//
//	          step                                step
//	┌────────┴────────┐                  ┌───────┴───────
//	mu.Lock()  x++  y = f(x)  │  ch <- x  │  z = y ...
//	operation  └── block ───┘    operation
//
// The plain memory accesses between two operations are the goroutine's block.
// Two blocks that touch the same memory at the same time are a race (see
// block.go); without one, their order makes no difference.

// SearchOptions say how a search sees the program.
type SearchOptions struct {
	Operations map[string]*Operation                 // the visible natives, by the names under which they were supplied
	Exact      bool                                  // keys hold no digests: see Machine.digest
	Quiet      []string                              // functions of whose inside nothing can be seen: see quiet
	Quiescent  bool                                  // the clock moves only when nothing else can happen
	MapOrder   bool                                  // a range over a map begins at any entry
	Random     int                                   // how many seeds random numbers come from
	Fuel       int64                                 // calls and backward jumps after which a step ends, 0 for the default
	Access     bool                                  // plain accesses to shared memory are visible operations too: see gate.go
	NoBlocks   bool                                  // races are not looked for: states have no blocks
	MapBlocks  bool                                  // only races on maps are looked for
	Joined     bool                                  // there are other machines beside this one: see Together
	Process    int                                   // its number among them
	Ends       func(m *Machine, f *effect.Footprint) // tells what the end of a joined machine acts on
	Assume     *Assumptions                          // what reduction takes for granted, nil for nothing
	Listener   Listener                              // who observes messages on channels, nil for nobody
	Births     bool                                  // the births of goroutines belong to the state: see Birth
}

// defaultFuel is how many calls and backward jumps a step may take. A goroutine
// that takes more is stopped at a safepoint, so that loops without operations
// become cycles of states.
const defaultFuel = 20_000_000

// aloneFuel is after how many of them a goroutine stops at its next operation even
// if nobody else can see that, so that one that loops for ever comes to the same state soon.
const aloneFuel = 50_000

// An Operation is what a search must know of a visible native: its row, and what needs
// code to be found out.
type Operation struct {
	Row *effect.Row
	// Acts, if it is not nil, says instead of the row what it acts on as things are.
	Acts func(c *NativeCall, f *effect.Footprint)
	// Ready reports whether it can be done now. Nil means always.
	Ready func(c *NativeCall) bool
	// Choices returns in how many ways it can be done. Nil means one. The
	// native asks NativeCall.Choice which one.
	Choices func(c *NativeCall) int
	// Commutes reports whether it makes no difference, as things are, when others
	// act on the same. It is visible nevertheless.
	Commutes func(c *NativeCall) bool
	// Awaits returns how often others have to count down before a goroutine that waits here
	// goes on.
	Awaits func(c *NativeCall) int
	// Idle says whether a goroutine that waits here is waiting for the world
	// outside. Nil means that it never is.
	Idle func(c *NativeCall) Idleness
	// Follows reports whether the native goes on with the operation before it: if
	// that was a stop, this one is a stop only if it has to wait. Nil means that it
	// does not. Of an operation on memory it says that it is never a stop, and reads
	// what that depends on by Heap.Read.
	Follows func(c *NativeCall) bool
}

// An Idleness tells what it means that a goroutine waits.
type Idleness uint8

// The kinds of waiting.
const (
	Waits   Idleness = iota // for others, or for ever
	Serves                  // for somebody outside who begins something: all is done that there is to do
	Attends                 // for somebody outside who may go on; nothing is wrong with that as long as another one serves
)

// search is what a driven machine has besides.
type search struct {
	SearchOptions
	armed      bool  // the running goroutine does the operation at which it stands
	choice     int   // which of its alternatives
	mute       int   // accesses are not noted if it is positive
	inOp       bool  // an operation is being done: accesses are its own
	kept       int64 // fuel that is left while poll is to be called soon
	spent      bool  // the fuel of the step was used up
	back       bool  // the step jumped backwards, or moved the clock
	ended      bool  // while sets are closed: the goroutine that was tried has ended
	started    []*G  // goroutines that the step has started and that have not run yet
	movers     []*G  // goroutines that took part in the step
	op         Block // what the operation of the step has accessed
	cur        Block // what the running goroutine has accessed since its last operation
	scanned    int   // how much of cur was looked through by publishWrites
	races      []Race
	failed     []Failure
	left       []*G // see Left
	last       bool // the step has ended the program, and who took it was the last goroutine
	alts       []alternative
	known      bool // steps and moves are those of the current state
	steps      []Step
	moves      []bool // by goroutine: whether it takes part in one of the steps
	live       []bool
	teller     mem.Canon
	viewer     mem.Canon
	owners     mem.Masks // who can reach what, while goroutines are put in order
	path       []byte
	paths      pathTexts
	probe      NativeCall
	spare      *G          // a system goroutine that has ended
	probing    bool        // it is noted what the step touches
	trying     bool        // the step is taken for nothing else: see try
	touched    []mem.Ptr   // while probing: what operations acted on
	trail      Block       // while probing: all accesses
	progress               // of the step
	outside    bool        // the step has touched the clock or the process
	found      Assumptions // what turned out to be otherwise
	objects    []mem.Ptr   // see objectsOf
	footprint  effect.Footprint
	slots      []mem.Slot // see readsFixed
	abroad     []Abroad   // see sortTokens
	far        bool       // the operation acts on what the running goroutine need not be able to reach
	seen       []Abroad   // those of all steps of the goroutine whose needs are looked for
	conditions int        // how many conditions there are where steps are tried
	whole      bool       // one of them concerns other machines too, whatever it touches
	judging    bool       // it is found out who waits for ever
	used       map[Number][]string
	lent       bool   // births belong to the state because of users alone
	around     []byte // keys that comesBack compares
	start      []byte
	following  *G          // who is in an operation that began with a stop: see Operation.Follows
	watching   bool        // a condition of package verify is being evaluated
	clocked    bool        // one of them has looked at the clock, or at something else that is no object
	observed   []mem.ObjID // what conditions have read
	read       []mem.ObjID // what they read in the state that is being reduced
	reduction  reduction
	counts     bool // the program can ask how many goroutines there are
	collects   bool // the program can ask for a collection
	effects    effects
	key        stateKey
	sharer     mem.Sharer
	reacher    mem.Reacher
}

// searched is what a driven machine keeps of a goroutine.
type searched struct {
	path    string // its name: see adopt
	birth   string // see Birth
	births  uint32 // how many goroutines it has started
	ticket  uint64 // under which it is in a queue of the heap, 0 for none: see TakeTicket
	queue   mem.Ptr
	token   uint64 // what it is called in the heap, 0 for nothing: see Name
	where   where  // it stands in the code
	order   uint64 // its rank among those that stand there
	view    uint64 // a hash of all that it can reach, while goroutines are put in order
	shares  uint64 // a hash of what of that others can reach too, by its identity
	known   bool   // order and part are those of its current state
	local   *local // what is known of steps from its current state, nil if not looked up
	plain   bool   // in keys, its digest is all there is to tell of it
	part    mem.Part
	entry   int32 // the function that it was started with
	block   Block // its accesses to shared memory since its last operation; never changed in place
	launch  bool  // it stands behind a go statement that has not taken effect
	unborn  bool  // the go statement that starts it has not taken effect
	spun    bool  // it stands at a safepoint because it ran too long
	access  bool  // it stands before a plain access
	ending  bool  // it has ended but for its block
	exit    *Exit // it has ended the program but for its block
	arrived bool  // it was blocked when the clock moved or synctest.Wait returned: others may count on it
	atomic  int32 // how many calls of verify.Atomic it is in

	progress        // since its last jump back
	receipt  uint32 // how much it has received: see Receive
}

// checkedState is what a search adds to the scalars of a state.
type checkedState struct {
	seeded   bool // random numbers have a seed
	pruned   bool // an assumption does not hold: nothing follows
	observed bool // the program knows what time it is
	mainGone bool // main.main has returned
	watches  mem.Ptr
	nWatches int
}

// A Failure is something that the program itself says is wrong.
type Failure struct {
	Kind, Message string
	Where         []bytecode.Line // where the program says so, the innermost frame first
	Watch         mem.Ptr         // the condition that does not hold, if it is one
}

// Drive makes the machine, which was not started yet, be driven by a search, and
// runs it up to its first state.
func (m *Machine) Drive(o SearchOptions) {
	o.Fuel = cmp.Or(o.Fuel, defaultFuel)
	s := &search{SearchOptions: o}
	s.probe.M, s.probe.pushed = m, true
	m.search = s
	s.lend()
	quiet := make(map[string]bool, len(o.Quiet))
	for _, name := range o.Quiet {
		quiet[name] = true
	}
	for i := range m.funcs {
		f := &m.funcs[i]
		f.op = o.Operations[f.f.Native]
		if f.op != nil && s.looksAt(f.op, m) {
			f.op = nil
		}
		f.quiet = quiet[f.f.Name]
		f.harness = harnessOf(f.f)
		f.guarded = guards[f.f.Pkg]
	}
	m.canon.InsertionOrder = true
	m.canon.Custom = m.encodeTimer
	m.canon.Tick = m.relativeTick
	m.sched.frozen = true
	m.Heap.Access = m.access
	m.fixGlobals(true)
	m.Start()
	m.begin()
	m.advance(m.gs[0])
	m.finishStep()
	if m.initialises() {
		m.fixGlobals(false)
	}
	m.seal()
	m.order()
}

// looksAt notes what a native is about that a program has, and reports whether it is no
// operation.
func (s *search) looksAt(op *Operation, m *Machine) bool {
	s.counts = s.counts || op.Row.Has(effect.Count)
	s.collects = s.collects || op.Row.Has(effect.Garbage)
	return op.Row.Stop == effect.Never || op.Row.Stop == effect.Observes && m.observesOrdered()
}

// seal makes the base image. What only a goroutine that main has started can
// reach stays young, so that it is seen that nobody else can. What main alone can
// reach does not: most of that it hands on.
func (m *Machine) seal() {
	s := m.search
	for _, g := range m.gs {
		g.known = false // what was young is so no more
	}
	s.sharer.Begin(m.Heap)
	s.sharer.Globals()
	m.own(&s.sharer)
	m.Heap.TrackAll()
	m.Heap.Seal(func(id mem.ObjID) bool { return s.sharer.Only(id) > 1 })
	s.reacher.Base(m.Heap)
	m.share()
}

// fixGlobals says of the variables that only initialisation assigns to that they
// are written no more, or takes that back.
func (m *Machine) fixGlobals(on bool) {
	for i := range m.Prog.Globals {
		if m.Prog.Globals[i].Fixed {
			m.Heap.Fix(mem.ObjID(bytecode.GlobalBase+i), on)
		}
	}
}

// initialises reports whether packages are still being initialised.
func (m *Machine) initialises() bool {
	for _, g := range m.gs {
		if g.ID == 1 {
			return g.depth < 2 || m.funcs[g.frames[1].fn].f.Name != "main.main"
		}
	}
	return false
}

// alone reports whether there is only one goroutine and nothing that could
// start another one.
func (m *Machine) alone() bool {
	return len(m.gs) == 1 && m.state.numTimers == 0
}

// passes reports whether g need not stop before an operation on obj: nobody else
// can see it.
func (m *Machine) passes(g *G, obj mem.Ptr) bool {
	switch {
	case !g.system && m.sched.timerShape != 0 && m.Heap.ChanAux(obj) != 0:
		return false // the clock sees it
	case g.system || g.atomic > 0:
		return true
	case m.alone(), obj != 0 && !m.shared(obj):
		return m.search.Fuel-m.fuel-m.search.kept < aloneFuel
	}
	return !m.Heap.IsChan(obj) && m.quiet(g)
}

// shared reports whether others than the running goroutine may reach an object.
func (m *Machine) shared(obj mem.Ptr) bool {
	m.publishWrites()
	return m.Heap.Tracked(obj.Obj())
}

// gateChan decides whether g does its operation on a channel or stops before it.
func (m *Machine) gateChan(g *G, ch mem.Ptr, ready bool) status {
	s := m.search
	if s.armed {
		s.armed = false
		m.touches(ch)
		return next
	}
	if ready && m.passes(g, ch) {
		m.touches(ch)
		return next
	}
	return pause
}

// gateNative does the same for a visible native.
func (m *Machine) gateNative(c *NativeCall, op *Operation) bool {
	s := m.search
	if !op.Row.Memory {
		s.effects.opaque = true
	}
	if op.Row.Stop == effect.Itself {
		return true
	}
	if s.armed {
		s.armed = false
		s.following = nil
		if op.Row.Begins || op.Follows != nil && !op.Row.Memory && op.Follows(c) {
			s.following = c.G
		}
		m.touchesOp(c, op)
		return true
	}
	if op.Choices != nil && op.Choices(c) != 1 {
		return false
	}
	s.choice = 0
	if op.Row.Stop == effect.Chosen {
		return true
	}
	if op.Row.Stop == effect.Observes {
		if !m.passesObserved(c.G) {
			return false
		}
		m.touchesOp(c, op)
		return true
	}
	if op.Follows != nil && (op.Row.Memory || s.following == c.G) && m.follows(c, op) && m.nativeReady(c, op) {
		m.touchesOp(c, op)
		return true
	}
	if !m.passesNative(c, op) || !m.nativeReady(c, op) {
		return false
	}
	if op.Row.Begins {
		s.following = nil // the operation has begun without a stop
	}
	m.touchesOp(c, op)
	return true
}

// passesNative is passes for all that a native acts on.
func (m *Machine) passesNative(c *NativeCall, op *Operation) bool {
	if op.Acts != nil && !m.search.Joined && m.alone() {
		return m.passes(c.G, 0)
	}
	abroad := len(m.search.abroad)
	m.search.far = false
	list, outside := m.objectsOf(c, op)
	if len(m.search.abroad) > abroad {
		m.search.abroad = m.search.abroad[:abroad]
		if m.search.Joined {
			return false
		}
		outside = true // numbers of descriptors
	}
	if m.search.far && !m.alone() {
		return false
	}
	if outside && op.Acts != nil && !c.G.system && c.G.atomic == 0 && !m.alone() {
		return false // also in a function that is quiet: others may see the file that it writes
	}
	if outside || len(list) == 0 && op.Acts == nil {
		return m.passes(c.G, 0)
	}
	for _, obj := range list {
		if !m.passes(c.G, obj) {
			return false
		}
	}
	return true
}

// objectsOf lists what a native acts on, and reports whether all goroutines can
// reach something of it. The list is good until the next one is asked for. What is not of
// the heap is added to search.abroad.
func (m *Machine) objectsOf(c *NativeCall, op *Operation) (list []mem.Ptr, outside bool) {
	s := m.search
	s.objects = s.objects[:0]
	if op.Acts != nil {
		s.mute++
		s.footprint.Reset()
		op.Acts(c, &s.footprint)
		s.mute--
		outside = m.sortTokens(&s.footprint)
		return s.objects, outside
	}
	for _, a := range op.Row.Acts {
		switch a.What {
		case effect.Pointed:
			s.objects = append(s.objects, c.Ptr(a.Arg))
		case effect.Nothing, effect.Told:
		case effect.Time, effect.Own, effect.Observed, effect.Count:
			outside = true
		default:
			outside = true
			m.everywhere()
		}
	}
	if len(op.Row.Acts) == 0 {
		outside = true
		m.everywhere()
	}
	return s.objects, outside
}

// sortTokens sorts the tokens of a footprint: objects of the machine's own heap to
// search.objects, those of others and numbers to search.abroad. It reports whether all
// goroutines can reach something of it.
func (m *Machine) sortTokens(f *effect.Footprint) (outside bool) {
	s := m.search
	for _, list := range [...][]effect.Token{f.Reads, f.Writes, f.Waits} {
		for i := range list {
			t := &list[i]
			s.far = s.far || t.Far
			switch process := int(t.Process); t.Kind {
			case effect.Object:
				if process == s.Process {
					s.objects = append(s.objects, t.Ptr)
				} else if s.Joined {
					s.abroad = append(s.abroad, Abroad{Machine: process, Object: t.Ptr})
				}
			case effect.Goroutine:
				if s.Joined {
					s.abroad = append(s.abroad, Abroad{Machine: process, Birth: t.Birth})
				}
				outside = outside || process == s.Process
			case effect.Descriptor, effect.Port:
				n := Number{process, t.Number, t.Birth}
				if t.Kind == effect.Port {
					n.FD = -2 - t.Number // as kernel.PortNumber has it
				}
				if !t.Far || m.HasUsers(n) {
					s.abroad = append(s.abroad, Abroad{Machine: process, FD: n.FD + 1, Birth: n.Maker})
				}
			default:
				outside = true
			}
		}
	}
	if f.Everything {
		outside = true
		m.everywhere()
	}
	return outside
}

// everywhere notes that an operation acts on what all machines can reach.
func (m *Machine) everywhere() {
	if s := m.search; s.Joined {
		s.abroad = append(s.abroad, Abroad{Machine: Everywhere})
	}
}

// touchesOp notes what a native acts on.
func (m *Machine) touchesOp(c *NativeCall, op *Operation) {
	if !m.search.probing && !op.Row.Memory {
		return // nobody asks, and the step's effect is not noted
	}
	if m.search.probing && op.Commutes != nil && m.commutes(c, op) {
		return
	}
	list, outside := m.objectsOf(c, op)
	reads := op.Row.OnlyReads()
	for _, p := range list {
		if reads == 0 || !m.readsFixed(AccessTo(p, reads, false)) {
			m.touches(p)
		}
	}
	if outside && !c.G.system {
		m.search.outside = true
	}
	m.search.clocked = m.search.clocked || outside && m.search.watching
}

// follows asks whether a native goes on with the operation before it. What it reads
// for that belongs to the effect of the step, but is no access of the program.
func (m *Machine) follows(c *NativeCall, op *Operation) bool {
	m.search.mute++
	ok := op.Follows(c)
	m.search.mute--
	return ok
}

// commutes asks whether it makes no difference when others act on the same.
func (m *Machine) commutes(c *NativeCall, op *Operation) bool {
	m.search.mute++
	ok := op.Commutes(c)
	m.search.mute--
	return ok
}

func (m *Machine) nativeReady(c *NativeCall, op *Operation) bool {
	if op.Ready == nil {
		return true
	}
	m.opaque() // it does not tell what it looks at
	m.search.mute++
	ready := op.Ready(c)
	m.search.mute--
	return ready
}

// doNative calls a visible native.
func (m *Machine) doNative(c *NativeCall, callee *fn) Outcome {
	s := m.search
	for _, i := range callee.op.Row.Publishes {
		m.Heap.Publish(c.Ptr(i))
	}
	s.inOp = true
	out := callee.native(c)
	s.inOp = false
	return out
}

// callSearched is callNative for a visible native of a driven machine.
func (m *Machine) callSearched(c *NativeCall, callee *fn, bottom int32) (out Outcome, stop bool) {
	if !m.gateNative(c, callee.op) {
		m.pushNative(c.G, c.fn, bottom)
		return 0, true
	}
	return m.doNative(c, callee), false
}

// Choice returns which of its alternatives a native is to do.
func (c *NativeCall) Choice() int {
	if s := c.M.search; s != nil {
		return s.choice
	}
	return 0
}

// Driven reports whether a search drives the machine.
func (m *Machine) Driven() bool { return m.search != nil }

// Observed notes that the program has looked at the clock.
// That of package initialisation does not count: what it keeps is the same in
// every state.
func (m *Machine) Observed() {
	g := m.cur
	if m.search == nil || g == nil || g.system {
		if m.search != nil && m.search.watching {
			m.search.clocked = true
		}
		return
	}
	m.search.outside = m.search.outside || !m.untimed()
	if g.ID == 1 && (g.depth < 2 || m.funcs[g.frames[1].fn].f.Name != "main.main") {
		return
	}
	m.state.checked.observed = true
}

// TouchProcess notes that the running goroutine looks at or changes something that all
// goroutines of the process share and that no object stands for, as the generator of
// random numbers.
func (m *Machine) TouchProcess() {
	if s := m.search; s != nil {
		s.outside, s.clocked = true, s.clocked || s.watching
	}
}

// Common returns what all goroutines of a machine have in common that is no memory: the time,
// and the state of the generator of random numbers. Said tells whether the running step has
// noted that it acts on such a thing.
func (m *Machine) Common() (now int64, random uint64, said bool) {
	return m.state.now, m.state.rng, m.search != nil && m.search.outside
}

// launched is called when g has executed a go statement that made child.
func (m *Machine) launched(g *G, child *G) {
	s := m.search
	if m.alone2(g, child) {
		if m.initialises() {
			m.fixGlobals(false) // there are two now while one of them still assigns
		}
		m.Heap.TrackAll()
	}
	if g.path != "" && child.entry <= g.entry {
		// One goroutine may follow the other in a cycle of states, as in func f()
		// { …; go f() }. Where none of them jumps back, and each starts functions of
		// higher numbers only, there is no such cycle: of those that move, those of
		// the lowest number are not born in it and only get ahead.
		s.back = true
	}
	f := &m.funcs[child.frames[0].fn]
	mp := m.paramMap(f)
	for k, w := range child.stack[:min(f.words(), len(child.stack))] {
		if k/64 < len(mp.Ptrs) && mp.Ptrs[k/64]>>(k%64)&1 != 0 {
			m.Heap.Publish(mem.Ptr(w))
		}
	}
	if g.system || len(s.cur) == 0 && len(g.block) == 0 {
		s.started = append(s.started, child)
		return
	}
	child.unborn, g.launch = true, true
}

// alone2 reports whether g and child are all there is.
func (m *Machine) alone2(g, child *G) bool {
	for _, o := range m.gs {
		if o != g && o != child {
			return false
		}
	}
	return true
}

// opcodeAt is the instruction at which g stands, nil if it is a native.
func (m *Machine) opcodeAt(g *G) *bytecode.Instr {
	fr := &g.frames[g.depth-1]
	f := &m.funcs[fr.fn]
	if f.code == nil {
		return nil
	}
	return &f.f.Code[fr.pc]
}
