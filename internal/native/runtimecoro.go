package native

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A coroutine, under iter.Pull, is a goroutine that runs only while another one
// waits for it. Both wait on the coro object; whose turn it is stands there. When
// the goroutine ends, for whatever reason, the machine wakes who waits on the
// object.
type coro struct {
	f      mem.Ptr // func(*coro)
	inside uint64  // token of the goroutine, 0 when it has ended
	turn   uint64  // 1 while the goroutine may run
}

const (
	coroWait   = "coroutine"
	coroInside = 8 // offset of inside
)

func coroAt(c *vm.NativeCall) *coro {
	return (*coro)(c.M.Heap.Write(c.Ptr(0), uint32(unsafe.Sizeof(coro{}))))
}

func newcoro(c *vm.NativeCall) vm.Outcome {
	shape := c.M.Heap.AddShape(mem.Shape{Size: uint32(unsafe.Sizeof(coro{})), Ptrs: []uint64{1}})
	p := c.M.AllocShape(shape, uint64(unsafe.Sizeof(coro{})))
	if p == 0 {
		return c.OutOfMemory()
	}
	f := c.Ptr(0)
	g := c.M.SpawnParked(f, []uint64{uint64(p)}, coroWait, p)
	if g == nil {
		return c.PanicNil()
	}
	c.M.WakeAtEnd(g, p, p+coroInside)
	drive.Of(c.M).Name(g, true)
	c.SetPtr(0, p)
	co := coroAt(c)
	co.f, co.inside = f, drive.Of(c.M).Token(g)
	return vm.Done
}

func coroswitch(c *vm.NativeCall) vm.Outcome {
	co := coroAt(c)
	if co == nil {
		return c.PanicNil()
	}
	p := c.Ptr(0)
	mine := uint64(0)
	if co.inside == drive.Of(c.M).Token(c.G) {
		mine = 1
	}
	if c.Resumed(coroWait) {
		if co.inside == 0 || co.turn == mine {
			return vm.Done
		}
		return park(c, coroWait, p)
	}
	co.turn = 1 - mine
	c.M.Wake(p, -1)
	return park(c, coroWait, p)
}

func init() {
	registerVisible(NoBody, "a goroutine of the machine that runs by turns", map[string]vm.Native{
		"iter.newcoro":       newcoro,
		"iter.coroswitch":    coroswitch,
		"runtime.newcoro":    newcoro,
		"runtime.coroswitch": coroswitch,
	})
}
