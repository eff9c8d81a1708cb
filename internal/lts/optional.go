package lts

import "github.com/heddle-mc/heddle/internal/diag"

// A Reducer knows, from what its steps read and write, which of them need not
// be explored here because they can be explored later (a stubborn set).
type Reducer interface {
	// Reduced appends a subset of the enabled steps, in the order of Enabled. It
	// is empty only if no step is enabled and depends on the state alone, never
	// on the search, so that the reduced graph is one and the same for every
	// search. It keeps all findings and all states without successors, also in a
	// search that follows all steps of some states, whichever they are.
	Reduced(dst []Step) []Step
}

// A Checker finds faults. Both methods leave the state as it is. What they
// append is copied by the caller and may be nothing, nearly always.
type Checker interface {
	// CheckState appends what is wrong with the current state. It depends on the
	// state alone; a search asks once for each state.
	CheckState(dst []diag.Finding) []diag.Finding
	// CheckStep appends what was wrong with the step just taken. It is called
	// right after Take, also if the step led to a state seen before.
	CheckStep(dst []diag.Finding) []diag.Finding
}

// A Finisher tells the end of a run from a deadlock. Without it, each state in
// which no step is enabled is a deadlock.
type Finisher interface {
	// Final reports whether nothing more is expected to happen here. It is
	// asked only where no step is enabled.
	Final() bool
}

// A Bounded system may come to a state that it refuses to go on from: one of
// its bounds is reached, or the next operation is not supported. No step is
// enabled there.
type Bounded interface {
	// Beyond returns why there are no steps, or nil if none are missing. It
	// is asked only where no step is enabled.
	Beyond() error
}

// A system with Actors consists of threads, processes or other sequential
// parts, and says whose steps its steps are.
type Actors interface {
	// Actor returns the number of the actor that takes s, which is enabled, or
	// was before the step just taken if it was that one. In states with equal
	// keys actors have equal numbers.
	Actor(s Step) int
	// Mover returns the actor that took the last step, under the number which
	// it has in the current state, or -1 if it is gone. It is called right
	// after Take.
	Mover() int
}

// A system with Libraries knows which code was not written by those who ask.
type Libraries interface {
	Actors
	// InLibrary reports whether an actor stands in such code, before an operation that is not its user's.
	InLibrary(actor int) bool
}

// A system with Individuals tells its actors apart on the whole of a path. The numbers of [Actors]
// change when actors come and go.
type Individuals interface {
	// Individual returns a number of the one who takes s, which is enabled. On a path from the initial state
	// nobody else has that number. Outside says that the step is not one of the program's own parts: the clock's.
	Individual(s Step) (who uint64, outside bool)
}

// A Seeded system has keys that are hashes, so two states may have one key.
type Seeded interface {
	// Seed makes keys depend on a number, so that nobody who does not know it can prepare such states, and goes to the initial state.
	Seed(n uint64)
}

// A Causal system tells what its steps acted on, so that it is known which of them could have come in another order.
type Causal interface {
	Individuals
	// NoteActs makes steps note what they act on, or ends that.
	NoteActs(on bool)
	// Acts tells of the step just taken.
	Acts(a *Acts)
}

// Acts are what a step acted on.
type Acts struct {
	Movers []uint64 // who took part, by the numbers of Individual: also those that it has let go on, or started
	// Ordered are what its operations acted on. Whoever acts on the same later comes after it.
	Ordered []Place
	All     bool // it acted on what all have in common
	// Open are accesses that nothing orders before the next step of who has made them. Two of them that conflict are wrong if no step
	// comes between them.
	Open []Open
}

// A Place is some bytes of a thing.
type Place struct {
	Thing  uint64
	Lo, Hi uint32
	Write  bool
}

// Conflicts reports whether two places have bytes in common of which one is written.
func (p Place) Conflicts(o Place) bool {
	return p.Thing == o.Thing && (p.Write || o.Write) && p.Lo < o.Hi && o.Lo < p.Hi
}

// An Open access was made by somebody, somewhere in the code.
type Open struct {
	Place
	Who, Where uint64
	Atomic     bool // it conflicts only with others that are not
}

// A system with Work counts how much it has executed, so that time can be shared out in equal runs equally.
type Work interface {
	// Work returns how much was done since the system was made, whatever was undone of it, in units of some 30 ns of an
	// ordinary computer.
	Work() int64
}

// A Foreseer knows where some steps lead without taking them.
type Foreseer interface {
	// AppendNextKey appends the key of the state that s leads to, which is
	// enabled, and leaves the state as it is. It reports false, and appends
	// nothing, if the step must be taken to know that, or if CheckStep would
	// find something.
	AppendNextKey(dst []byte, s Step) ([]byte, bool)
	// NextLabel returns the label that Take would return for s, which is enabled.
	NextLabel(s Step) Label
}

// A Clocked system has a clock that is held back in some states, because others can move.
type Clocked interface {
	// Held reports whether the clock is held back in the current state.
	Held() bool
	// Runners returns those who can move in the current state, but for the clock, and Moved those who have
	// moved in the step just taken. Each has a bit, which it may share with others.
	Runners() uint64
	Moved() uint64
	// Circles tells the system that the clock can be held back forever.
	Circles()
}

// A Tracer tells which parts of its program it executes: functions, which have
// numbers. Settings of the system say whether it notes them at all.
type Tracer interface {
	// Traced appends the numbers of the parts that were executed since the last
	// call, or since the system was made, for whatever was asked of the system.
	Traced(dst []uint32) []uint32
	// Standing appends the numbers of the parts that the current state is in the
	// middle of: what they do next is part of what the state means.
	Standing(dst []uint32) []uint32
}

// A Namer gives labels as text, for graphs and for comparing them.
type Namer interface {
	// LabelText returns the text of a label that this System returned.
	LabelText(l Label) string
}

// A Describer tells steps in words.
type Describer interface {
	// Describe does what Take does, slower, and says what happened.
	Describe(s Step) Event
}

// An Event is a step in words.
type Event struct {
	Actor   string // who moved
	Action  string // what it did, one line
	Pos     diag.Pos
	Changed []Change // what has other values than before
	Touched []Touch  // what it acted on, for telling which steps depend on each other
	// Messages are what went between the actor and others, in order.
	Messages []Message
	// Kept are the actors that could have moved while time passed in the step, and Passed is how much time
	// that was, in nanoseconds.
	Kept   []string
	Passed int64
	// Library says that it is an operation of code that was not written by those who ask.
	Library bool
}

// A Message went from one to another, of whom one is an actor, and the other may
// be outside of the system.
type Message struct {
	From, To string
	Text     string // in short, one line
}

// A system with a Preface tells what went between its actors and others before
// the initial state, where nothing else could have happened.
type Preface interface {
	// Before returns events with messages, in order.
	Before() []Event
}

// A Change is a value before and after a step. A value that does not exist is
// the empty string.
type Change struct{ Name, Old, New string }

// A Touch is a thing that a step acted on. Two touches of one thing depend on
// each other unless both only read. Things are named for comparison, not for the
// reader.
type Touch struct {
	Thing string
	Write bool
}

// A system with Waiters says of actors that cannot move what they wait for.
type Waiters interface {
	// Waiting tells of each actor that has no step here, in the order of their
	// numbers.
	Waiting() []Waiting
}

// A Waiting is an actor that waits.
type Waiting struct {
	Actor     string
	For       string // in words: "receive on results (chan int, 0/0)"
	Pos       diag.Pos
	Releasers []string // actors that could have let it go on; none if nobody can
	On        []string // the things that it waits for, as Touch names them; none if it is not known
}

// A Witness tells where the sides of a finding came from, or those whom it is about.
type Witness interface {
	// Stacks returns a stack for each side of a finding of the step just taken, or of the state it led to; none if it does not know
	// them. It is asked right after the step.
	Stacks(f diag.Finding) []Stack
}

// Waits is the action of somebody who is blocked forever.
const Waits = "wait"

// A Stack is where an actor stood when it did something.
type Stack struct {
	Actor   string
	Action  string  // what it did: read, write, Waits, or the kind of a finding that ends the program
	Of      string  // what it has read or written, as the source calls it there, or ""
	Frames  []Frame // the innermost first
	Started []Frame // where the actor was started; empty if that is not known
}

// A Frame is a function that an actor is in, and where it stands there.
type Frame struct {
	Func    string
	Pos     diag.Pos
	Library bool // not written by those who ask
}

// An Observed system tells what its steps did, as far as somebody wants to compare
// it with what another system does. Between two observations of different steps
// nothing else happened that is wanted to be known.
type Observed interface {
	// Observed appends what happened in the step just taken, in order or, right
	// after Reset, on the way to the initial state.
	Observed(dst []Observation) []Observation
}

// An Observation is something that happened, under the name by which it is compared.
type Observation struct {
	Actor  string
	Action string
	Pos    diag.Pos
}

// A Live system tells what a search for loops has to know: a loop is a way in which the
// system may go on for ever only if nobody is left behind in it who could always go on.
// Its actors have numbers of their own, from 0 on, in each state.
type Live interface {
	// Stand tells of the current state.
	Stand(s *Stance)
	// Move tells of the step just taken.
	Move(m *Motion)
	// Promise returns the finding that a promise is not kept, which is owed in the current
	// state: on a run that goes on for ever.
	Promise(n int) diag.Finding
}

// A Stance is what a search for loops has to know of a state.
type Stance struct {
	Actors int
	Able   []int32 // actors that can move, in ascending order
	Owed   []int32 // promises that were made and are not kept yet, in ascending order
	// Outside says that somebody outside may still act, of whom nothing is known: what is here need not
	// stay so for ever.
	Outside bool
	// Over says that nothing more is expected, whatever some actors still do.
	Over bool
}

// A Motion is what it has to know of a step.
type Motion struct {
	After  []int32 // by actor before the step: its number after it, -1 if it is gone
	Movers []int32 // actors that took part, by their numbers before the step, in ascending order
	// Progress says that something was passed on, has begun or ended; Look, that nothing was changed: the
	// step was a look or an attempt that failed. It may be neither.
	Progress, Look bool
	// Asked says that the step is an outcome of a choice that may be the same each time: nothing is known of
	// who chooses.
	Asked bool
}

// Steps appends the steps that a search follows from here: the reduced ones if
// reduce is set and the system knows how, and otherwise the enabled ones.
func Steps(sys System, dst []Step, reduce bool) []Step {
	if r, ok := sys.(Reducer); ok && reduce {
		return r.Reduced(dst)
	}
	return sys.Enabled(dst)
}
