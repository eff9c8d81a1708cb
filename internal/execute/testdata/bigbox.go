package main

import "fmt"

type big struct {
	a [1_000_000]byte
	b *int
}

type small struct{ a, b, c, d, e int }

var global [9]int

// Values too large for registers go from memory to memory.
func main() {
	var x [1_000_000]byte
	x[999_999] = 7
	var i any = x
	x[999_999] = 8
	fmt.Println(x[999_999], i == any(x))
	x[999_999] = 7
	fmt.Println(x[999_999], i == any(x))

	n := 3
	b := &big{b: &n}
	i = *b
	b.b = nil
	b.a[5] = 1
	fmt.Printf("%T %v\n", i, i != any(*b))

	s := []small{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}
	fmt.Println(s[n-2], global)

	var zero [1_000_000]byte
	i = zero
	fmt.Println(i == any(x), len(fmt.Sprint(i)))

	defer func() { fmt.Println(recover()) }()
	var p *small
	fmt.Println(*p)
}
