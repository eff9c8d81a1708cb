package drive

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
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
	from   int32 // where that was called from: see originOf; 0 if nobody asks
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
	g := m.Current()
	if m.effects.recording {
		m.effects.note(m.Heap, p, n)
	}
	if m.watching && !slices.Contains(m.looked, p.Obj()) {
		m.looked = append(m.looked, p.Obj())
	}
	if write {
		m.wrote(p, n)
		m.writes++
	}
	if m.mute > 0 || n == 0 || g == nil || g.Depth() == 0 || m.alone() {
		return
	}
	fr := g.Top()
	a := Access{Obj: p.Obj(), lo: p.Off(), hi: p.Off() + n, Write: write, fn: fr.Func(), pc: fr.PC()}
	if m.inOp {
		if m.opBy != g { // a goroutine that the step has started does one, too
			m.collideOp()
			m.op, m.opBy = m.op[:0], g
		}
		a.from = m.fromOp(g)
		m.op = m.op.add(a)
		if m.probing && m.buffers {
			m.trail = append(m.trail, a)
		}
		return
	}
	if m.funcs[fr.Func()].guarded {
		return
	}
	for i := len(m.cur) - 1; i >= max(0, len(m.cur)-maxMerge); i-- { // most are there already
		if e := &m.cur[i]; e.Obj == a.Obj && e.Write == write && a.lo >= e.lo && a.hi <= e.hi {
			return
		}
	}
	if m.quiet(g) {
		return
	}
	a.from = m.from(g, a.fn)
	m.cur = m.cur.add(a)
	m.scanned = 0
}

// publishWrites publishes what the running goroutine has stored in shared memory
// since its last operation.
func (m *Machine) publishWrites() {
	if m.scanned == len(m.cur) {
		return
	}
	for _, a := range m.cur {
		if a.Write && !a.observes() {
			m.Heap.PublishFrom(mem.MakePtr(a.Obj, a.lo), a.hi-a.lo)
		}
	}
	m.scanned = len(m.cur)
}

// share finds out which objects several goroutines can reach, and drops from the
// block of each goroutine what no other one can reach any more.
func (m *Machine) share() {
	s := &m.sharer
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
				m.save(g)
				g.block = m.claimedPart(g.block, i+1)
				break
			}
		}
	}
	m.work += 2 * int64(s.Seen())
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
			m.VisitStack(&g.G, s.Root)
		}
	}
	s.Everyone()
	for i := range m.Counters().NumTimers {
		p, _ := m.Heap.LoadPtr(m.Counters().Timers + mem.Ptr(i)*8)
		s.Root(p)
	}
	s.Root(m.Refs())
	m.EachSpecial(func(sp vm.Special) { // nobody else can reach the target of a finalizer or a cleanup any more when that is called
		if sp.Kind == vm.FinalizerSpecial || sp.Kind == vm.CleanupSpecial {
			s.Root(sp.Fn)
			s.Root(sp.Arg)
		}
	})
	s.Root(m.checked.watches)
}

// rootsKnown reports whether g's digest tells what visitStack would visit.
func (m *Machine) rootsKnown(g *G) bool {
	return g.known && !g.Panicking() && (g.Wait().Obj == 0 || g.Wait().Parked())
}

// claimedPart returns a copy of what an owner claims of a block.
func (m *Machine) claimedPart(b Block, owner int) Block {
	m.cur = m.cur[:0]
	for _, a := range b {
		if m.sharer.Claim(owner, a.Obj) {
			m.cur = append(m.cur, a)
		}
	}
	b = m.log.blocks.keep(m.cur)
	m.cur = m.cur[:0]
	return b
}

func (m *Machine) dropBlocks() {
	for _, g := range m.gs {
		if g.block != nil {
			m.save(g)
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
			m.save(g)
			g.block = slices.DeleteFunc(slices.Clone(g.block), freed)
		}
	}
	m.cur = slices.DeleteFunc(m.cur, freed)
	m.scanned = 0
}
