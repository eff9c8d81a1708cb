// Package symbolic finds the states of a linear process as sets, never one by
// one.
//
//	process ─► groups of summands ─► relations, learned ─┐
//	                                                     ├─► states reached (ldd.Set)
//	initial state ───────────────────────────────────────┘
//
// What a summand does depends on the parameters that it reads, and changes those
// that it writes, and these are few. So its steps are a relation between short
// vectors. Which ones there are is learned as short vectors come up: package
// state is asked what the summand does there, once for each. Values have
// numbers, in the order in which they come up.
//
// The states are found by saturation (G. Ciardo, G. Lüttgen, R. Siminiscu, TACAS
// 2001): a set of vectors that follow some first numbers is closed under the
// groups that look at nothing before, and only then is what stands before it
// looked at. The order of parameters is that of order.go.
//
// A way to a state is looked for when it is known that there is one, breadth
// first, so it is a shortest one.
package symbolic
