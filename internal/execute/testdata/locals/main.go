// Command locals prints what its variables are, so that others can compare.
package main

import "fmt"

// see prints names and values, one line.
func see(args ...any) {
	for i := 0; i < len(args); i += 2 {
		fmt.Printf("%s=%v ", args[i], args[i+1])
	}
	fmt.Println()
}

func branches(n int) (result int) {
	x := n
	y := x
	if n%2 == 0 {
		x = 5
		see("n", n, "x", x, "y", y)
	} else if n%3 == 0 {
		y = -1
	}
	see("n", n, "x", x, "y", y, "result", result)
	for i := 0; i < 3; i++ {
		y += i
		if i == n {
			x := "inner"
			see("i", i, "x", x, "y", y)
			continue
		}
		see("i", i, "x", x, "y", y)
		x, y = y, x
	}
	see("x", x, "y", y)
	result = x + y
	see("result", result)
	return
}

func stale(n int) int {
	x := n * 3
	y := x
	if n > 1 {
		x = 7
	}
	see("y", y)
	z := x
	x = 9
	see("y", y, "z", z)
	return y + z
}

func loops(list []int) {
	sum, last := 0, -1
	for i, v := range list {
		sum += v
		see("i", i, "v", v, "sum", sum, "last", last)
		last = v
		switch {
		case v > 2:
			sum--
		case v == 1:
			continue
		}
		see("i", i, "v", v, "sum", sum, "last", last)
	}
	see("sum", sum, "last", last)
outer:
	for a := 0; a < 3; a++ {
		for b := 0; b < 3; b++ {
			if a*b == 2 {
				break outer
			}
			see("a", a, "b", b)
		}
	}
}

func captured(n int) {
	count := 0
	text := "t"
	add := func(by int) int {
		old := count
		count += by
		see("count", count, "old", old, "by", by, "n", n)
		n++
		return old
	}
	got := add(2)
	see("count", count, "got", got, "n", n, "text", text)
	got = add(3)
	text += "u"
	see("count", count, "got", got, "n", n, "text", text)
	defer func() {
		see("count", count, "text", text)
	}()
	p := &got
	*p = 40
	see("got", got)
}

func swap(a, b int, s string, f float64, ok bool) (int, int) {
	a, b = b, a
	see("a", a, "b", b, "s", s, "f", f, "ok", ok)
	if ok {
		s, f, ok = s+"!", f*2, !ok
	}
	see("a", a, "b", b, "s", s, "f", f, "ok", ok)
	return a, b
}

func generic[T any](x T, n int) T {
	list := []T{x, x}
	see("n", n, "x", x)
	last := list[n%2]
	see("last", last, "x", x)
	return last
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	a := fib(n - 1)
	see("n", n, "a", a)
	b := fib(n - 2)
	see("n", n, "a", a, "b", b)
	return a + b
}

func recovered(n int) (err error) {
	at := "begin"
	defer func() {
		if r := recover(); r != nil {
			see("at", at, "n", n)
		}
	}()
	at = "divides"
	m := 10 / n
	at = "done"
	see("at", at, "m", m)
	return nil
}

func main() {
	begin := make(chan bool)
	go func() {
		<-begin
		for n := range 4 {
			branches(n)
			stale(n)
			recovered(n)
		}
		loops([]int{1, 2, 3, 1})
		captured(3)
		swap(1, 2, "s", 0.5, true)
		generic("g", 1)
		generic(7, 2)
		fib(4)
		begin <- true
	}()
	begin <- true
	<-begin
}
