// Package ldd stores sets of vectors of numbers as list decision diagrams.
//
// A set of vectors of one length is a list, one node for each first number, in
// ascending order:
//
//	(2) ──right──► (5) ──right──► Empty
//	 │down          │down
//	 ▼              ▼
//	what follows 2  what follows 5
//
// Equal lists are one node, so equal sets have equal numbers, and what follows
// is shared. A set of very many vectors that have much in common takes few nodes.
// Operations go through nodes, not through vectors, and remember what they have
// computed (S. Blom, J. van de Pol: Symbolic Reachability for Process Algebras
// with Recursive Data Types, ICTAC 2008).
//
// A Store makes the nodes and is for one goroutine. Nodes that nobody needs are
// given back by Collect alone, which has to be told all sets that are needed.
//
// The package knows nothing of models. What the numbers stand for is the matter
// of who uses it.
package ldd
