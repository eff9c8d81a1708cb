package main

import "fmt"

type pair struct{ head, tail uint32 }

type frag struct {
	i        uint32
	out      pair
	nullable bool
}

type cplx struct {
	i int32
	c complex64
	j int32
}

//go:noinline
func mk(i uint32) frag {
	f := frag{i: i, nullable: true}
	f.out = pair{7, 8}
	return f
}

//go:noinline
func get(f frag) pair { return f.out }

//go:noinline
func again(f frag) frag { return frag{f.i, get(f), f.nullable} }

//go:noinline
func cmplx(c cplx) (complex64, cplx) {
	d := cplx{i: 1}
	d.c = c.c * 2
	return c.c, d
}

func indexed(k int) ([3]frag, [3]cplx, pair, complex64) {
	var a [3]frag
	var c [3]cplx
	a[k].out = pair{1, 2}
	c[k].c = 3 + 4i
	return a, c, a[k].out, c[k].c
}

func main() {
	f := mk(5)
	fmt.Println(f, get(f), again(f))
	fmt.Println(cmplx(cplx{1, 2 + 3i, 4}))
	fmt.Println(indexed(1))
	var i any = f
	fmt.Println(i.(frag).out.tail, i == any(again(f)))
	a := [3]pair{{1, 2}, {3, 4}, {5, 6}}
	fmt.Println(a[f.i%3], [2]frag{f, again(f)}[f.i%2].out)
}
