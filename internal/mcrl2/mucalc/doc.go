// Package mucalc finds out whether a formula of the modal mu-calculus holds in
// the initial state of a graph that was searched completely.
//
//	formula ─compile─► nodes ─┐
//	                          ├─► parity game ─Zielonka─► holds or not, and a way
//	states, transitions ──────┘
//
// A vertex of the game is a state, a node of the formula and the values of the
// variables that the node may use. One player wants to show that the formula
// holds and chooses at disjunctions, the other chooses at conjunctions. Regular
// formulas become nodes with loops. Negation is pushed to the leaves. Vertices are
// made as they are reached from the initial one.
//
// Why a formula holds, or does not, is the part of the game that the winner's strategy leads to. The way
// that comes with the answer is the play of the winner as long as the
// loser has no choice: for [true*.a]false it is a way to an a, for nu X.<true>X
// a loop.
//
// Quantifiers are enumerated as sums of processes are, and fixed points may have
// parameters; a formula that needs infinitely many values does not come to an end
// and is refused after MaxVertices vertices. Refused are delay, yaled and times.
package mucalc
