// want: violation panic

package main

// next counts up, and so does whoever adds to what it counts.
func main() {
	n := 0
	next := func() int {
		n++
		return n
	}
	if n+next() != 1 {
		panic("n was read after the call")
	}
}
