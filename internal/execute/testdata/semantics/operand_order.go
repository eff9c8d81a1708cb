// want: verified

package main

// Operands are taken from left to right, variables included. Go leaves that open; its compiler makes the calls of a statement
// first, and would print 6.
func main() {
	x := 0
	f := func() int {
		x = 1
		return 5
	}
	if x+f() != 5 {
		panic("the call came first")
	}
}
