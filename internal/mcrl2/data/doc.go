// Package data evaluates data expressions.
//
//	spec.Expr ─compile─► code over a frame of values ─► Value
//	equations ─compile─► rules behind a match tree, grown as values come by
//
// Evaluation is innermost rewriting to normal form. What the language defines is
// native; what a specification defines is rewritten by its equations. A term
// that nothing applies to, such as head([]), stays as it is: it is a value that
// no condition can test.
//
// A [Value] is a number. Booleans, integers of 63 bits and constructors without
// arguments are in the number itself; everything else is a term in the engine's
// store, made once, so that equal terms have equal numbers. Which number a term
// has depends on what was evaluated before, so numbers never leave an engine:
// [Engine.AppendKey] and [Engine.Format] tell values by their content. An engine
// is therefore for one goroutine and needs no locks; each worker has its own and
// all of them agree.
//
// The package knows neither processes nor states.
package data
