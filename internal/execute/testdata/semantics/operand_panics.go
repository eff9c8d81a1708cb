// want: verified

package main

type part struct{ a, b int }

type node struct {
	part part
	next *node
}

var x int

// A statement that panics at the second place has assigned nothing to the first one. Go's compiler has assigned to it.
func main() {
	func() {
		defer func() { recover() }()
		n := &node{}
		func() { n.part.a = 1 }()
		x, n.next.part.b = n.part.a, 2
	}()
	if x != 0 {
		panic("assigned")
	}
}
