package execute

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/mem"
)

// A Varying is something that has many values over the states of a search: what
// makes states differ.
type Varying struct {
	Name   string
	Values int64
}

// A sampler counts how many values variables have. A variable goes by the place
// that assigned to it: types and names of heap objects are not known at run
// time. It looks at every so many states and keeps a bounded number of values.
type sampler struct {
	states int64
	seen   map[sampleKey]map[uint64]struct{}
}

// A sampleKey is a place in the program, or a global variable (pc is globalPC), or
// the local variables of a function (pc is localsPC), or the place of a goroutine
// (fn is -1 and pc its number).
type sampleKey struct{ fn, pc int }

const (
	globalPC = -1
	localsPC = -2
)

const (
	sampleEvery = 16
	maxSamples  = 100_000
)

// sample looks at the current state.
func (d *sampler) sample(s *System) {
	if d.states++; d.states%sampleEvery != 1 {
		return
	}
	if d.seen == nil {
		d.seen = make(map[sampleKey]map[uint64]struct{})
	}
	m := s.m
	for i, g := range m.ByName() {
		fn, pc := m.PlaceOf(m.Index(g))
		d.add(sampleKey{-1, i}, uint64(fn)<<32|uint64(pc))
		m.Locals(g, func(fn int, hash uint64) { d.add(sampleKey{fn, localsPC}, hash) })
		for _, a := range m.BlockOf(g) {
			lo, hi := a.Range()
			if p := m.Heap.Peek(mem.MakePtr(a.Obj, lo), hi-lo); p != nil && a.Write {
				fn, pc := a.Place()
				d.add(sampleKey{fn, pc}, mem.HashBytes(bytesAt(p, hi-lo)))
			}
		}
	}
	for _, v := range s.globalBytes() {
		d.add(sampleKey{v.index, globalPC}, mem.HashBytes(v.bytes))
	}
}

func (d *sampler) add(k sampleKey, v uint64) {
	set := d.seen[k]
	if set == nil {
		set = make(map[uint64]struct{})
		d.seen[k] = set
	}
	if len(set) < maxSamples {
		set[v] = struct{}{}
	}
}

// Differences lists what has more than one value over the states of the search,
// the most values first. It is empty unless Settings.Differ is on.
func (s *System) Differences() []Varying {
	var list []Varying
	for k, set := range s.sampler.seen {
		if len(set) > 1 {
			list = append(list, Varying{s.folder.text(s.sampleName(k)), int64(len(set))})
		}
	}
	slices.SortFunc(list, func(a, b Varying) int {
		return cmp.Or(cmp.Compare(b.Values, a.Values), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), 20)]
}

func (s *System) sampleName(k sampleKey) string {
	switch {
	case k.fn == -1:
		return fmt.Sprintf("where goroutine %d stands", k.pc+1)
	case k.pc == globalPC:
		return s.m.Prog.Globals[k.fn].Name
	case k.pc == localsPC:
		return "local variables of " + s.m.Prog.Funcs[k.fn].Name
	}
	pos := s.posOf(s.m.LineOf(k.fn, k.pc))
	if name := s.story.sources.variable(pos); name != "" {
		return fmt.Sprintf("%s (%s:%d)", name, pos.File, pos.Line)
	}
	return fmt.Sprintf("what %s:%d assigns", pos.File, pos.Line)
}
