package native

import (
	"math"
	"sort"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A sync.Pool of Go has for each processor one item of its own and, behind it, a stack from which other
// processors may steal. The machine has one of both. In a run that nobody drives, the processor's own item is gotten
// first, and then what was put last, as in Go on one processor. In a search a pool is that of several processors:
//
//   - It keeps only a few items, so that states come back: see drive.Machine.KeepsInPool. An item too many makes it
//     forget the oldest one of the stack.
//   - Get may return any of them, or find none: see poolWays.
//
// A collection that the machine decides on leaves pools alone, since when it happens must not be visible in a state. One
// that the program asks for drops what was there at the last one: see agePools. The words are those of Go.
type pool struct {
	fresh shelf   // what was put since the last call of runtime.GC
	loose loosely // what may have happened to the items before
	old   shelf   // what was put before it
	_     uint64
	new   mem.Ptr
}

// loosely says why a pool may have lost an item, or give them out in another order, although that cannot happen now.
type loosely uint64

const (
	collected loosely = 1 << iota // there may have been a collection while an item was there, or it was lost in another way
	scattered                     // there were several processors then
)

// A shelf is a pointer to interface values: the one of the processor, and the stack, up to a nil one. Those of a pool
// that was copied are on the shelf of both.
type shelf mem.Ptr

const (
	poolSize  = 40
	efaceSize = 16
	fewItems  = 2 // the memory for so many a pool keeps that is empty, unless it belongs to a state
)

func poolAt(c *vm.NativeCall) *pool { return (*pool)(c.M.Heap.Write(c.Ptr(0), poolSize)) }

// efaces is the shape of arrays of interface values.
func efaces(m *vm.Machine) mem.ShapeID {
	return m.Heap.AddShape(mem.Shape{Size: efaceSize, Ptrs: []uint64{3}})
}

func eface(m *vm.Machine, p mem.Ptr) *[2]uint64 {
	return (*[2]uint64)(m.Heap.Write(p, efaceSize))
}

// item is the i-th item, of which the first is that of the processor.
func (s shelf) item(m *vm.Machine, i uint64) *[2]uint64 {
	return eface(m, mem.Ptr(s)+mem.Ptr(i*efaceSize))
}

// holds reports whether there is an i-th item.
func (s shelf) holds(m *vm.Machine, i uint64) bool {
	if s == 0 || (i+1)*efaceSize > uint64(m.Heap.Size(mem.Ptr(s).Obj())) {
		return false
	}
	e := (*[2]uint64)(m.Heap.Peek(mem.Ptr(s)+mem.Ptr(i*efaceSize), efaceSize))
	return e != nil && e[0] != 0
}

// own is 1 if the processor has an item of its own, 0 if not.
func (s shelf) own(m *vm.Machine) uint64 {
	if s.holds(m, 0) {
		return 1
	}
	return 0
}

// stack is how many items are on the stack.
func (s shelf) stack(m *vm.Machine) uint64 {
	if s == 0 {
		return 0
	}
	most := int(m.Heap.Size(mem.Ptr(s).Obj()) / efaceSize)
	return uint64(sort.Search(max(0, most-1), func(i int) bool { return !s.holds(m, uint64(i)+1) }))
}

// len is how many items there are.
func (s shelf) len(m *vm.Machine) uint64 { return s.own(m) + s.stack(m) }

// take removes the item at a place and returns it.
func (s shelf) take(m *vm.Machine, at uint64) (x [2]uint64) {
	x = *s.item(m, at)
	if at > 0 {
		for n := s.stack(m); at < n; at++ {
			*s.item(m, at) = *s.item(m, at+1)
		}
	}
	*s.item(m, at) = [2]uint64{}
	return x
}

// len is how many items there are.
func (p *pool) len(m *vm.Machine) uint64 { return p.fresh.len(m) + p.old.len(m) }

// room makes room for n items.
func (p *pool) room(m *vm.Machine, n uint64) bool {
	had := mem.Ptr(p.fresh)
	if had != 0 && uint64(m.Heap.Size(had.Obj())) >= n*efaceSize {
		return true
	}
	grown := m.AllocShape(efaces(m), n*efaceSize)
	if grown == 0 {
		return false
	}
	if had != 0 {
		m.Heap.Copy(grown, had, m.Heap.Size(had.Obj()))
	}
	p.fresh = shelf(grown)
	return true
}

// put adds an item for which there is room.
func (p *pool) put(m *vm.Machine, x [2]uint64) {
	at := uint64(0)
	if p.fresh.own(m) != 0 {
		at = p.fresh.stack(m) + 1
	}
	*p.fresh.item(m, at) = x
}

// place is where an item is. They are counted from 0, in the order in which one processor gets them: its own one, then
// what was put last. Of those that have seen a collection its own one comes first too, and then what was put first.
func (p *pool) place(m *vm.Machine, i uint64) (s shelf, at uint64) {
	if n := p.fresh.len(m); i >= n {
		return p.old, i - n + 1 - p.old.own(m)
	}
	if own := p.fresh.own(m); i >= own {
		return p.fresh, p.fresh.stack(m) - (i - own)
	}
	return p.fresh, 0
}

// take removes an item and returns it, counted in that order.
func (p *pool) take(m *vm.Machine, i uint64) [2]uint64 {
	s, at := p.place(m, i)
	x := s.take(m, at)
	p.tidy(m)
	return x
}

// tidy forgets memory that is not needed: all that is empty if it belongs to a state.
func (p *pool) tidy(m *vm.Machine) {
	if p.old != 0 && p.old.len(m) == 0 {
		p.old = 0
	}
	if p.fresh != 0 && (m.Driven() || m.Heap.Size(mem.Ptr(p.fresh).Obj()) > fewItems*efaceSize) && p.fresh.len(m) == 0 {
		p.fresh = 0
	}
	if p.len(m) == 0 {
		p.loose = 0
	}
}

// forget makes the pool drop an item that is among the oldest.
func (p *pool) forget(m *vm.Machine) {
	s := p.old
	if s == 0 {
		s = p.fresh
	}
	s.take(m, min(1, s.stack(m)))
	p.tidy(m)
}

// clear makes the pool drop all.
func (p *pool) clear() { p.fresh, p.old, p.loose = 0, 0, 0 }

func poolPut(c *vm.NativeCall) vm.Outcome {
	if c.Word(1) == 0 {
		return vm.Done
	}
	if c.Ptr(0) == 0 {
		return c.PanicString("nil Pool")
	}
	most := uint64(0)
	if c.M.Driven() {
		d := drive.Of(c.M)
		if most = uint64(d.KeepsInPool(c)); most == 0 {
			d.ForgetsInPool(c)
			return vm.Done
		}
	}
	p := poolAt(c)
	if p == nil {
		return c.PanicNil()
	}
	p.loose = p.loosened(c.M)
	stack := p.fresh.stack(c.M)
	switch {
	case !c.M.Driven():
		most = fewItems
		if p.fresh != 0 && uint64(c.M.Heap.Size(mem.Ptr(p.fresh).Obj())) < (stack+2)*efaceSize {
			most = 2 * (stack + 2)
		}
	case collects(c.M):
		for n := p.len(c.M); n >= most; n-- {
			drive.Of(c.M).ForgetsInPool(c)
			p.forget(c.M)
		}
	default:
		most = max(most, stack+2)
	}
	if !p.room(c.M, most) {
		return c.OutOfMemory()
	}
	p.put(c.M, [2]uint64{c.Word(1), c.Word(2)})
	if c.M.Driven() {
		p.loose |= loosens(c.M)
		if drive.Of(c.M).Shared(c.Ptr(0)) {
			c.M.Heap.Publish(mem.Ptr(p.fresh))
			c.M.Heap.Publish(c.Ptr(2))
		}
		if !drive.Of(c.M).Collects() && p.loose&collected != 0 {
			return vm.Done // no call makes a difference to it: see agePools and loosenPools
		}
	}
	if _, ok := c.M.FindSpecial(vm.PoolSpecial, c.Ptr(0)); !ok {
		c.M.AddSpecial(vm.Special{Kind: vm.PoolSpecial, Target: c.Ptr(0)})
	}
	return vm.Done
}

func poolGet(c *vm.NativeCall) vm.Outcome {
	m := c.M
	if c.Ptr(0) == 0 {
		return c.PanicString("nil Pool")
	}
	if poolPlain(c) {
		return poolNew(c, (*pool)(m.Heap.Peek(c.Ptr(0), poolSize)))
	}
	p := poolAt(c)
	if p == nil {
		return c.PanicNil()
	}
	n, way := p.len(m), uint64(0)
	if m.Driven() {
		var empties bool
		if n, empties, _ = poolWays(c, p); n < p.len(m) && !drive.Of(m).Pinned(c.G) && !inOrder(m, p) {
			drive.Of(m).ForgetsInPool(c) // not all are tried
		}
		if way = uint64(drive.Of(m).Choice()); way >= n && empties {
			p.clear()
		}
		p.loose = p.loosened(m)
	}
	if way >= n {
		return poolNew(c, p)
	}
	x := p.take(m, way)
	c.Set(0, x[0])
	c.Set(1, x[1])
	return vm.Done
}

// poolPlain: in a search the pool is one of those that forget at once.
func poolPlain(c *vm.NativeCall) bool {
	return c.M.Driven() && drive.Of(c.M).KeepsInPool(c) == 0
}

// collects reports whether collections may happen although the program does not ask for them.
func collects(m *vm.Machine) bool {
	if m.PeekSetting(vm.GCPercent, 100) >= 0 || m.PeekSetting(vm.MemoryLimit, math.MaxInt64) != math.MaxInt64 {
		return true
	}
	limit := getenv(m, "GOMEMLIMIT")
	return limit != "" && limit != "off"
}

// loosens tells what may happen to the items of pools as long as the settings are what they are.
func loosens(m *vm.Machine) (l loosely) {
	if collects(m) {
		l = collected
	}
	if m.PeekSetting(vm.MaxProcs, firstProcs(m)) != 1 {
		l |= scattered
	}
	return l
}

// loosened tells what may have happened to the items up to now. A pool that was used on one processor and is used on several
// loses them.
func (p *pool) loosened(m *vm.Machine) loosely {
	if !m.Driven() || p.len(m) == 0 {
		return 0
	}
	l := p.loose | loosens(m)
	if l&scattered != 0 && p.loose&scattered == 0 {
		l |= collected
	}
	return l
}

// inOrder reports whether items are gotten in order, and all of them: there was one processor, and no collection but
// those that the program has asked for.
func inOrder(m *vm.Machine, p *pool) bool { return p.loosened(m) == 0 }

// poolWays returns of which of the items Get may return one, in a search, and whether it may find none: because each of
// them is the own one of another processor, or because a collection has emptied the pool.
//
// Who is bound to its processor, or has the only one while there are no collections, gets them in order. A collection
// may come between any two calls, so it makes any of the items the first one, or drops it.
func poolWays(c *vm.NativeCall, p *pool) (items uint64, empties, none bool) {
	m := c.M
	items = p.len(m)
	procs := uint64(m.PeekSetting(vm.MaxProcs, firstProcs(m)))
	loose := p.loosened(m)
	switch {
	case items == 0:
		return 0, false, true
	case drive.Of(m).Pinned(c.G) || inOrder(m, p):
		return 1, false, false
	}
	none = loose&collected != 0 || procs == 1 || p.fresh.len(m) < procs && p.old.len(m) < procs
	return min(items, uint64(drive.Of(m).KeepsInPool(c))), loose&scattered == 0, none
}

// poolChoices is in how many ways Get goes on.
func poolChoices(c *vm.NativeCall) int {
	p := (*pool)(c.M.Heap.Peek(c.Ptr(0), poolSize))
	if p == nil || poolPlain(c) {
		return 1
	}
	items, _, none := poolWays(c, p)
	if none {
		items++
	}
	return int(items)
}

// poolEmpty: Get finds nothing that was put back, and leaves the pool as it is.
func poolEmpty(c *vm.NativeCall) bool {
	p := (*pool)(c.M.Heap.Peek(c.Ptr(0), poolSize))
	return p == nil || poolPlain(c) || p.len(c.M) == 0
}

// poolActs: it acts on the pool and on the memory of its items. As long as the program has switched collections off, or has one
// processor, it makes a difference to Get whether somebody switches back. Otherwise a Get before that
// can do all that it can do afterwards.
func poolActs(c *vm.NativeCall, f *effect.Footprint) {
	if poolPlain(c) {
		return
	}
	f.Write(effect.At(numberOfProcess(c.M), c.Ptr(0), poolSize))
	if p := (*pool)(c.M.Heap.Peek(c.Ptr(0), poolSize)); p != nil {
		for _, s := range [...]shelf{p.fresh, p.old} {
			if s != 0 {
				f.Write(effect.Whole(numberOfProcess(c.M), mem.Ptr(s)))
			}
		}
	}
	if !collects(c.M) || c.M.PeekSetting(vm.MaxProcs, firstProcs(c.M)) == 1 {
		f.Read(processToken(c))
	}
}

const (
	poolGetName = "(*sync.Pool).Get"
	poolPutName = "(*sync.Pool).Put"
)

// Gotten returns what one of the ways to do a call gets from a pool, if the native before which a goroutine stands does that
// and has a choice.
func Gotten(c *vm.NativeCall, name string, way int) (item mem.Ptr, found, ok bool) {
	if name != poolGetName || poolEmpty(c) {
		return 0, false, false
	}
	p := (*pool)(c.M.Heap.Peek(c.Ptr(0), poolSize))
	n, _, _ := poolWays(c, p)
	if uint64(way) >= n {
		return 0, false, true
	}
	s, at := p.place(c.M, uint64(way))
	x := (*[2]mem.Ptr)(c.M.Heap.Peek(mem.Ptr(s)+mem.Ptr(at*efaceSize), efaceSize))
	return x[1], true, true
}

// PutBack returns what a call puts into a pool, 0 if it does not or nobody can get it.
func PutBack(c *vm.NativeCall, name string) mem.Ptr {
	if name != poolPutName || poolPlain(c) {
		return 0
	}
	return c.Ptr(2)
}

// poolNew returns a new value.
func poolNew(c *vm.NativeCall, p *pool) vm.Outcome {
	if p == nil {
		return c.PanicString("nil Pool")
	}
	if p.new == 0 {
		c.Set(0, 0)
		c.Set(1, 0)
		return vm.Done
	}
	return c.Invoke(p.new, 2, poolNewDone)
}

// poolNewDone passes on the result of a pool's New.
var poolNewDone = vm.RegisterCont(func(c *vm.NativeCall) vm.Outcome {
	c.Set(0, c.Word(c.Base))
	c.Set(1, c.Word(c.Base+1))
	return vm.Done
})

// eachPool calls f for each pool that may have items.
func eachPool(m *vm.Machine, f func(p *pool)) {
	m.EachSpecial(func(s vm.Special) {
		if s.Kind != vm.PoolSpecial {
			return
		}
		if p := (*pool)(m.Heap.Write(s.Target, poolSize)); p != nil && p.len(m) > 0 {
			f(p)
		}
	})
}

// agePools does what a call of runtime.GC does to the pools: what was there at the last one is dropped.
func agePools(m *vm.Machine) {
	eachPool(m, func(p *pool) {
		p.fresh, p.old = 0, p.fresh
		p.tidy(m)
	})
}

// loosenPools notes in the pools that collections may happen from now on, in a search.
func loosenPools(m *vm.Machine) {
	if m.Driven() && collects(m) {
		access := m.Heap.Access
		m.Heap.Access = nil // it is no access of the program
		eachPool(m, func(p *pool) { p.loose |= collected })
		m.Heap.Access = access
	}
}

// pin binds the goroutine to its processor, of which there is one.
func pin(c *vm.NativeCall) vm.Outcome {
	drive.Of(c.M).Pin(c.G, true)
	return zero(c)
}

func unpin(c *vm.NativeCall) vm.Outcome {
	drive.Of(c.M).Pin(c.G, false)
	return vm.Done
}

func init() {
	registerVisible(Canonical, "an item of one processor and a stack behind it", map[string]vm.Native{
		poolPutName: poolPut,
		poolGetName: poolGet,
	})
	register(NoBody, "pools are not cleaned by collections", map[string]vm.Native{
		"sync.runtime_registerPoolCleanup": nop,
	})
	register(Runtime, "there is one processor to pin to: pools return what was put last", map[string]vm.Native{
		"runtime.procPin":        pin,
		"runtime.procUnpin":      unpin,
		"sync.runtime_procPin":   pin,
		"sync.runtime_procUnpin": unpin,
	})
}
