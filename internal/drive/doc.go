// Package drive takes a machine of the language (package vm) through its states by
// steps. It says which steps can be taken, takes one, tells what the step has done
// and what is wrong, tells states apart by their keys, and goes back.
//
// A machine that is driven does not schedule. Each of its goroutines stands before a
// visible operation, one that others can see: of a channel, a lock, an atomic, the
// clock. Whether it can be done now follows from the state, so nobody waits in a
// queue: a receiver that stands before its operation is the same as one that waits.
// A step lets one goroutine do its operation and run up to the next one.
//
//	          step                                step
//	┌────────┴────────┐                  ┌───────┴───────
//	mu.Lock()  x++  y = f(x)  │  ch <- x  │  z = y ...
//	operation  └── block ───┘    operation
//
// The plain memory accesses between two operations are the goroutine's block. Two
// blocks that touch the same memory at the same time are a race (see race.go); without
// one, their order makes no difference.
//
// The machine of the language asks before each operation (hooks.go, stop.go). The files
// by subject:
//
//	steps, take, clock, bubble   which steps there are, and how one is taken
//	stop, accessstop, hidden     before what a goroutine stops
//	instruction, block, race     what is accessed, and what collides
//	key, order, names, position, tiebreak   how states are told apart
//	stepcache, decisiontree, nextkey        steps that need not be taken to know where they lead
//	replay                       nor executed to get there
//	stuck, listen, condition, inspect, pending      what is wrong with a state, and how to tell it
//	undo                         the way back
//	footprint, holders, notice, progress    what steps act on, who may ever, and what hardly ever happens
//	views                        forms that states are brought into
//
// It knows nothing of searches: who chooses steps, and which states were seen.
package drive
