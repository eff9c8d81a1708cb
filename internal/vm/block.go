package vm

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A Block is a list of plain memory accesses. While a goroutine stands before an
// operation, nothing has ordered the accesses of its current block before what
// others do: whatever another goroutine does now to the same memory is
// concurrent with them. So if two current blocks collide there is a race; and if
// a program has a race, there is an execution in which two current blocks
// collide: run up to the operations before the two accesses, then over both.
// Since blocks belong to the state (see encodeG), no race is lost where a search
// meets a state again.
type Block []Access

// An Access is to bytes lo up to hi of an object.
type Access struct {
	Obj    mem.ObjID
	lo, hi uint32
	Write  bool
	fn, pc int32 // where the first of them happened; not part of the state
}

// maxMerge is how far back a new access is compared with those before.
const maxMerge = 64

// add notes an access, together with one before if they touch.
func (b Block) add(a Access) Block {
	for i := len(b) - 1; i >= max(0, len(b)-maxMerge); i-- {
		if e := &b[i]; e.Obj == a.Obj && e.Write == a.Write && a.lo <= e.hi && e.lo <= a.hi {
			e.lo, e.hi = min(e.lo, a.lo), max(e.hi, a.hi)
			return b
		}
	}
	return append(b, a)
}

// access is called at each access to a tracked object.
func (m *Machine) access(p mem.Ptr, n uint32, write bool) {
	s := m.search
	g := m.cur
	if s.effects.recording {
		s.effects.note(m.Heap, p, n)
	}
	if s.watching && !slices.Contains(s.observed, p.Obj()) {
		s.observed = append(s.observed, p.Obj())
	}
	if write && s.Assume != nil {
		m.wrote(p, n)
	}
	if s.mute > 0 || n == 0 || g == nil || g.depth == 0 || m.alone() {
		return
	}
	fr := &g.frames[g.depth-1]
	a := Access{Obj: p.Obj(), lo: p.Off(), hi: p.Off() + n, Write: write, fn: fr.fn, pc: fr.pc}
	if s.inOp {
		s.op = s.op.add(a)
		return
	}
	if m.funcs[fr.fn].guarded {
		return
	}
	for i := len(s.cur) - 1; i >= max(0, len(s.cur)-maxMerge); i-- { // most are there already
		if e := &s.cur[i]; e.Obj == a.Obj && e.Write == write && a.lo >= e.lo && a.hi <= e.hi {
			return
		}
	}
	if m.quiet(g) {
		return
	}
	s.cur = s.cur.add(a)
	s.scanned = 0
}

// publishWrites publishes what the running goroutine has stored in shared memory
// since its last operation.
func (m *Machine) publishWrites() {
	s := m.search
	if s.scanned == len(s.cur) {
		return
	}
	for _, a := range s.cur {
		if a.Write && !a.observes() {
			m.Heap.PublishFrom(mem.MakePtr(a.Obj, a.lo), a.hi-a.lo)
		}
	}
	s.scanned = len(s.cur)
}

// share finds out which objects several goroutines can reach, and drops from the
// block of each goroutine what no other one can reach any more.
func (m *Machine) share() {
	s := &m.search.sharer
	alone := m.alone()
	if !m.Heap.Sealed() {
		if alone {
			m.dropBlocks()
		}
		return
	}
	if m.Heap.Young() == 0 { // all that there is belongs to everybody
		if alone {
			m.dropBlocks()
		}
		return
	}
	s.Begin(m.Heap)
	m.own(s)
	if alone {
		m.dropBlocks()
	}
	for i, g := range m.gs {
		for k := range g.block {
			if !s.Claim(i+1, g.block[k].Obj) {
				m.touch(g)
				g.block = m.claimedPart(g.block, i+1)
				break
			}
		}
	}
	s.Finish()
}

// own tells what each goroutine can reach, and what everybody can but for global
// variables. Owners are counted from 1.
func (m *Machine) own(s *mem.Sharer) {
	for i, g := range m.gs {
		s.Own(i + 1)
		if m.rootsKnown(g) {
			s.RootsOf(&g.part)
		} else {
			m.visitStack(g, s.Root)
		}
	}
	s.Everyone()
	for i := range m.state.numTimers {
		p, _ := m.Heap.LoadPtr(m.state.timers + mem.Ptr(i)*8)
		s.Root(p)
	}
	s.Root(m.state.special.refs)
	for i := range m.state.special.list {
		sp := &m.state.special.list[i]
		if sp.Kind != FinalizerSpecial && sp.Kind != CleanupSpecial { // nobody else can reach the target any more when those are called
			s.Root(sp.Target)
		}
		s.Root(sp.Fn)
		s.Root(sp.Arg)
	}
	s.Root(m.state.checked.watches)
}

// rootsKnown reports whether g's digest tells what visitStack would visit.
func (m *Machine) rootsKnown(g *G) bool {
	return g.known && len(g.panics) == 0 && (g.wait.Obj == 0 || g.wait.parked != 0)
}

// claimedPart returns a copy of what an owner claims of a block.
func (m *Machine) claimedPart(b Block, owner int) Block {
	s := m.search
	s.cur = s.cur[:0]
	for _, a := range b {
		if s.sharer.Claim(owner, a.Obj) {
			s.cur = append(s.cur, a)
		}
	}
	b = m.undo.blocks.keep(s.cur)
	s.cur = s.cur[:0]
	return b
}

func (m *Machine) dropBlocks() {
	for _, g := range m.gs {
		if g.block != nil {
			m.touch(g)
			g.block = nil
		}
	}
}

// dropFreed drops from the blocks what a collection has freed: nobody can access
// it again, and its number may become another object's.
func (m *Machine) dropFreed() {
	freed := func(a Access) bool { return !m.Heap.Exists(mem.MakePtr(a.Obj, 0)) }
	for _, g := range m.gs {
		if slices.ContainsFunc(g.block, freed) {
			m.touch(g)
			g.block = slices.DeleteFunc(slices.Clone(g.block), freed)
		}
	}
	m.search.cur = slices.DeleteFunc(m.search.cur, freed)
	m.search.scanned = 0
}

// A Race is two accesses to the same memory of which one is a write and that
// nothing orders.
type Race struct {
	G, H *G
	A, B Access // of G and of H
}

// collide looks for accesses of the step's goroutines that collide with the
// blocks of others.
func (m *Machine) collide() {
	s := m.search
	for i, g := range s.movers {
		if len(g.block) == 0 {
			continue
		}
		for _, o := range m.gs {
			if o == g || len(o.block) == 0 {
				continue
			}
			if i > 0 && moved(s.movers[:i], o) {
				continue
			}
			m.compare(g, g.block, o)
		}
	}
	if len(s.movers) > 0 && len(s.op) > 0 && m.atomicOp(s.movers[0]) {
		for _, o := range m.gs {
			if o != s.movers[0] {
				m.compare(s.movers[0], s.op, o)
			}
		}
	}
}

// moved reports whether g is among the goroutines of a list.
func moved(list []*G, g *G) bool {
	for _, o := range list {
		if o == g {
			return true
		}
	}
	return false
}

// atomicOp reports whether the accesses of the step's operation count as such.
func (m *Machine) atomicOp(g *G) bool {
	a := m.search.op[0]
	f := &m.funcs[a.fn]
	if f.code != nil {
		in := &f.f.Code[a.pc]
		if in.Op != bytecode.OpCall {
			return false
		}
		f = &m.funcs[in.Imm]
	}
	return f.op != nil && f.op.Row.Atomic
}

func (m *Machine) compare(g *G, b Block, o *G) {
	for _, x := range b {
		for _, y := range o.block {
			if x.Obj == y.Obj && (x.Write || y.Write) && x.lo < y.hi && y.lo < x.hi {
				if x.observes() {
					m.search.found.Unordered = true
					continue
				}
				m.search.races = append(m.search.races, Race{g, o, x, y})
			}
		}
	}
}
