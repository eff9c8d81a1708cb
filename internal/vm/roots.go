package vm

import (
	"math/bits"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// noMap is the register map of a frame in which nothing is live.
var noMap bytecode.Map

// LiveMap returns what is live in a frame. A frame that is stopped at an
// instruction without a map is being unwound: what is live there is what the
// code at Recover reads.
func (m *Machine) LiveMap(fr *Frame) *bytecode.Map {
	f := &m.funcs[fr.fn]
	if f.code == nil {
		return m.paramMap(f)
	}
	if f.points == nil {
		f.points = pointTable(f.f)
	}
	i := f.points[fr.pc]
	if i < 0 && f.f.Recover >= 0 {
		i = f.points[f.f.Recover]
	}
	if i < 0 {
		return &noMap
	}
	return &f.f.Maps[i]
}

// pointTable spreads a function's safepoints over its instructions: the map of
// each, -1 for none.
func pointTable(f *bytecode.Func) []int32 {
	t := make([]int32, len(f.Code))
	for i := range t {
		t[i] = -1
	}
	for _, p := range f.Points {
		t[p.PC] = p.Map
	}
	return t
}

// paramMap is the register map of a function's parameters, all of them live, and
// of its closure pointer.
func (m *Machine) paramMap(r *fn) *bytecode.Map {
	if r.param != nil {
		return r.param
	}
	f := r.f
	words := int(f.Params) + 1
	r.param = &bytecode.Map{Live: make([]uint64, words/64+1), Ptrs: make([]uint64, words/64+1)}
	set := func(b []uint64, i int) { b[i/64] |= 1 << (i % 64) }
	at := 0
	for _, ti := range f.ParamT {
		t := m.rt.types[ti]
		for i := range int(t.Words) {
			set(r.param.Live, at+i)
			if i/64 < len(t.Ptrs) && t.Ptrs[i/64]>>(i%64)&1 != 0 {
				set(r.param.Ptrs, at+i)
			}
		}
		at += int(t.Words)
	}
	if f.Closure {
		set(r.param.Live, int(f.Params))
		set(r.param.Ptrs, int(f.Params))
	}
	return r.param
}

// VisitArguments calls visit for the pointers among the arguments of a goroutine
// that has not run yet.
func (m *Machine) VisitArguments(g *G, visit func(mem.Ptr)) {
	f := &m.funcs[g.frames[0].fn]
	mp := m.paramMap(f)
	for k, w := range g.stack[:min(f.words(), len(g.stack))] {
		if k/64 < len(mp.Ptrs) && mp.Ptrs[k/64]>>(k%64)&1 != 0 {
			visit(mem.Ptr(w))
		}
	}
}

// Addresses reports whether a frame is that of a native whose numbers may be
// addresses: see SetVisible.
func (m *Machine) Addresses(fr *Frame) bool {
	f := &m.funcs[fr.fn]
	return f.code == nil && f.addresses
}

// IsAddress reports whether a number is a pointer to an object. Lengths, descriptors
// and flags are too small for that.
func (m *Machine) IsAddress(w uint64) bool { return w>>32 != 0 && m.Heap.Exists(mem.Ptr(w)) }

// Moment marks a number among the arguments of such a native that is a point in time:
// until when it waits. Keys tell how far away it is.
const Moment = 0xb << 60

// isMoment reports whether a number is one. No size or negative number is, and no
// pointer: there are not that many objects.
func isMoment(w uint64) bool { return w>>60 == Moment>>60 }

// MomentOf returns the point in time among the arguments of the native at which g
// stands or waits, if there is one.
func (m *Machine) MomentOf(g *G) (when int64, ok bool) {
	if g.depth == 0 {
		return 0, false
	}
	fr := &g.frames[g.depth-1]
	if !m.Addresses(fr) {
		return 0, false
	}
	for _, w := range g.stack[fr.base:][:m.funcs[fr.fn].f.Params] {
		if isMoment(w) {
			return int64(w << 4 >> 4), true
		}
	}
	return 0, false
}

// VisitStack calls visit for every pointer in g's live registers, deferred
// arguments and panic values.
func (m *Machine) VisitStack(g *G, visit func(mem.Ptr)) {
	for i := range g.frames[:g.depth] {
		fr := &g.frames[i]
		words := g.stack[fr.base:]
		mp := m.LiveMap(fr)
		for j, b := range mp.Ptrs {
			for ; b != 0; b &= b - 1 {
				visit(mem.Ptr(words[j*64+bits.TrailingZeros64(b)]))
			}
		}
		if m.Addresses(fr) {
			for k := range int(m.funcs[fr.fn].f.Params) {
				if m.IsAddress(words[k]) {
					visit(mem.Ptr(words[k]))
				}
			}
		}
	}
	for i := range g.defers {
		d := &g.defers[i]
		if d.fn < 0 {
			continue
		}
		args := g.deferArgs[d.args : d.args+d.n]
		for j, b := range m.paramMap(&m.funcs[d.fn]).Ptrs {
			for ; b != 0; b &= b - 1 {
				if k := j*64 + bits.TrailingZeros64(b); k < len(args) {
					visit(mem.Ptr(args[k]))
				}
			}
		}
	}
	for i := range g.panics {
		visit(g.panics[i].typ)
		visit(g.panics[i].data)
		visit(g.panics[i].text)
	}
	visit(g.wait.Obj)
	visit(g.atEnd)
}
