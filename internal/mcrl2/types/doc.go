// Package types checks the tree of an mCRL2 specification and makes a spec.Spec
// of it: names are resolved, expressions have sorts, and notation is written
// out.
//
// How sorts are inferred. An expression has candidates: the least sorts that it
// may have by itself, with ? for elements that it says nothing about, as in [].
// Where a sort is wanted, the expression is checked against it, and casts from
// narrower sorts are put in: Pos to Nat to Int to Real, FSet to Set, FBag to Bag.
// Functions that exist for each sort, like ==, are tried at the least sort that
// all arguments have in common. If a name stands for several functions, the one
// that needs the fewest casts is meant. Both questions are answered once for
// each node and sort, so the time is polynomial however much is overloaded.
//
// Lists, sets and bags that are written out, and lambda, adapt to the sort that
// is wanted: [1] may be a List(Nat). Other expressions of sort List(Pos) may not.
package types
