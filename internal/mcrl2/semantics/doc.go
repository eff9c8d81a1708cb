// Package semantics interprets specifications by the rules of the operational
// semantics, one rule for each operator, over process terms with values. There is
// no linear process and no symbol: conditions are evaluated, sums are written out
// over all elements of their sorts.
//
// It is slow and meant to be obviously right: linearisation and exploration are
// held against it. Sums over infinite sorts that no condition right below the sum
// makes finite, time and dist are refused.
//
// A process that has ended does Terminate and then nothing, as with the mCRL2
// toolset.
package semantics
