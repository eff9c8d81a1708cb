// want: verified

package main

type id [4]byte

func parse(v *id) error {
	v[0] = 7
	return nil
}

func both() (v id, err error) { return v, parse(&v) }

// The calls of a statement come first, and variables are read then, as Go's compiler does it.
func main() {
	x := 0
	f := func() int {
		x = 1
		return 5
	}
	if x+f() != 6 {
		panic("x was read first")
	}
	if v, _ := both(); v[0] != 7 {
		panic("the result was read first")
	}
}
