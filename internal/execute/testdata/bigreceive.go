package main

import (
	"fmt"
	"sync"
	"time"
)

type four struct{ a, b, c, d int }

type five struct {
	ID   int
	Name string
	Err  error
}

type eight [8]int

type odd struct {
	a [4]int64
	b int8
}

type holder struct {
	n int
	v five
}

// receive brings a value of every size from a channel to everything that it may
// go to without a variable between.
func receive[T any](v T) {
	c := make(chan T, 4)
	fill := func() {
		for len(c) < cap(c) {
			c <- v
		}
	}
	rs := make([]T, 2)
	fill()
	rs[0] = <-c
	var i any = <-c
	show(<-c, i)
	m := map[string]any{"k": <-c}
	fill()
	a := [2]T{<-c, <-c}
	p := new(T)
	*p = <-c
	fmt.Println(rs, m, a, *p, append([]any(nil), <-c))
	fill()
	show(func() any { return <-c }(), func() T { return <-c }())
	s := struct {
		Pad bool
		V   T
	}{true, <-c}
	var box struct{ V any }
	box.V = <-c
	fmt.Println(s, box)
	u := make(chan T)
	go func() { u <- v }()
	rs[1] = <-u
	go func() { u <- v }()
	defer show(<-u, rs)
	close(c)
	rs[0] = <-c
	show(<-c, rs[0])
	panicking(u, v)
}

func panicking[T any](u chan T, v T) {
	defer func() { fmt.Println("recovered", recover()) }()
	go func() { u <- v }()
	panic(<-u)
}

func show(v ...any) { fmt.Println(v...) }

func main() {
	receive(four{1, 2, 3, 4})
	receive(five{7, "seven", fmt.Errorf("eight")})
	receive(eight{1, 2, 3, 4, 5, 6, 7, 8})
	receive(odd{[4]int64{1, 2, 3, 4}, -5})

	var h holder
	c := make(chan five)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 3 {
			c <- five{ID: i, Name: fmt.Sprint("n", i)}
		}
	})
	h.v = <-c
	global = <-c
	fmt.Println(h, global, <-c)
	wg.Wait()

	ticks := make(chan time.Time, 1)
	ticks <- time.Unix(5, 6).UTC()
	var t any = <-ticks
	fmt.Println(t)
}

var global five
