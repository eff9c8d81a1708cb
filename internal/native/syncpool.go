package native

import (
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A sync.Pool is one slot and, behind it, a stack: there are no processors to
// have one each. The slot keeps its memory, the stack is dropped when it is
// empty. A collection that the machine decides on leaves pools alone, since when
// it happens must not be visible in a state; two calls of runtime.GC without a
// Put between them empty a pool.
type pool struct {
	slot  mem.Ptr // to an interface value
	age   uint64  // calls of runtime.GC since the last Put
	stack mem.Ptr // to interface values
	n     uint64  // of them
	new   mem.Ptr
}

const (
	poolSize  = 40
	efaceSize = 16
)

func poolAt(c *vm.NativeCall) *pool {
	return (*pool)(c.M.Heap.Write(c.Ptr(0), poolSize))
}

// efaces is the shape of arrays of interface values.
func efaces(m *vm.Machine) mem.ShapeID {
	return m.Heap.AddShape(mem.Shape{Size: efaceSize, Ptrs: []uint64{3}})
}

func eface(m *vm.Machine, p mem.Ptr) *[2]uint64 {
	return (*[2]uint64)(m.Heap.Write(p, efaceSize))
}

func poolPut(c *vm.NativeCall) vm.Outcome {
	if c.Word(1) == 0 {
		return vm.Done
	}
	if c.Ptr(0) == 0 {
		return c.PanicString("nil Pool")
	}
	if c.M.Driven() {
		return vm.Done
	}
	p := poolAt(c)
	x := [2]uint64{c.Word(1), c.Word(2)}
	p.age = 0
	if p.slot == 0 {
		if p.slot = c.M.AllocShape(efaces(c.M), efaceSize); p.slot == 0 {
			return c.OutOfMemory()
		}
		c.M.AddSpecial(vm.Special{Kind: vm.PoolSpecial, Target: c.Ptr(0)})
	}
	if e := eface(c.M, p.slot); e[0] == 0 {
		*e = x
		return vm.Done
	}
	if uint64(c.M.Heap.Size(p.stack.Obj())) < (p.n+1)*efaceSize {
		grown := c.M.AllocShape(efaces(c.M), (2*p.n+1)*efaceSize)
		if grown == 0 {
			return c.OutOfMemory()
		}
		c.M.Heap.Copy(grown, p.stack, uint32(p.n*efaceSize))
		p.stack = grown
	}
	*eface(c.M, p.stack+mem.Ptr(p.n*efaceSize)) = x
	p.n++
	return vm.Done
}

// take removes and returns a value, nil if there is none.
func (p *pool) take(m *vm.Machine) (x [2]uint64) {
	if p.slot == 0 {
		return x
	}
	from := eface(m, p.slot)
	if from[0] == 0 && p.n > 0 {
		p.n--
		from = eface(m, p.stack+mem.Ptr(p.n*efaceSize))
		if p.n == 0 {
			p.stack = 0
		}
	}
	x, *from = *from, x
	return x
}

func poolGet(c *vm.NativeCall) vm.Outcome {
	if c.Ptr(0) == 0 {
		return c.PanicString("nil Pool")
	}
	if c.M.Driven() {
		return poolNew(c, (*pool)(c.M.Heap.Peek(c.Ptr(0), poolSize)))
	}
	p := poolAt(c)
	if x := p.take(c.M); x[0] != 0 {
		c.Set(0, x[0])
		c.Set(1, x[1])
		return vm.Done
	}
	return poolNew(c, p)
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
		if p == nil || p.slot == 0 {
			return
		}
		if p.age++; p.age >= 2 {
			*eface(m, p.slot) = [2]uint64{}
			p.stack, p.n, p.age = 0, 0, 0
		}
	})
}

func init() {
	registerVisible(Canonical, "a slot and a stack in the pool's own memory", map[string]vm.Native{
		"(*sync.Pool).Put": poolPut,
		"(*sync.Pool).Get": poolGet,
	})
	register(NoBody, "pools are not cleaned by collections", map[string]vm.Native{
		"sync.runtime_registerPoolCleanup": nop,
	})
}
