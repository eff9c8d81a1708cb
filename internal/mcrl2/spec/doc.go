// Package spec is what the type checker hands on: an mCRL2 specification in
// which every name is resolved, every expression has its sort and everything
// that is only notation is gone.
//
//	text ─syntax─► tree ─types─► spec.Spec ─linear─► spec.LPS ─data, state─► lts.System
//
// Gone are aliases, assignment forms of process calls (P(x = e) has all its
// arguments), numbers of a wider sort than written (casts are applied
// functions), list, set and bag enumerations (applied constructors), and if one
// name stands for several functions, which one it is. Left are lambda, forall,
// exists, comprehensions and where clauses, since each is best dealt with by who
// evaluates.
//
// The package holds data and prints it. It knows neither files nor evaluation.
package spec
