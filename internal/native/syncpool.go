package native

import (
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
// A collection that the machine decides on leaves pools alone, since when it happens must not be visible in a state; two
// calls of runtime.GC without a Put between them empty a pool.
type pool struct {
	items mem.Ptr // to interface values: the one of the processor, and the stack
	n     uint64  // how many are on the stack
	_     uint64
	age   uint64 // calls of runtime.GC since the last Put
	new   mem.Ptr
}

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
func (p *pool) item(m *vm.Machine, i uint64) *[2]uint64 {
	return eface(m, p.items+mem.Ptr(i*efaceSize))
}

// own is 1 if the processor has an item of its own, 0 if not.
func (p *pool) own(m *vm.Machine) uint64 {
	if e := (*[2]uint64)(m.Heap.Peek(p.items, efaceSize)); e != nil && e[0] != 0 {
		return 1
	}
	return 0
}

// len is how many items there are.
func (p *pool) len(m *vm.Machine) uint64 { return p.own(m) + p.n }

// room makes room for n items.
func (p *pool) room(m *vm.Machine, n uint64) bool {
	had := m.Heap.Size(p.items.Obj())
	if p.items != 0 && uint64(had) >= n*efaceSize {
		return true
	}
	grown := m.AllocShape(efaces(m), n*efaceSize)
	if grown == 0 {
		return false
	}
	if p.items != 0 {
		m.Heap.Copy(grown, p.items, had)
	}
	p.items = grown
	return true
}

// put adds an item for which there is room.
func (p *pool) put(m *vm.Machine, x [2]uint64) {
	p.age = 0
	at := uint64(0)
	if p.own(m) != 0 {
		p.n++
		at = p.n
	}
	*p.item(m, at) = x
}

// place is where an item is. They are counted from 0, in the order in which one processor gets them.
func (p *pool) place(m *vm.Machine, i uint64) uint64 {
	if own := p.own(m); i >= own {
		return p.n - (i - own)
	}
	return 0
}

// take removes an item and returns it, counted in that order.
func (p *pool) take(m *vm.Machine, i uint64) (x [2]uint64) {
	at := p.place(m, i)
	x = *p.item(m, at)
	if at == 0 {
		*p.item(m, 0) = [2]uint64{}
		return x
	}
	for ; at < p.n; at++ {
		*p.item(m, at) = *p.item(m, at+1)
	}
	*p.item(m, p.n) = [2]uint64{}
	p.n--
	return x
}

// forget makes the pool drop its oldest item.
func (p *pool) forget(m *vm.Machine) { p.take(m, p.len(m)-1) }

// clear makes the pool drop all.
func (p *pool) clear() { p.items, p.n, p.age = 0, 0, 0 }

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
	n := p.len(c.M)
	switch {
	case !c.M.Driven():
		most = fewItems
		if p.items != 0 && uint64(c.M.Heap.Size(p.items.Obj())) < (p.n+2)*efaceSize {
			most = 2 * (p.n + 2)
		}
	case collects(c.M):
		for ; n >= most; n-- {
			drive.Of(c.M).ForgetsInPool(c)
			p.forget(c.M)
		}
	default:
		most = max(most, p.n+2)
	}
	if !p.room(c.M, most) {
		return c.OutOfMemory()
	}
	p.put(c.M, [2]uint64{c.Word(1), c.Word(2)})
	if c.M.Driven() {
		if drive.Of(c.M).Shared(c.Ptr(0)) {
			c.M.Heap.Publish(p.items)
			c.M.Heap.Publish(c.Ptr(2))
		}
		if !drive.Of(c.M).Collects() {
			return vm.Done // nobody makes it older
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
		n, empties, _ = poolWays(c, p)
		if way = uint64(drive.Of(m).Choice()); way >= n && empties {
			p.clear()
		}
	}
	if way >= n {
		return poolNew(c, p)
	}
	x := p.take(m, way)
	if p.len(m) == 0 && (m.Driven() || m.Heap.Size(p.items.Obj()) > fewItems*efaceSize) {
		p.items = 0
	}
	c.Set(0, x[0])
	c.Set(1, x[1])
	return vm.Done
}

// poolPlain: in a search the pool is one of those that forget at once.
func poolPlain(c *vm.NativeCall) bool {
	return c.M.Driven() && drive.Of(c.M).KeepsInPool(c) == 0
}

// collects reports whether collections may happen although the program does not ask for them.
func collects(m *vm.Machine) bool { return m.PeekSetting(vm.GCPercent, 100) >= 0 }

// poolWays returns of which of the items Get may return one, in a search, and whether it may find none: because each of
// them is the own one of another processor, or because a collection has emptied the pool.
//
// Who is bound to its processor, or has the only one, gets them in order.
func poolWays(c *vm.NativeCall, p *pool) (items uint64, empties, none bool) {
	m := c.M
	items = p.len(m)
	procs := uint64(m.PeekSetting(vm.MaxProcs, processors))
	switch {
	case items == 0:
		return 0, false, true
	case drive.Of(m).Pinned(c.G):
		return 1, false, false
	case procs == 1:
		return 1, true, collects(m)
	}
	return min(items, uint64(drive.Of(m).KeepsInPool(c))), false, collects(m) || items < procs
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
	if p := (*pool)(c.M.Heap.Peek(c.Ptr(0), poolSize)); p != nil && p.items != 0 {
		f.Write(effect.Whole(numberOfProcess(c.M), p.items))
	}
	if !collects(c.M) || c.M.PeekSetting(vm.MaxProcs, processors) == 1 {
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
	x := (*[2]mem.Ptr)(c.M.Heap.Peek(p.items+mem.Ptr(p.place(c.M, uint64(way))*efaceSize), efaceSize))
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

// agePools does what a call of runtime.GC does to the pools.
func agePools(m *vm.Machine) {
	m.EachSpecial(func(s vm.Special) {
		if s.Kind != vm.PoolSpecial {
			return
		}
		p := (*pool)(m.Heap.Write(s.Target, poolSize))
		if p == nil || p.len(m) == 0 {
			return
		}
		if p.age++; p.age >= 2 {
			p.clear()
		}
	})
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
