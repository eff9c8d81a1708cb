// Package transform makes linear processes simpler:
//
//	rewr       rewrites all expressions
//	deadelm    drops summands that never happen and those that occur twice
//	constelm   drops parameters that never change
//	parelm     drops parameters that no step depends on
//	structelm  replaces parameters that are structures by their parts
//	sumelm     drops sums over variables of which the condition gives the value
//	suminst    writes out sums over finite sorts
//
// Each returns a new process that is strongly bisimilar to the one it is given.
// None explores states: what they know of values comes from a [Tools], which
// knows how to rewrite.
package transform
