package execute

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A racy program has a race, or looks as if it had one.
type racy struct {
	name string
	race bool
	src  string
}

// classics are programs that everybody gets wrong once, and those that look
// alike and are right.
var classics = []racy{
	{"flag", true, `
var data int
var ready bool
func main() {
	go func() { data = 1; ready = true }()
	if ready { println(data) }
}`},
	{"flagUnderLock", false, `
var mu sync.Mutex
var data int
var ready bool
func main() {
	go func() { data = 1; mu.Lock(); ready = true; mu.Unlock() }()
	mu.Lock()
	ok := ready
	mu.Unlock()
	if ok { data++ }
}`},
	{"doubleCheckedLocking", true, `
type config struct{ n int }
var mu sync.Mutex
var conf *config
func get() *config {
	if conf == nil {
		mu.Lock()
		if conf == nil { conf = &config{1} }
		mu.Unlock()
	}
	return conf
}
func main() { go get(); get() }`},
	{"once", false, `
type config struct{ n int }
var once sync.Once
var conf *config
func get() int {
	once.Do(func() { conf = &config{1} })
	return conf.n
}
func main() { go get(); get() }`},
	{"writeAfterUnlock", true, `
var mu sync.Mutex
var x int
func work() { mu.Lock(); x++; mu.Unlock(); x = 0 }
func main() { go work(); work() }`},
	{"mutex", false, `
var mu sync.Mutex
var x int
func work() { mu.Lock(); x++; mu.Unlock() }
func main() { go work(); work() }`},
	{"twoMutexes", true, `
var a, b sync.Mutex
var x int
func main() {
	go func() { a.Lock(); x++; a.Unlock() }()
	b.Lock(); x++; b.Unlock()
}`},
	{"accessAfterDone", true, `
func main() {
	var wg sync.WaitGroup
	x := 0
	wg.Add(1)
	go func() { wg.Done(); x++ }()
	wg.Wait()
	println(x)
}`},
	{"accessBeforeDone", false, `
func main() {
	var wg sync.WaitGroup
	x := 0
	wg.Add(1)
	go func() { x++; wg.Done() }()
	wg.Wait()
	x++
}`},
	{"capturedLoopVariable", true, `
func main() {
	var wg sync.WaitGroup
	sum := make([]int, 2)
	i := 0
	for i = 0; i < 2; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); if i < 2 { sum[i] = 1 } }()
	}
	wg.Wait()
}`},
	{"loopVariable", false, `
func main() {
	var wg sync.WaitGroup
	sum := make([]int, 2)
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); sum[i] = 1 }()
	}
	wg.Wait()
}`},
	{"map", true, `
func main() {
	m := map[int]int{}
	go func() { m[1] = 1 }()
	m[2] = 2
}`},
	{"mapReaders", false, `
func main() {
	m := map[int]int{1: 1}
	go func() { _ = m[1] }()
	for k := range m { _ = k }
	_ = len(m)
}`},
	{"append", true, `
func main() {
	var s []int
	go func() { s = append(s, 1) }()
	s = append(s, 2)
}`},
	{"appendInPlace", true, `
func main() {
	s := make([]int, 1, 4)
	go func() { _ = append(s, 1) }()
	_ = append(s, 2)
}`},
	{"appendElsewhere", false, `
func main() {
	s := make([]int, 1)
	go func() { _ = append(s, 1) }()
	_ = append(s, 2)
}`},
	{"publishThenWrite", true, `
type box struct{ n int }
var p atomic.Pointer[box]
func main() {
	go func() { b := &box{1}; p.Store(b); b.n = 2 }()
	if b := p.Load(); b != nil { b.n++ }
}`},
	{"writeThenPublish", false, `
type box struct{ n int }
var p atomic.Pointer[box]
func main() {
	go func() { b := &box{}; b.n = 2; p.Store(b) }()
	if b := p.Load(); b != nil { b.n++ }
}`},
	{"neighbours", false, `
var v struct{ a, b int8 }
func main() { go func() { v.a++ }(); v.b++ }`},
	{"whole", true, `
type pair struct{ a, b int8 }
var v pair
func main() { go func() { v.a++ }(); w := v; _ = w.b; println(w.a) }`},
	{"channel", false, `
func main() {
	c := make(chan *int)
	go func() { x := new(int); *x = 1; c <- x }()
	x := <-c
	*x++
}`},
	{"channelThenWrite", true, `
func main() {
	c := make(chan *int)
	go func() { x := new(int); *x = 1; c <- x; *x = 2 }()
	x := <-c
	*x++
}`},
	{"closed", false, `
var x int
func main() {
	c := make(chan bool)
	go func() { x = 1; close(c) }()
	<-c
	x++
}`},
	{"buffer", true, `
var x int
func main() {
	c := make(chan bool, 1)
	go func() { <-c; x = 1 }()
	c <- true
	x = 2
}`},
	{"semaphore", false, `
var x int
func main() {
	c := make(chan bool, 1)
	work := func() { c <- true; x++; <-c }
	go work()
	work()
}`},
	{"readersWrite", true, `
var rw sync.RWMutex
var hits int
func get() { rw.RLock(); hits++; rw.RUnlock() }
func main() { go get(); get() }`},
	{"readersRead", false, `
var rw sync.RWMutex
var x int
func get() int { rw.RLock(); defer rw.RUnlock(); return x }
func main() { go get(); rw.Lock(); x = 1; rw.Unlock() }`},
	{"atomicAndPlain", true, `
var n int32
func main() { go atomic.AddInt32(&n, 1); n++ }`},
	{"atomicAndRead", true, `
var n int32
func main() { go func() { atomic.StoreInt32(&n, 1) }(); println(n) }`},
	{"atomicReads", false, `
var n int32
func main() { go func() { atomic.LoadInt32(&n) }(); println(n) }`},
	{"atomicFlag", false, `
var data int
var ready atomic.Bool
func main() {
	go func() { data = 1; ready.Store(true) }()
	if ready.Load() { data++ }
}`},
	{"beforeGo", false, `
var x int
func main() { x = 1; go func() { x = 2 }() }`},
	{"afterGo", true, `
var x int
func main() { go func() { x = 2 }(); x = 1 }`},
	{"lastUse", true, `
func main() {
	c := make(chan bool)
	x := 0
	go func() { x = 1; <-c }()
	println(x)
	c <- true
}`},
	{"thenPanic", true, `
var x int
func main() {
	var mu sync.Mutex
	go func() { mu.Lock(); println(x); mu.Unlock(); mu.Lock() }()
	mu.Lock()
	mu.Unlock()
	x = 1
	panic("no")
}`},
	{"inTheEnd", true, `
var x int
func main() {
	c := make(chan bool, 1)
	go func() { <-c; println(x) }()
	c <- true
	x = 1
	panic("no")
}`},
	{"conditional", true, `
var x int
var a atomic.Int32
func main() {
	go func() { a.Add(1); a.Add(1) }()
	if a.Load() == 1 { x = 1; a.Store(7) }
	go func() { if a.Load() == 8 { x = 3 } }()
	if a.Load() == 8 { x = 2 }
}`},
}

func program(body string) string {
	var imports []string
	for _, p := range []struct{ word, path string }{{"sync.", "sync"}, {"atomic.", "sync/atomic"}, {"unsafe.", "unsafe"}} {
		if strings.Contains(body, p.word) {
			imports = append(imports, fmt.Sprintf("import %q", p.path))
		}
	}
	return "package main\n" + strings.Join(imports, "\n") + "\n" + body
}

// TestClassicRaces looks for races in well-known programs, at both granularities.
func TestClassicRaces(t *testing.T) { findRaces(t, classics) }

// findRaces holds what searches say of racy and race-free programs against what is known
// of them, and against brute force.
func findRaces(t *testing.T, list []racy) {
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			prog := compileAccess(t, program(c.src))
			coarse := sweepOf(t, prog, bySync, 20000, false)
			fine := sweepOf(t, prog, bruteForce, 20000, false)
			if coarse.cut || fine.cut {
				t.Fatal("too many states")
			}
			if got := len(coarse.races) > 0; got != c.race {
				t.Errorf("got race %t, want %t", got, c.race)
			}
			for _, mode := range []sweepMode{reduced, byAccess} {
				if got := len(sweepOf(t, prog, mode, 20000, false).races) > 0; got != c.race {
					t.Errorf("mode %d: got race %t, want %t", mode, got, c.race)
				}
			}
			if got := fine.meet != ""; got != c.race {
				t.Errorf("at each access: got race %t (%s), want %t", got, fine.meet, c.race)
			}
			kind := string(Race)
			if strings.HasPrefix(c.name, "map") {
				kind = string(Fatal)
			}
			if coarse.kinds[kind] != c.race {
				t.Errorf("got findings %v, want %s: %t", coarse.kinds, kind, c.race)
			}
		})
	}
}

// TestRaceEffects tells what a race does: the values that the variable out has in
// the end, of searches with and without a stop at each access. Races are not
// looked for.
func TestRaceEffects(t *testing.T) {
	for _, c := range []struct {
		name         string
		src          string
		coarse, fine []int
	}{
		{"lostUpdate", `
var out int
func main() { go func() { out++ }(); out++ }`, []int{2}, []int{1, 2}},
		{"seenBeforeFilled", `
type box struct{ n int }
var p *box
var out int
func main() {
	go func() { b := &box{}; p = b; b.n = 5 }()
	if b := p; b != nil { out = 1 + b.n }
}`, []int{0}, []int{0, 1, 6}},
		{"sliceSeenBeforeFilled", `
type box struct{ n int }
var s = make([]*box, 0, 1)
var out int
func main() {
	go func() { b := &box{}; s = append(s, b); b.n = 5 }()
	if len(s) > 0 { out = 1 + s[0].n }
}`, []int{0}, []int{0, 1, 6}},
		{"copySeenBeforeFilled", `
type box struct{ n int }
var s = make([]*box, 1)
var out int
func main() {
	go func() { b := &box{}; copy(s, []*box{b}); b.n = 5 }()
	if b := s[0]; b != nil { out = 1 + b.n }
}`, []int{0}, []int{0, 1, 6}},
		{"mapSeenBeforeFilled", `
type box struct{ n int }
var m = map[int]*box{}
var out int
func main() {
	go func() { b := &box{}; m[1] = b; b.n = 5 }()
	if b := m[1]; b != nil { out = 1 + b.n }
}`, []int{0}, []int{0, 1, 6}},
		{"structSeenBeforeFilled", `
type box struct{ n int }
type holder struct{ a, b, c, d int; p *box }
var h holder
var out int
func main() {
	go func() { b := &box{}; h = holder{1, 2, 3, 4, b}; b.n = 5 }()
	if b := h.p; b != nil { out = 1 + b.n }
}`, []int{0}, []int{0, 1, 6}},
		{"oneInstruction", `
type four struct{ a, b, c, d int }
var v four
var out int
func main() {
	go func() { v = four{1, 1, 1, 1} }()
	w := v
	out = w.a + w.d
}`, []int{0}, []int{0, 2}},
		{"privateAgain", `
var p *int
var out int
func main() {
	q := new(int)
	p = q
	c := make(chan bool)
	go func() { *p = 1; p = nil; c <- true }()
	<-c
	*q += 1
	out = *q
}`, []int{2}, []int{2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			prog := compileAccess(t, program(c.src))
			for _, g := range []struct {
				access bool
				want   []int
			}{{false, c.coarse}, {true, c.fine}} {
				if got := outcomes(t, prog, Settings{Access: g.access, Properties: Properties{Off: []Property{Race, Fatal}}}); !slices.Equal(got, g.want) {
					t.Errorf("access %t: got %v, want %v", g.access, got, g.want)
				}
			}
		})
	}
}

// TestRaceOff does not look for races. Concurrent accesses to a map are fatal errors
// and found nevertheless.
func TestRaceOff(t *testing.T) {
	prog := compileAccess(t, `package main

var x int
var m = map[int]int{}

func main() {
	go func() { x++; m[1] = 1 }()
	x++
	m[2] = 2
}
`)
	for _, c := range []struct {
		off  []Property
		want []string
	}{
		{nil, []string{"fatal", "race"}},
		{[]Property{Race}, []string{"fatal"}},
		{[]Property{Fatal}, []string{"race"}},
		{[]Property{Race, Fatal}, nil},
	} {
		for _, access := range []bool{false, true} {
			r, err := explore.Run(func() (lts.System, error) {
				return NewSystem(prog, Process{Env: []string{}, Dir: "/"}, Settings{Access: access, Properties: Properties{Off: c.off}})
			}, explore.Options{All: true})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.Kind)
			}
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, c.want) {
				t.Errorf("access %t without %v: got %v, want %v", access, c.off, got, c.want)
			}
		}
	}
}

// TestNativeAccess pins that natives are not stopped at: what a call of one
// accesses belongs to the step that makes it. So nobody reads 0 from flag and
// then finds the byte that is written after it, which would make out 1. The race
// is found all the same.
func TestNativeAccess(t *testing.T) {
	prog := compileAccess(t, `package main

import "bytes"

var flag, out int
var buf = make([]byte, 1)

func main() {
	go func() { flag = 1; buf[0] = 1 }()
	b := buf
	f := flag
	out = f*10 + bytes.IndexByte(b, 1) + 1
}
`)
	got := outcomes(t, prog, Settings{Access: true, Properties: Properties{Off: []Property{Race, Fatal}}})
	if want := []int{0, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if w := sweepOf(t, prog, bySync, 1000, false); len(w.races) < 2 {
		t.Errorf("got races %v, want one on flag and one on the byte", w.races)
	}
}

// outcomes returns the values of the variable out in the states without steps.
func outcomes(t *testing.T, prog *bytecode.Program, s Settings) []int {
	t.Helper()
	sys, err := NewSystem(prog, Process{Env: []string{}, Dir: "/"}, s)
	if err != nil {
		t.Fatal(err)
	}
	defer sys.Close()
	var out mem.Ptr
	for i, g := range prog.Globals {
		if g.Name == "main.out" {
			out = mem.MakePtr(mem.ObjID(bytecode.GlobalBase+i), 0)
		}
	}
	seen := map[mem.Fingerprint]bool{}
	values := map[int]bool{}
	var visit func()
	visit = func() {
		if key := sys.m.Fingerprint(); seen[key] {
			return
		} else {
			seen[key] = true
		}
		steps := sys.Enabled(nil)
		if len(steps) == 0 {
			values[*(*int)(sys.m.Heap.Peek(out, 8))] = true
		}
		mark := sys.Save()
		for _, step := range steps {
			sys.Take(step)
			visit()
			sys.Restore(mark)
		}
	}
	visit()
	var list []int
	for v := range values {
		list = append(list, v)
	}
	slices.Sort(list)
	return list
}
