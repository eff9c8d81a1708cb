package native

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Channel operations of package reflect.

func makechan(c *vm.NativeCall) vm.Outcome {
	ch, out := c.NewChan(c.M.TypeIndex(c.Ptr(0)), c.Int(1))
	if out != vm.Done {
		return out
	}
	c.SetPtr(0, ch)
	return vm.Done
}

// chansend takes the channel, the address of the element, and whether not to
// block.
func chansend(c *vm.NativeCall) vm.Outcome {
	cases := [1]vm.ChanCase{{Ch: c.Ptr(0), Send: true, Elem: c.Ptr(1)}}
	i, _, out := c.Select(cases[:], !c.Bool(2), "chan send")
	if out == vm.Done {
		c.SetBool(0, i == 0)
	}
	return out
}

// chanrecv takes the channel, whether not to block, and where the element goes.
func chanrecv(c *vm.NativeCall) vm.Outcome {
	cases := [1]vm.ChanCase{{Ch: c.Ptr(0), Elem: c.Ptr(2)}}
	i, received, out := c.Select(cases[:], !c.Bool(1), "chan receive")
	if out == vm.Done {
		c.SetBool(0, i == 0)
		c.SetBool(1, received)
	}
	return out
}

func chanclose(c *vm.NativeCall) vm.Outcome { return c.Close(c.Ptr(0)) }

func chanlen(c *vm.NativeCall) vm.Outcome {
	c.SetInt(0, c.M.ChanLen(c.Ptr(0)))
	return vm.Done
}

func chancap(c *vm.NativeCall) vm.Outcome {
	c.SetInt(0, c.M.ChanCap(c.Ptr(0)))
	return vm.Done
}

// runtimeSelect is a reflect.runtimeSelect.
type runtimeSelect struct {
	dir uint64
	typ mem.Ptr
	ch  mem.Ptr
	val mem.Ptr
}

const (
	selectSend    = 1
	selectRecv    = 2
	selectDefault = 3
)

func rselect(c *vm.NativeCall) vm.Outcome {
	n := c.Int(1)
	b := c.Bytes(c.Ptr(0), n*int(unsafe.Sizeof(runtimeSelect{})))
	if n > 0 && b == nil {
		return c.PanicNil()
	}
	var cases []vm.ChanCase
	fallback := -1
	if n > 0 {
		for i, rs := range unsafe.Slice((*runtimeSelect)(unsafe.Pointer(&b[0])), n) {
			cs := vm.ChanCase{Ch: rs.ch, Elem: rs.val, Send: rs.dir == selectSend}
			if rs.dir == selectDefault {
				cs, fallback = vm.ChanCase{}, i
			}
			cases = append(cases, cs)
		}
	}
	reason := "select"
	if n == 0 {
		reason = "select (no cases)"
	}
	i, received, out := c.Select(cases, fallback < 0, reason)
	if out != vm.Done {
		return out
	}
	if i < 0 {
		i = fallback
	}
	c.SetInt(0, i)
	c.SetBool(1, received)
	return vm.Done
}

func init() {
	register(NoBody, "channels are objects of the machine", map[string]vm.Native{
		"reflect.makechan": makechan,
		"reflect.chancap":  chancap,
	})
	registerVisible(NoBody, "channels are objects of the machine", map[string]vm.Native{
		"reflect.chansend0":            chansend,
		"reflect.chanrecv":             chanrecv,
		"reflect.chanclose":            chanclose,
		"reflect.chanlen":              chanlen,
		"reflect.rselect":              rselect,
		"internal/reflectlite.chanlen": chanlen,
	})
}
