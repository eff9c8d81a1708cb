package main

import (
	"fmt"
	"reflect"
)

type handler struct{ n int }

func (h handler) Handle(x int) int   { return h.n + x }
func (h *handler) Set(x int)         { h.n = x }
func (h handler) other(x int) int    { return h.n - x }
func (b box[T]) Get() T              { return b.v }
func pointer(f any) uintptr          { return reflect.ValueOf(f).Pointer() }
func first(h handler) func(int) int  { return h.Handle }
func second(h handler) func(int) int { return h.Handle }

type box[T any] struct{ v T }

type doer interface{ Handle(int) int }

type wide interface {
	doer
	Set(int)
}

type named handler

func (h named) Handle(x int) int { return x }

// Two evaluations of one method value or method expression are one function, with
// receivers of their own.
func main() {
	a, b := handler{1}, handler{2}
	fmt.Println(pointer(a.Handle) == pointer(b.Handle), pointer(first(a)) == pointer(second(b)))
	fmt.Println(pointer(a.Handle) == pointer(a.other), pointer(a.Handle) == pointer(a.Set))
	fmt.Println(a.Handle(1), first(a)(10), second(b)(10), a.other(1), b.other(1))
	p, q := &a, &b
	fmt.Println(pointer(p.Set) == pointer(q.Set), pointer(p.Handle) == pointer(a.Handle))
	p.Set(5)
	f, g := p.Set, q.Set
	f(7)
	g(8)
	fmt.Println(a, b)

	var d, e doer = a, b
	var w wide = p
	fmt.Println(pointer(d.Handle) == pointer(e.Handle), pointer(d.Handle) == pointer(a.Handle))
	fmt.Println(d.Handle(1), e.Handle(1), w.Handle(1))
	fmt.Println(pointer(doer.Handle) == pointer(doer.Handle), pointer(doer.Handle) == pointer(handler.Handle))
	fmt.Println(pointer(handler.Handle) == pointer(handler.Handle), pointer((*handler).Handle) == pointer((*handler).Handle))
	fmt.Println(pointer(named{}.Handle) == pointer(named{}.Handle), pointer(named{}.Handle) == pointer(a.Handle))

	s, t, u := box[int]{1}, box[int]{2}, box[string]{"x"}
	fmt.Println(pointer(s.Get) == pointer(t.Get), pointer(s.Get) == pointer(u.Get))
	fmt.Println(s.Get(), t.Get(), u.Get())

	var nobody doer
	defer func() { fmt.Println(recover()) }()
	_ = nobody.Handle
}
