// Package linear turns a specification into a linear process: one process whose
// alternatives each do one multi-action and call the process again.
//
//	          ┌ leaf: a sequential process, by its symbolic steps ┐
//	init ─────┤ leaf                                              ├─ compose ─► spec.LPS
//	          └ leaf                                              ┘
//
// The initial process is cut at its outermost parallel operators. What is left,
// the leaves, are followed symbolically by the rules of the operational
// semantics (step.go): a state is a place in the text together with a value for
// each variable that is still needed there (term.go), so a leaf becomes linear
// with one parameter that tells the place and others that are shared by the
// variables (leaf.go, slots.go). Texts that are equal but for the names of
// variables are one place (signature.go), and a condition behind an action is
// decided together with the action, so that it has no place (split.go). A leaf that is not regular, as X = a.X.b, gets a
// stack as well (stack.go). The rules know all operators, also parallel
// ones inside sequential ones; there the places of both sides are multiplied.
//
// Leaves are then composed (compose.go). What surrounds them (allow, block, hide,
// rename, comm) is first pushed inwards as a filter that says which multi-actions
// can still become something that is allowed (filter.go), so that of the
// exponentially many combinations only those are made that may matter.
//
// A process that ends does the action Terminate and then nothing, as with the
// mCRL2 toolset. Processes that wait for others do so as long as it takes: there
// is no bound of time between them. Random draws are steps of their own
// (draw.go). Refused, with position, are: << and dist without an action before it,
// unguarded recursion, and recursion through parallel operators and through those
// that change actions.
//
// Expressions are not evaluated here beyond true and false. Sums over variables
// that are compared with an expression are left for transform.Sumelm.
package linear
