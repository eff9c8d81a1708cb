// Package lts is the contract between what is checked and what checks it: a
// labelled transition system, seen through a cursor that stands at one of its
// states.
//
//	                Take(s)
//	        ┌──────────────────────►┐
//	   state ── Enabled: s, t, u    state'
//	     ▲  ◄───────────────────────┘
//	     │         Restore(m)
//	m = Save()
//
// A cursor, because an undo log and live peers make copies of a state dear. A
// search that wants to be at two states at once uses two Systems, and work
// travels between them as a [Path]: the steps from the start.
//
// The package knows neither what a state is made of nor how states are
// searched. What a system can do beyond the contract (reduce, check, name its
// actors, tell its steps in words) it shows by implementing one of the small
// interfaces of optional.go. Package ltstest has the suite that every
// implementation passes.
package lts

// A Step names one of the steps that are enabled in a state. What the number
// means is the system's own affair, but it belongs to the state: in states with
// equal keys the same steps are enabled and lead to the same successors.
type Step uint32

// A Label says what a step did, as a number of the system's choosing: equal
// labels of one System mean equal actions. Two Systems of one program may number
// their labels differently; what is the same is the text (see [Namer]).
type Label uint64

// A Mark is a state that a System can be restored to. Marks form a stack.
type Mark uint64

// A System is a cursor over a graph of states. It starts at the initial state.
// It is not safe for concurrent use.
type System interface {
	// Reset goes to the initial state and drops all marks.
	Reset()
	// Enabled appends the steps that can be taken, in an order that depends on
	// the state alone. It leaves the state as it is.
	Enabled(dst []Step) []Step
	// Take goes to the state that s leads to. It panics if s is not enabled.
	Take(s Step) Label
	// Save marks the current state. It is cheap: a position in the undo log.
	Save() Mark
	// Restore goes back to where m was saved. Marks saved after m are gone, m
	// itself stays and can be restored again.
	Restore(m Mark)
	// AppendKey appends the canonical encoding of the current state: two states
	// are the same state if and only if their keys are equal.
	AppendKey(dst []byte) []byte
}
