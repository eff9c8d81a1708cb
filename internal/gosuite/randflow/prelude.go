package randflow

// Imports are the packages that programs import.
var Imports = []string{"fmt", "iter", "maps", "os", "reflect", "slices", "sync", "sync/atomic"}

const prelude = `package main

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

type teller interface{ Tell() string }

type trio struct {
	a int
	b int8
	c int64
}

func (t trio) Tell() string { return fmt.Sprint(t.a, t.b, t.c) }

type short int8

func (s short) Tell() string { return fmt.Sprint(int8(s)) }

// A log is what a program tells.
type log struct{ b []byte }

func (l *log) str(s string) { l.b = append(append(l.b, s...), '\n') }
func (l *log) any(x any)    { l.b = append(dump(l.b, reflect.ValueOf(x)), '\n') }
func (l *log) all(xs ...any) {
	for _, x := range xs {
		l.any(x)
	}
}

// dump tells a value without addresses.
func dump(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Invalid:
		return append(b, "nil "...)
	case reflect.Struct:
		b = append(b, '{')
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "_" {
				b = dump(b, v.Field(i))
			}
		}
		return append(b, '}')
	case reflect.Array, reflect.Slice:
		b = append(b, '[')
		for i := range v.Len() {
			b = dump(b, v.Index(i))
		}
		return append(b, ']')
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return append(b, "nil "...)
		}
		return dump(append(append(b, v.Elem().Kind().String()...), '&'), v.Elem())
	case reflect.Func:
		return fmt.Append(b, v.IsNil(), " ")
	case reflect.Bool:
		return fmt.Append(b, v.Bool(), " ")
	case reflect.String:
		return fmt.Append(b, v.String(), " ")
	case reflect.Map:
		return fmt.Append(b, v.Len(), " ")
	case reflect.Float32, reflect.Float64:
		return fmt.Append(b, v.Float(), " ")
	case reflect.Complex64, reflect.Complex128:
		return fmt.Append(b, v.Complex(), " ")
	}
	if v.CanInt() {
		return fmt.Append(b, v.Int(), " ")
	}
	return fmt.Append(b, v.Uint(), " ")
}

func tell(p func(*log)) (text string) {
	l := new(log)
	defer func() {
		if r := recover(); r != nil {
			l.b = fmt.Append(l.b, "panic: ", r)
		}
		text = string(l.b)
	}()
	p(l)
	return ""
}

func run(name string, p func(*log)) { fmt.Fprintf(os.Stdout, "%s %q\n", name, tell(p)) }

func expect(name string, p func(*log), want string) {
	if got := tell(p); got != want {
		panic(fmt.Sprintf("%s: got %q, want %q", name, got, want))
	}
}

func at(n int32) *int32 { return &n }

type box[T any] struct {
	a int8
	V T
	b bool
}

func (x box[T]) Get() T   { return x.V }
func (x *box[T]) PGet() T { return x.V }
func (x *box[T]) Set(v T) { x.V = v }
func (x box[T]) Same(n int8, v T, s string) T {
	if n != 1 || s != "s" {
		panic(n)
	}
	return v
}

type outer[T any] struct {
	c byte
	box[T]
}

type getter[T any] interface {
	Get() T
	Same(n int8, v T, s string) T
}

func (l *log) tell(t teller) { l.str(t.Tell()) }

func id[T any](x T) T                                     { return x }
func zero[T any]() (x T)                                  { return }
func three[T any](n int, x T, s string) (int, T, string) { return n, x, s }
func mid[T any](n int, x T, s string) T                   { return x }
func last[T any](first int8, xs ...T) T                   { return xs[len(xs)-1] }
func boxOf[T any](x T) box[T]                             { return box[T]{1, x, true} }
func boxPtr[T any](x T) *box[T]                           { return &box[T]{1, x, true} }
func arr[T any](x, y T) [3]T                              { return [3]T{x, y, x} }
func seq[T any](xs ...T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, x := range xs {
			if !yield(x) {
				return
			}
		}
	}
}
func seq2[T any](x T) iter.Seq2[int8, T] { return func(yield func(int8, T) bool) { yield(3, x) } }
func named[T any](x, y T) (n int, r T, ok bool) {
	defer func() {
		if recover() != nil {
			r, ok = y, true
		}
	}()
	r = x
	panic("p")
}

var (
	_ = maps.Clone[map[int]int]
	_ = slices.Clone[[]int]
	_ sync.Mutex
	_ atomic.Int32
)

var two = 2 // no constant

`
