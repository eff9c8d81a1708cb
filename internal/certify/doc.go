// Package certify makes certificates of programs and models, and examines what others
// have made.
//
//	search ─Recording─► file ─Open, ReadSpec─► Program ─Examine─► certcheck.Result, or a Refusal
//	                      └─NewReuse─► what a changed program still has to search
//
// The format is that of package cert, and the checker that of package certcheck. Here
// is what stands between them and a program: what a header says of it, how the program
// of a certificate is made ready, and which certificates are refused before a step is
// taken. Parts may be examined elsewhere, by package distribute.
//
// The package knows nothing of commands, flags and terminals, and prints nothing. It
// does not build programs: the caller has them built.
package certify
