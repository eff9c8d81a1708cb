// Package verify is what a program says to the checker: what must hold, and
// what may happen. A program that uses it still builds and runs with plain go.
//
//	func main() {
//		var mu sync.Mutex
//		stock := 3
//		verify.Always(func() bool { return stock >= 0 })
//		for range 2 {
//			go func() {
//				order := 1 + verify.Choose(2) // one or two pieces
//				mu.Lock()
//				defer mu.Unlock()
//				if order <= stock {
//					stock -= order
//				}
//				verify.Assert(order <= 2, "an order of ", order)
//			}()
//		}
//	}
//
// Each function has two meanings:
//
//	function         under heddle check                    natively
//	Assert, Assertf  a false condition is a finding        a false condition panics
//	Always           must hold after every step            must hold when it is registered
//	Step             must hold from each step to the next  must hold when it is registered
//	Eventually       must hold at some time on every run   nothing
//	Leads            the one is followed by the other      nothing
//	Choose, Bool     every value is explored               a random value
//	Assume           runs that break it are not looked at  a run that breaks it panics
//	Atomic           one step, nobody else moves           under a mutex of this package
//	Checking         true                                  false
//	Outcome          is told with the verdict              a line in the file HEDDLE_OUTCOMES
//	UDP              what may happen to datagrams          nothing
//
// A step is what one goroutine does from one visible operation (a channel
// operation, Lock, Unlock, an atomic operation, a choice) to the next one.
//
// Natively a property of the whole state can be looked at only from some
// goroutine, while the others go on: that would be a data race, and a false
// alarm when it falls into the middle of an update. So Always and Step look
// once, when they are registered, and leave the rest to the checker.
package verify

import "fmt"

// Assert demands that cond holds here. What msg says, as by fmt.Sprint, tells
// the reader what was demanded.
//
// Under heddle check a false condition is a finding of the kind assert, with
// the run that leads to it. Natively it panics with a string in one line.
func Assert(cond bool, msg ...any) {
	if !cond {
		fail("assert", fmt.Sprint(msg...))
	}
}

// Assertf is Assert with a message as by fmt.Sprintf. The message is made only
// if the condition is false.
func Assertf(cond bool, format string, args ...any) {
	if !cond {
		fail("assert", fmt.Sprintf(format, args...))
	}
}

// Always demands that holds returns true from now on, in every state.
//
// Under heddle check it is called after each step of each goroutine; false is a
// finding of the kind invariant. It sees all memory at rest, so it needs no
// locks and must not use any: it must not block, change what it reads, or start
// goroutines. It may see a goroutine in the middle of a critical section, since
// Lock and Unlock are steps of their own; but what a goroutine does between two
// visible operations it sees as one change.
//
// Natively it is called once, at once, and false panics. Register invariants
// before other goroutines start.
func Always(holds func() bool) {
	watch(holds, "invariant")
}

// Step demands that ok returns true for each two consecutive states, as far as
// state shows them: "the version never decreases", for instance. A T with
// pointers, slices or maps in it shows what they point to as it is now, also in
// before; use numbers, strings, arrays and structs of these. Most steps change
// nothing of what a property is about, so ok must hold for equal states.
//
// Under heddle check state is called after each step of each goroutine, and ok
// with its value before and after that step; false is a finding of the kind
// invariant. The rules for holds of [Always] are the rules for both functions.
// What state returned last belongs to the state of the program, which makes no
// states differ that were equal without it.
//
// Natively ok is called once, at once, with before and after the same.
func Step[T any](state func() T, ok func(before, after T) bool) {
	watch(step(state, ok), "invariant")
}

// step returns a function that is called in each state: it compares the state
// with the one it was called in last.
func step[T any](state func() T, ok func(before, after T) bool) func() bool {
	before := state()
	return func() bool {
		after := state()
		held := ok(before, after)
		before = after
		return held
	}
}

// Eventually demands that holds returns true in some state, now or later, on every run.
//
// Under heddle check a run on which it never does is a finding of the kind
// liveness: one that ends before, or one that goes around in a loop for ever. Loops
// count only if they are fair, as runs of Go are: whoever can move again and again
// does so again and again, and select and random numbers take each way some time. But
// [Choose] may return the same each time. The rules for holds of [Always] are the rules
// here. Looking for loops takes more time and memory than other checks: nothing is left
// out of the search.
//
// Natively nothing happens: a run that was not long enough shows nothing.
func Eventually(holds func() bool) {
	promise(eventually(holds), "eventually")
}

// eventually returns a function that is called in each state: it tells whether holds
// was true in this one or in one before.
func eventually(holds func() bool) func() bool {
	kept := false
	return func() bool {
		kept = kept || holds()
		return kept
	}
}

// Leads demands that whenever p holds, q holds in the same state or in a later one.
// Each request gets its answer, for instance.
//
// Under heddle check a run on which p holds and q never does from then on is a
// finding of the kind liveness, as for [Eventually]. Natively nothing happens.
func Leads(p, q func() bool) {
	promise(leads(p, q), "leads")
}

// leads returns a function that is called in each state: it tells whether q was true
// since p was true last.
func leads(p, q func() bool) func() bool {
	owed := false
	return func() bool {
		owed = (owed || p()) && !q()
		return !owed
	}
}

// Choose returns a number from 0 to n-1. It panics if n is less than 1.
//
// Under heddle check each of them is explored. Natively one is drawn at random.
func Choose(n int) int {
	if n < 1 {
		panic("verify: Choose of nothing: n is less than 1")
	}
	if n == 1 {
		return 0
	}
	return choose(n)
}

// Bool returns false or true: both under heddle check, one at random natively.
func Bool() bool { return Choose(2) == 1 }

// Assume says that runs in which cond is false are of no interest.
//
// Under heddle check such a run ends here and nothing it did later counts.
// Natively the run cannot be taken back, so Assume panics: ending only the
// calling goroutine would leave the others waiting for it, or at work in a
// state that the program excludes. Where a random choice would often break an
// assumption, choose among the right values instead.
func Assume(cond bool) {
	assume(cond)
}

// Atomic calls f.
//
// Under heddle check all that f does is part of one step: no other goroutine
// moves in between. Natively f runs under one mutex of this package, so that
// two calls never overlap; code outside of Atomic does not wait for it. f must
// not block and must not call Atomic.
func Atomic(f func()) { atomic(f) }

// Checking reports whether the program runs under heddle check. Use it to leave
// out what has no place in a search, such as progress on the screen, and to go
// on for ever where a native run has to end: a loop that comes back to where it
// began costs the search nothing.
func Checking() bool { return checking() }
