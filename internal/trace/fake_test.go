package trace

import (
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A fake is a small program with words: threads that start each other, lock, read
// and write. Threads are numbered among those that live, so that the numbers of
// actors and steps change along a path. It implements all that Record looks for.
type fake struct {
	threads []thread
	state   fakeState
	saved   []fakeState
	mover   int
}

type thread struct {
	name string
	ops  []op
}

type op struct {
	verb string // go, lock, unlock, load, store, add, choose, assert
	what string
	n    int
	line int
}

// A fakeState is small enough to be copied whole.
type fakeState struct {
	place  []int // of each thread; -1 before its start
	local  []int
	locks  map[string]int // the thread that holds it, plus 1
	vars   map[string]int
	failed int // the line of the assertion, or 0
}

func newFake(threads ...thread) *fake {
	f := &fake{threads: threads}
	line := 10
	for _, t := range threads {
		for i := range t.ops {
			t.ops[i].line = line
			line++
		}
		line += 3
	}
	f.Reset()
	return f
}

func (f *fake) Reset() {
	f.state = fakeState{
		place: slices.Repeat([]int{-1}, len(f.threads)), local: make([]int, len(f.threads)),
		locks: map[string]int{}, vars: map[string]int{},
	}
	f.state.place[0] = 0
	f.saved = nil
}

func copyState(s fakeState) fakeState {
	c := fakeState{slices.Clone(s.place), slices.Clone(s.local), map[string]int{}, map[string]int{}, s.failed}
	for k, v := range s.locks {
		c.locks[k] = v
	}
	for k, v := range s.vars {
		c.vars[k] = v
	}
	return c
}

func (f *fake) Save() lts.Mark {
	f.saved = append(f.saved, copyState(f.state))
	return lts.Mark(len(f.saved))
}

func (f *fake) Restore(m lts.Mark) {
	f.saved = f.saved[:m]
	f.state = copyState(f.saved[m-1])
}

func (f *fake) AppendKey(dst []byte) []byte { return fmt.Append(dst, f.state) }

// live returns the threads that live; an actor is an index into it.
func (f *fake) live() []int {
	var live []int
	for i, place := range f.state.place {
		if place >= 0 && place < len(f.threads[i].ops) {
			live = append(live, i)
		}
	}
	return live
}

func (f *fake) next(t int) op { return f.threads[t].ops[f.state.place[t]] }

// A step is the number of the actor times 10, plus the choice.
func (f *fake) Enabled(dst []lts.Step) []lts.Step {
	for actor, t := range f.live() {
		o := f.next(t)
		if o.verb == "lock" && f.state.locks[o.what] != 0 {
			continue
		}
		for choice := range max(o.n*btoi(o.verb == "choose"), 1) {
			dst = append(dst, lts.Step(10*actor+choice))
		}
	}
	return dst
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (f *fake) Actor(s lts.Step) int { return int(s / 10) }
func (f *fake) Mover() int           { return slices.Index(f.live(), f.mover) }

func (f *fake) Take(s lts.Step) lts.Label {
	f.Describe(s)
	return lts.Label(f.mover*10000 + (f.state.place[f.mover]-1)*10 + int(s%10))
}

func (f *fake) Describe(s lts.Step) lts.Event {
	t := f.live()[s/10]
	o := f.next(t)
	st := &f.state
	st.place[t]++
	f.mover = t
	e := lts.Event{Actor: f.threads[t].name, Action: o.verb + " " + o.what, Pos: f.pos(o)}
	set := func(name string, v int) {
		if old := st.vars[name]; old != v {
			e.Changed = append(e.Changed, lts.Change{Name: name, Old: fmt.Sprint(old), New: fmt.Sprint(v)})
		}
		st.vars[name] = v
	}
	touch := func(write bool) { e.Touched = []lts.Touch{{Thing: o.what, Write: write}} }
	switch o.verb {
	case "go":
		for i := range f.threads {
			if f.threads[i].name == o.what {
				st.place[i] = 0
			}
		}
	case "lock":
		st.locks[o.what] = t + 1
		e.Changed = []lts.Change{{Name: o.what, Old: "free", New: "held"}}
		touch(true)
	case "unlock":
		delete(st.locks, o.what)
		e.Changed = []lts.Change{{Name: o.what, Old: "held", New: "free"}}
		touch(true)
	case "load":
		st.local[t] = st.vars[o.what]
		touch(false)
	case "store":
		e.Action = fmt.Sprintf("store %d in %s", o.n, o.what)
		set(o.what, o.n)
		touch(true)
	case "add": // to what was loaded
		e.Action = fmt.Sprintf("store %d in %s", st.local[t]+o.n, o.what)
		set(o.what, st.local[t]+o.n)
		touch(true)
	case "choose":
		e.Action = fmt.Sprintf("choose %d of %d", s%10, o.n)
		st.local[t] = int(s % 10)
	case "assert":
		e.Action = fmt.Sprintf("assert %s == %d", o.what, o.n)
		if st.vars[o.what] != o.n {
			st.failed = o.line
		}
		touch(false)
	default:
		panic("no such operation: " + o.verb)
	}
	return e
}

func (f *fake) pos(o op) diag.Pos { return diag.Pos{File: "dir/fake.go", Line: o.line, Col: 2} }

func (f *fake) CheckState(dst []diag.Finding) []diag.Finding {
	if f.state.failed != 0 {
		dst = append(dst, diag.Finding{Kind: "assert", Message: "assertion failed", Pos: f.pos(op{line: f.state.failed})})
	}
	return dst
}

func (f *fake) CheckStep(dst []diag.Finding) []diag.Finding { return dst }

func (f *fake) Final() bool { return len(f.live()) == 0 }

func (f *fake) Waiting() []lts.Waiting {
	var list []lts.Waiting
	for _, t := range f.live() {
		o := f.next(t)
		if holder := f.state.locks[o.what]; o.verb == "lock" && holder != 0 {
			w := lts.Waiting{Actor: f.threads[t].name, For: "lock " + o.what, Pos: f.pos(o)}
			if slices.Contains(f.live(), holder-1) && holder-1 != t {
				w.Releasers = []string{f.threads[holder-1].name}
			}
			list = append(list, w)
		}
	}
	return list
}

// ab is the deadlock that everybody knows, with a bystander.
func ab() *fake {
	return newFake(
		thread{"main", []op{{verb: "go", what: "main.first"}, {verb: "go", what: "main.second"}, {verb: "store", what: "unrelated", n: 1}}},
		thread{"main.first", []op{{verb: "lock", what: "a"}, {verb: "lock", what: "b"}, {verb: "unlock", what: "b"}, {verb: "unlock", what: "a"}}},
		thread{"main.second", []op{{verb: "lock", what: "b"}, {verb: "lock", what: "a"}, {verb: "unlock", what: "a"}, {verb: "unlock", what: "b"}}},
	)
}

var deadlock = diag.Finding{Kind: "deadlock", Message: "no step is enabled"}

// lost has two threads that add 1 to x and may lose an update, and a main that
// waits for nobody and wants x to be as it was.
func lost() *fake {
	adder := []op{{verb: "load", what: "x"}, {verb: "add", what: "x", n: 1}}
	return newFake(
		thread{"main", []op{{verb: "store", what: "x", n: 2}, {verb: "go", what: "main.add"}, {verb: "go", what: "main.add#2"}, {verb: "choose", n: 3}, {verb: "assert", what: "x", n: 2}}},
		thread{"main.add", slices.Clone(adder)},
		thread{"main.add#2", slices.Clone(adder)},
	)
}
