package execute

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// compileAccess compiles the text of a program so that it can be searched at both
// granularities.
func compileAccess(t testing.TB, src string) *bytecode.Program {
	t.Helper()
	return compileShared(t, CompileAccess, writeMain(t, src))
}

// A sweep visits all states of a program and notes what it sees.
type sweep struct {
	sys    *System
	mode   sweepMode
	limit  int
	states map[mem.Fingerprint]bool
	cut    bool            // there are more states than the limit
	kinds  map[string]bool // of findings
	ends   map[string]bool // the states without steps, in words
	races  []drive.Race    // that the machine tells of
	meet   string          // two accesses before which goroutines stand at the same time and that conflict
	early  bool            // stop at the first race of either sort
}

// The ways to visit the states of a program.
type sweepMode int

const (
	bySync     sweepMode = iota // a step goes up to the next synchronising operation
	reduced                     // so it does, and only the steps that reduction keeps are taken
	byAccess                    // a step goes up to the next access, and races are looked for
	bruteForce                  // so it does, and the machine knows nothing of races
)

// sweepOf visits the states of a program, up to a limit.
func sweepOf(t testing.TB, prog *bytecode.Program, mode sweepMode, limit int, early bool) *sweep {
	t.Helper()
	settings := Settings{Access: mode >= byAccess, Fuel: 1000}
	if mode == bruteForce {
		settings.Properties.Off = []Property{Race, Fatal}
	}
	sys, err := NewSystem(prog, Process{Env: []string{}, Dir: "/"}, settings)
	if err != nil {
		t.Fatal(err)
	}
	defer sys.Close()
	sys.settings.Properties = Properties{}
	w := &sweep{sys: sys, mode: mode, limit: limit, early: early, states: map[mem.Fingerprint]bool{}, kinds: map[string]bool{}, ends: map[string]bool{}}
	w.note(sys.first)
	w.races = append(w.races, sys.m.Races()...) // on the way to the initial state
	w.visit()
	return w
}

// over reports whether nothing more needs to be visited.
func (w *sweep) over() bool {
	return w.cut || w.early && (w.meet != "" || len(w.races) > 0)
}

func (w *sweep) note(list []diag.Finding) {
	for _, f := range list {
		w.kinds[f.Kind] = true
	}
}

// visit visits the current state, if it is a new one, and all that follow.
func (w *sweep) visit() {
	key := w.sys.m.Fingerprint()
	if w.states[key] || w.over() {
		return
	}
	if w.cut = len(w.states) >= w.limit; w.cut {
		return
	}
	w.states[key] = true
	w.note(w.sys.CheckState(nil))
	if w.meet == "" {
		w.meet = meeting(w.sys)
	}
	var steps []lts.Step
	if w.mode == reduced {
		steps = w.sys.Reduced(nil)
	} else {
		steps = w.sys.Enabled(nil)
	}
	mark := w.sys.Save()
	if len(steps) == 0 {
		w.ends[endOf(w.sys)] = true
	}
	for _, step := range steps {
		w.sys.Take(step)
		w.races = append(w.races, w.sys.m.Races()...)
		w.note(w.sys.CheckStep(nil))
		w.visit()
		w.sys.Restore(mark)
	}
}

// endOf tells a state in words: the variables of package main, where goroutines
// stand, and how the program has ended. Keys would not do, because they tell a
// state by how it differs from the initial one, which is not the same one for
// both granularities.
func endOf(sys *System) string {
	var b strings.Builder
	m := sys.m
	if e := m.Exit(); e != nil {
		fmt.Fprintf(&b, "exit %d %d %s", e.Kind, e.Code, e.Msg)
		return b.String() // what is in memory then depends on who was where
	}
	for i, g := range m.Prog.Globals {
		if sys.ownGlobal(&g) {
			fmt.Fprintf(&b, "%s ", g.Name)
			writeValue(&b, m.Machine, g.Type, mem.MakePtr(mem.ObjID(bytecode.GlobalBase+i), 0), map[mem.Ptr]bool{})
			b.WriteByte('\n')
		}
	}
	// Their names and their order depend on who was there when they started.
	var places []string
	for _, g := range m.Goroutines() {
		places = append(places, fmt.Sprintf("%s: %s\n", m.EntryName(g), sys.position(g)))
	}
	slices.Sort(places)
	return b.String() + strings.Join(places, "")
}

// writeValue writes the value of a type at a place in memory, with all that it
// leads to.
func writeValue(b *strings.Builder, m *vm.Machine, typ int, p mem.Ptr, seen map[mem.Ptr]bool) {
	t := m.Type(typ)
	at := m.Heap.Peek(p, t.Size)
	if at == nil || t.Size == 0 {
		b.WriteByte('_')
		return
	}
	switch t.Kind {
	case bytecode.Struct:
		for _, f := range t.Fields {
			fmt.Fprintf(b, "%s:", f.Name)
			writeValue(b, m, f.Type, p+mem.Ptr(f.Off), seen)
			b.WriteByte(' ')
		}
	case bytecode.Array:
		writeList(b, m, t.Elem, p, int(t.Len), seen)
	case bytecode.Slice:
		s := (*[3]uint64)(at)
		writeList(b, m, t.Elem, mem.Ptr(s[0]), int(s[1]), seen)
	case bytecode.Pointer:
		q := *(*mem.Ptr)(at)
		if q == 0 || seen[q] {
			fmt.Fprintf(b, "%t", q == 0)
			return
		}
		seen[q] = true
		b.WriteByte('&')
		writeValue(b, m, t.Elem, q, seen)
	case bytecode.MapKind:
		mp := *(*mem.Ptr)(at)
		for seq, key, elem := m.Heap.MapNext(mp, 0); seq != 0; seq, key, elem = m.Heap.MapNext(mp, seq) {
			writeValue(b, m, t.Key, key, seen)
			b.WriteByte('=')
			writeValue(b, m, t.Elem, elem, seen)
			b.WriteByte(' ')
		}
	case bytecode.Chan:
		if ch := *(*mem.Ptr)(at); ch != 0 {
			fmt.Fprintf(b, "%d %t", m.Heap.ChanLen(ch), m.Heap.ChanClosed(ch))
		}
	case bytecode.FuncKind, bytecode.Interface, bytecode.String, bytecode.UnsafePointer:
		fmt.Fprintf(b, "%t", *(*uint64)(at) == 0)
	default:
		fmt.Fprintf(b, "%x", unsafe.Slice((*byte)(at), t.Size))
	}
}

func writeList(b *strings.Builder, m *vm.Machine, elem int, p mem.Ptr, n int, seen map[mem.Ptr]bool) {
	b.WriteByte('[')
	for i := range n {
		writeValue(b, m, elem, p+mem.Ptr(i)*mem.Ptr(m.Type(elem).Size), seen)
		b.WriteByte(' ')
	}
	b.WriteByte(']')
}

// meeting tells of two goroutines that stand before conflicting accesses of which
// one at least is plain: a race by definition, if memory is sequentially
// consistent.
func meeting(sys *System) string {
	m := sys.m
	gs := m.Goroutines()
	for i, g := range gs {
		for _, a := range m.StoppedBefore(nil, g) {
			for j, h := range gs {
				if j == i {
					continue
				}
				for _, b := range append(m.StoppedBefore(nil, h), atomicBefore(m, h)...) {
					if a.Conflicts(b) {
						return fmt.Sprintf("%s at %s and %s at %s", sys.nameOf(g), sys.position(g), sys.nameOf(h), sys.position(h))
					}
				}
			}
		}
	}
	return ""
}

// atomicBefore is the access of the atomic operation before which a goroutine
// stands, if it does.
func atomicBefore(m *drive.Machine, g *drive.G) []drive.Access {
	c, op := m.StandsAtNative(g)
	if c == nil || !op.Row.Atomic {
		return nil
	}
	f, _ := m.StandsAt(g)
	name := f.Native[strings.LastIndex(f.Native, ".")+1:]
	size := uint32(4)
	if strings.Contains(name, "64") || strings.HasSuffix(name, "ptr") || strings.HasSuffix(name, "ointer") {
		size = 8
	}
	write := op.Row.OnlyReads() == 0
	if strings.HasPrefix(name, "CompareAndSwap") { // it writes if it finds what it expects
		if a := m.Heap.Peek(c.Ptr(0), size); a != nil {
			now := uint64(*(*uint32)(a))
			want := uint64(uint32(c.Word(1)))
			if size == 8 {
				now, want = *(*uint64)(a), c.Word(1)
			}
			write = now == want
		}
	}
	return []drive.Access{drive.AccessTo(c.Ptr(0), size, write)}
}

// without lists what is in a but not in b.
func without(a, b map[string]bool) []string {
	var list []string
	for k := range a {
		if !b[k] {
			list = append(list, k)
		}
	}
	slices.Sort(list)
	return list
}
