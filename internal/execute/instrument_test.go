package execute

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
)

// TestInstrument observes every function that has code: what is made can be
// verified, and the program does what it did.
func TestInstrument(t *testing.T) {
	const src = `package main

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

type pair struct {
	a string
	b [3]int
}

func many(a int8, b string, c pair, d func() error, e ...float64) (x pair, err error, n uint16) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	if a < 0 {
		panic("negative")
	}
	return c, d(), uint16(a) + uint16(len(e))
}

func main() {
	k := 3
	for _, a := range []int8{4, -4} {
		fmt.Println(many(a, "b", pair{"c", [3]int{1, k}}, func() error { return errors.New(strings.Repeat("d", k)) }, 1.5, 2))
	}
	list := []string{"y", "x"}
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	fmt.Println(list)
}
`
	prog := CompileShared(t, writeMain(t, src))
	all, open := map[int]bool{}, map[int]bool{}
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		all[i] = f.Native == "" && i != prog.Entry && i != prog.Init && f.Pkg != "runtime"
		open[i] = all[i] && !f.Closure // of which only func values are called elsewhere
	}
	if own, _ := instrument(prog, open, open); bytecode.Check(own) != nil {
		t.Error(bytecode.Check(own))
	}
	own, seams := instrument(prog, all, all)
	if got, want := len(own.Funcs)-len(prog.Funcs), len(seams)/2*3; got != want || got < 1000 {
		t.Errorf("got %d functions more, want %d", got, want)
	}
	x := &observer{sites: map[*bytecode.Func]*site{}}
	for _, s := range seams {
		x.sites[&own.Funcs[s.native]] = &site{}
	}
	want := outputOf(t, prog, nil)
	if got := outputOf(t, own, x); got != want || got == "" {
		t.Errorf("got %q, want %q", got, want)
	}
}

// outputOf runs a program and returns what it prints.
func outputOf(t *testing.T, prog *bytecode.Program, x *observer) string {
	t.Helper()
	var out strings.Builder
	if _, err := Run(prog, Process{Args: []string{"main"}, Stdout: &out, Stderr: &out, observer: x}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestAmbiguousNames refuses names that mean two things.
func TestAmbiguousNames(t *testing.T) {
	prog := &bytecode.Program{
		Funcs: []bytecode.Func{{Name: "a/x.f", Pkg: "a/x"}, {Name: "b/x.f", Pkg: "b/x"}, {Name: "a/x.g[...]", Pkg: "a/x"}, {Name: "a/x.g[...]", Pkg: "a/x"}},
		Types: []bytecode.Type{{Str: "x.T"}, {Str: "x.T"}, {Kind: bytecode.Chan, Elem: 0}, {Kind: bytecode.Chan, Elem: 1}},
	}
	for name, want := range map[string]int{"x.f": 0, "a/x.f": 1, "b/x.f": 1, "x.g[...]": 2, "f": 0} {
		if list, err := functionsNamed(prog, name, diag.Pos{}); len(list) != want || (err == nil) != (want > 0) {
			t.Errorf("%s: got %v, %v, want %d", name, list, err, want)
		}
	}
	o := &Observe{Rules: []ObserveRule{{Chan: "x.T", Action: "a"}}}
	if _, _, err := newObserver(prog, o); err == nil {
		t.Error("got no error for a type that is two")
	}
}
