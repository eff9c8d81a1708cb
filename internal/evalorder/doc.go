// Package evalorder rewrites type-checked source so that the operands of a statement are evaluated in the order of Go's compiler.
//
// The language says that calls, receives and logical operators of an expression happen from left to right, and leaves open when its
// variables are read. In
//
//	return id, parse(&id)
//	n := x + next() // which changes x
//
// SSA form, as package ssa makes it, reads id and x first. Go's compiler reads them after the calls, and programs depend on it: they were
// tested with that compiler. So a statement in which something is read before a call is rewritten as the compiler does it, with a
// variable for each call:
//
//	t := next()
//	n := x + t
//
// Only statements are rewritten for which it matters. Variables that nobody else can change, because their address is not taken and
// no func literal uses them, may be read at any time.
//
// What is moved in front of a statement is what the compiler moves (cmd/compile/internal/walk/order.go): calls, receives, the
// logical operators, and a few that look at their operands at once, such as len and slice expressions. The compiler copies more values
// early because a function of its runtime needs their address. Of these, arguments that become values of an interface type and keys made of bytes are
// followed, other keys of maps and operands of == are not. Nor is it known here which calls of interface methods the compiler makes direct, or inlines.
package evalorder
