package execute_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// A listener is a program that remembers all that was observed: states with
// another past are others.
type listener struct {
	*execute.System
	said  string
	marks []heardMark
	ends  map[string]bool // what was observed where nothing follows
}

type heardMark struct {
	mark lts.Mark
	said string
}

func (l *listener) note() {
	for _, o := range l.Observed(nil) {
		l.said += o.Action + ";"
	}
}

func (l *listener) Reset() {
	l.System.Reset()
	l.said, l.marks = "", nil
	l.note()
}

func (l *listener) Take(s lts.Step) lts.Label {
	x := l.System.Take(s)
	l.note()
	return x
}

func (l *listener) Save() lts.Mark {
	l.marks = append(l.marks, heardMark{l.System.Save(), l.said})
	return lts.Mark(len(l.marks) - 1)
}

func (l *listener) Restore(m lts.Mark) {
	l.System.Restore(l.marks[m].mark)
	l.said, l.marks = l.marks[m].said, l.marks[:m+1]
}

func (l *listener) AppendKey(dst []byte) []byte {
	if len(l.Enabled(nil)) == 0 {
		l.ends[l.said] = true
	}
	return append(l.System.AppendKey(dst), l.said...)
}

func (l *listener) AppendNextKey(dst []byte, _ lts.Step) ([]byte, bool) { return dst, false }

// heard returns all sequences of observations of a program, from its start to where
// it ends, and the number of states that had to be looked at. With reduction the
// observed operations are assumed to be ordered, unless they turn out not to be.
func heard(t testing.TB, prog *bytecode.Program, o execute.Observe, reduce bool) ([]string, int64, execute.Known) {
	t.Helper()
	var ends map[string]bool
	var states int64
	var last execute.Known
	search := func(known execute.Known) ([]*execute.Found, bool) {
		ends, last = map[string]bool{}, known
		sys, err := execute.NewSystem(prog, execute.Process{Args: []string{"main"}, Env: []string{}},
			execute.Settings{Observe: &o, Known: known, Properties: execute.Properties{Off: []execute.Property{execute.Deadlock, execute.Leak}}})
		if err != nil {
			t.Fatal(err)
		}
		defer sys.Close()
		l := &listener{System: sys, ends: ends}
		l.Reset()
		res, err := explore.Run(func() (lts.System, error) { return l, nil },
			explore.Options{Reduce: reduce, All: true, Limits: explore.Limits{States: 200_000}})
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict == explore.Inconclusive {
			t.Fatalf("got %v", res.Left)
		}
		for _, f := range res.Findings {
			t.Errorf("got %v", f.Finding)
		}
		states = res.States
		return []*execute.Found{sys.Found()}, false
	}
	if reduce {
		check.Settle(execute.Unknown(), search)
	} else {
		check.Settle(execute.Plain(), search)
	}
	return slices.Sorted(maps.Keys(ends)), states, last
}

// noteRule observes calls of note(goroutine, n int).
func noteRule() execute.Observe {
	return execute.Observe{Rules: []execute.ObserveRule{{Func: "main.note", Action: "{arg0}{arg1}"}}}
}

// TestObserveOrder counts the orders of observed calls: nothing orders those of two
// goroutines, or a lock does, and then the calls inside of it need no stops.
func TestObserveOrder(t *testing.T) {
	const head = `package main

import "sync"

var mu sync.Mutex
var wg sync.WaitGroup

//go:noinline
func note(g, n int) {}
`
	for _, test := range []struct {
		name, body string
		want       int // n over k and so on
		unordered  bool
	}{
		{"alone", `func main() { note(0, 1); note(0, 2) }`, 1, false},
		{"free", `func main() {
	for g := range 2 {
		wg.Go(func() { note(g, 1); note(g, 2); note(g, 3) })
	}
	wg.Wait()
}`, 20, true},
		{"locked", `func main() {
	for g := range 2 {
		wg.Go(func() { mu.Lock(); note(g, 1); note(g, 2); mu.Unlock(); mu.Lock(); note(g, 3); mu.Unlock() })
	}
	wg.Wait()
}`, 6, false},
		{"half locked", `func main() {
	wg.Go(func() { mu.Lock(); note(0, 1); note(0, 2); mu.Unlock() })
	wg.Go(func() { note(1, 1) })
	wg.Wait()
}`, 3, true},
		{"handed over", `func main() {
	c := make(chan int)
	go func() { note(1, 1); c <- 1; note(1, 2); c <- 1 }()
	<-c
	note(0, 1)
	<-c
	note(0, 2)
}`, 2, true},
		{"after the end of another", `func main() {
	wg.Go(func() { note(1, 1) })
	wg.Wait()
	note(0, 1)
}`, 1, false},
		{"deferred", `func main() {
	wg.Go(func() { defer note(1, 2); note(1, 1) })
	wg.Wait()
	go note(0, 1)
}`, 1, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			prog := compileText(t, head+test.body)
			plain, _, _ := heard(t, prog, noteRule(), false)
			reduced, _, known := heard(t, prog, noteRule(), true)
			if len(plain) != test.want || !slices.Equal(plain, reduced) {
				t.Errorf("got %d and, reduced, %d orders, want %d:\n%v\n%v", len(plain), len(reduced), test.want, plain, reduced)
			}
			if known.Guesses != nil && known.Views.Ordered == test.unordered {
				t.Errorf("got unordered %t, want %t", !known.Views.Ordered, test.unordered)
			}
		})
	}
}

// TestObserveReduced compares reduction with the plain search on random programs.
func TestObserveReduced(t *testing.T) {
	t.Parallel()
	n := testlong.Or(4, 40)
	if testing.Short() {
		n = 15
	}
	ordered := 0
	for seed := range n {
		src := observedProgram(rand.New(rand.NewPCG(uint64(seed), 7)))
		prog := compileText(t, src)
		rules := noteRule()
		if seed%3 == 0 {
			rules.Rules = append(rules.Rules, execute.ObserveRule{Chan: "int", Send: true, Action: "c{value}"})
		}
		plain, many, _ := heard(t, prog, rules, false)
		reduced, few, known := heard(t, prog, rules, true)
		if !slices.Equal(plain, reduced) {
			t.Errorf("seed %d: got %d orders, want %d\n%s", seed, len(reduced), len(plain), src)
		}
		if few > many {
			t.Errorf("seed %d: got %d states, want at most %d", seed, few, many)
		}
		if known.Guesses != nil && known.Views.Ordered {
			ordered++
		}
	}
	if ordered == 0 || ordered == n {
		t.Errorf("got %d of %d programs that order what is observed, want some", ordered, n)
	}
}

// observedProgram draws a program whose goroutines call note with locks and without.
func observedProgram(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar mu, mu2 sync.Mutex\nvar wg sync.WaitGroup\n" +
		"var c, d = make(chan int, 2), make(chan int)\nvar x atomic.Int32\n\n" +
		"//go:noinline\nfunc note(g, n int) {}\n\nfunc main() {\n")
	free := r.IntN(3) == 0
	for g := range 2 + r.IntN(2) {
		b.WriteString("\twg.Go(func() {\n")
		for k := range 1 + r.IntN(2) {
			switch r.IntN(8) {
			case 3: // a wait that may last for ever
				fmt.Fprintf(&b, "\t\td <- %d\n", g)
			case 4:
				fmt.Fprintf(&b, "\t\tif x.Add(1) == 2 {\n\t\t\tnote(%d, %d)\n\t\t}\n", g, 30+k)
			case 5:
				fmt.Fprintf(&b, "\t\tselect {\n\t\tcase <-d:\n\t\tcase c <- %d:\n\t\tdefault:\n\t\t}\n", g)
			case 0:
				fmt.Fprintf(&b, "\t\tselect {\n\t\tcase c <- %d:\n\t\tdefault:\n\t\t}\n", g)
			case 1:
				fmt.Fprintf(&b, "\t\tmu2.Lock()\n\t\tmu2.Unlock()\n")
			case 2:
				if free {
					fmt.Fprintf(&b, "\t\tnote(%d, %d)\n", g, k)
				}
			}
			fmt.Fprintf(&b, "\t\tmu.Lock()\n\t\tnote(%d, %d)\n", g, 10+k)
			if r.IntN(2) == 0 {
				fmt.Fprintf(&b, "\t\tmu2.Lock()\n\t\tnote(%d, %d)\n\t\tmu2.Unlock()\n", g, 20+k)
			}
			b.WriteString("\t\tmu.Unlock()\n")
		}
		b.WriteString("\t})\n")
	}
	b.WriteString("\twg.Wait()\n\tx.Load()\n\tclose(c)\n\tclose(d)\n}\n")
	return b.String()
}

// TestObserveMessages counts the orders of messages on channels.
func TestObserveMessages(t *testing.T) {
	const head = `package main

import "sync"

type msg struct{ from, n int }

var wg sync.WaitGroup

`
	sent := execute.ObserveRule{Chan: "main.msg", Send: true, Action: "s{value.from}{value.n}"}
	got := execute.ObserveRule{Chan: "main.msg", Action: "r{value.n}"}
	for _, test := range []struct {
		name, body string
		rules      []execute.ObserveRule
		want       []string
	}{
		{"rendezvous", `func main() {
	c := make(chan msg)
	go func() { c <- msg{1, 1}; c <- msg{1, 2} }()
	<-c
	<-c
}`, []execute.ObserveRule{sent, got}, []string{"s11;r1;s12;r2;"}},
		{"buffer", `func main() {
	c := make(chan msg, 1)
	go func() { c <- msg{1, 1}; c <- msg{1, 2} }()
	<-c
	<-c
}`, []execute.ObserveRule{sent, got}, []string{"s11;r1;s12;r2;"}},
		{"buffer of two", `func main() {
	c := make(chan msg, 2)
	go func() { c <- msg{1, 1}; c <- msg{1, 2} }()
	<-c
	<-c
}`, []execute.ObserveRule{sent, got}, []string{"s11;r1;s12;r2;", "s11;s12;r1;r2;"}},
		{"select", `func main() {
	c, d := make(chan msg, 1), make(chan msg)
	wg.Go(func() { select { case c <- msg{1, 1}: case c <- msg{1, 2}: } })
	wg.Go(func() { d <- msg{2, 3} })
	for range 2 {
		select { case <-c: case m := <-d: _ = m }
	}
	wg.Wait()
}`, []execute.ObserveRule{got}, []string{"r1;r3;", "r2;r3;", "r3;r1;", "r3;r2;"}},
		// Nobody else can see these channels, and still the order of messages counts.
		{"channels of their own", `func main() {
	for g := range 2 {
		wg.Go(func() { c := make(chan msg, 2); c <- msg{g, 1}; c <- msg{g, 2} })
	}
	wg.Wait()
}`, []execute.ObserveRule{sent}, []string{"s01;s02;s11;s12;", "s01;s11;s02;s12;", "s01;s11;s12;s02;", "s11;s01;s02;s12;", "s11;s01;s12;s02;", "s11;s12;s01;s02;"}},
		{"in a function", `func send(c chan msg) { c <- msg{2, 2} }
func main() {
	c := make(chan msg, 2)
	c <- msg{1, 1}
	send(c)
}`, []execute.ObserveRule{{Chan: "main.msg", Send: true, In: "main.send", Action: "s{value.n}"}}, []string{"s2;"}},
		{"not when it is closed", `func main() {
	c := make(chan msg, 1)
	c <- msg{1, 1}
	close(c)
	<-c
	<-c
}`, []execute.ObserveRule{got}, []string{"r1;"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			prog := compileText(t, head+test.body)
			plain, _, _ := heard(t, prog, execute.Observe{Rules: test.rules}, false)
			reduced, _, _ := heard(t, prog, execute.Observe{Rules: test.rules}, true)
			if !slices.Equal(plain, test.want) || !slices.Equal(plain, reduced) {
				t.Errorf("got\n%q and, reduced,\n%q, want\n%q", plain, reduced, test.want)
			}
		})
	}
	o := execute.Observe{Rules: []execute.ObserveRule{{Chan: "main.other", Action: "a"}}}
	if _, err := execute.NewSystem(compileText(t, head+"func main() {}"), execute.Process{}, execute.Settings{Observe: &o}); err == nil {
		t.Error("got no error for messages that there are not")
	}
}

// TestObservePlaces reads what is named of parameters and results.
func TestObservePlaces(t *testing.T) {
	prog := compileText(t, `package main

import "fmt"

type state uint8
type base struct{ id int }
type conn struct {
	base
	s     state
	next  *conn
	names []string
}

//go:noinline
func (c *conn) set(s state, ok bool) (int, string) { c.s = s; return c.id + 1, fmt.Sprint("is ", s) }

//go:noinline
func show(c conn, list [2]int8, b []byte) {}

type setter interface{ set(state, bool) (int, string) }

func main() {
	a := &conn{base: base{7}, names: []string{"x", "y"}}
	b := &conn{base: base{8}, s: 1, next: a}
	var i setter = b
	i.set(2, true)
	f := a.set
	f(1, false)
	show(*b, [2]int8{-1, 3}, []byte("one\ntwo\n"))
	defer func() {
		recover()
		func() { defer a.set(0, true) }()
	}()
	panic("stop")
}
`)
	rule := func(fn string, exit bool, action string) execute.ObserveRule {
		return execute.ObserveRule{Func: fn, Return: exit, Action: action}
	}
	lines := rule("main.show", false, "line({1})")
	lines.Text, lines.Match, lines.Lines = "arg2", regexp.MustCompile(`^(.*)$`), true
	only := rule("main.(*conn).set", true, "seven({result0}, {result1})")
	only.If = []execute.ObserveIf{{Place: "arg0.id", Match: regexp.MustCompile("^7$")}}
	for _, test := range []struct {
		rule execute.ObserveRule
		want string
	}{
		{rule("main.(*conn).set", false, "set({arg0.id}, {arg1}, {arg2})"), "set(8, two, true);set(7, one, false);set(7, 0, true);"},
		{rule("main.(*conn).set", true, "set({arg0.s}, {result0}, {result1})"), "set(two, 9, is 2);set(one, 8, is 1);set(0, 8, is 0);"},
		{rule("main.(*conn).set", false, "next({arg0.next.id|none}, {arg0.next.next.id})"), "next(7, nil);next(none, nil);next(none, nil);"},
		{rule("main.show", false, "show({arg0.s}, {arg0.next.names}, {arg1}, {arg2})"), "show(two, [x, y], [-1, 3], one\ntwo\n);"},
		{lines, "line(one);line(two);"},
		{only, "seven(8, is 1);seven(8, is 0);"},
	} {
		o := execute.Observe{Rules: []execute.ObserveRule{test.rule}, Values: map[string]map[string]string{"main.state": {"1": "one", "2": "two"}}}
		got, _, _ := heard(t, prog, o, true)
		if len(got) != 1 || got[0] != test.want {
			t.Errorf("%s: got %q, want %q", test.rule.Action, got, test.want)
		}
	}
	for _, test := range []struct{ fn, action, want string }{
		{"main.put", "a", "the program has no function main.put, or never calls it"},
		{"conn.set", "a", "the program has no function conn.set, or never calls it: there is main.(*conn).set"},
		{"main.show", "a({arg3})", "{arg3}: main.show has 3 parameters, the receiver counted, and 0 results"},
		{"main.show", "a({arg0.t})", "main.conn has no field t"},
		{"main.show", "a({arg0})", "{arg0} is a main.conn: name a part of it"},
		{"main.show", "a({result0})", "{result0}: results are known when the function returns"},
		{"main.show", "a({x})", "{x}: a place begins with arg0"},
		{"main.show", "a({1})", "{1}: what is matched has 0 groups"},
	} {
		o := execute.Observe{Rules: []execute.ObserveRule{rule(test.fn, false, test.action)}}
		_, err := execute.NewSystem(prog, execute.Process{}, execute.Settings{Observe: &o})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.action, err, test.want)
		}
	}
}

// TestObserveRefused refuses what cannot be observed, and never leaves it out.
func TestObserveRefused(t *testing.T) {
	prog := compileText(t, `package main

import (
	"reflect"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	c := make(chan int, 1)
	wg.Go(func() { reflect.ValueOf(c).Send(reflect.ValueOf(1)) })
	wg.Wait()
}
`)
	o := execute.Observe{Rules: []execute.ObserveRule{{Func: "sync.(*WaitGroup).Add", Action: "a"}}}
	if _, err := execute.NewSystem(prog, execute.Process{}, execute.Settings{Observe: &o}); err == nil ||
		!strings.Contains(err.Error(), "is a function of the machine: name one that calls it") {
		t.Errorf("got %v", err)
	}
	o = execute.Observe{Rules: []execute.ObserveRule{{Chan: "int", Send: true, Action: "a"}}}
	sys, err := execute.NewSystem(prog, execute.Process{Args: []string{"main"}, Env: []string{}}, execute.Settings{Observe: &o})
	if err != nil {
		t.Fatal(err)
	}
	defer sys.Close()
	res, err := explore.Run(func() (lts.System, error) { return sys, nil }, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Left) != 1 || !strings.Contains(res.Left[0].Text, "a channel operation of package reflect where messages on channels are observed") {
		t.Errorf("got %s, %v", res.Verdict, res.Left)
	}
}
