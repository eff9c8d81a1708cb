package vm

import (
	"slices"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// The functions of this file start the panics of the language. Their values
// have the types of package runtime, compiled from its source, so that recover,
// errors.As, type switches and printing see what they see under Go. The top
// frame's pc must be that of the instruction that fails.

// A boundsCode is numbered as internal/abi.BoundsErrorCode.
type boundsCode uint8

const (
	boundsIndex      boundsCode = iota // s[x], 0 <= x < len(s) failed
	boundsSliceAlen                    // s[?:x], 0 <= x <= len(s) failed
	boundsSliceAcap                    // s[?:x], 0 <= x <= cap(s) failed
	boundsSliceB                       // s[x:y], 0 <= x <= y failed
	boundsSlice3Alen                   // s[?:?:x], 0 <= x <= len(s) failed
	boundsSlice3Acap                   // s[?:?:x], 0 <= x <= cap(s) failed
	boundsSlice3B                      // s[?:x:y], 0 <= x <= y failed
	boundsSlice3C                      // s[x:y:?], 0 <= x <= y failed
	boundsConvert                      // (*[y]T)(s), y <= x, which is len(s), failed
)

// raiseValue panics with an interface value without methods. A nil one becomes a
// *runtime.PanicNilError, unless the program asks for what Go did before 1.21.
func (m *Machine) raiseValue(g *G, typ, data mem.Ptr) status {
	if typ != 0 || m.Setting(PanicNil, 0) == 1 {
		return m.raise(g, typ, data)
	}
	t := m.Prog.Runtime.PanicNil
	if t < 0 {
		return m.noRuntime(g, "panic called with nil argument")
	}
	return m.raise(g, m.Desc(t), zeroBase)
}

// raiseRuntime panics with a new value of a type of package runtime, which fill
// writes. The value is boxed: the type must not be pointer-shaped.
func (m *Machine) raiseRuntime(g *G, typ int, msg string, fill func(p unsafe.Pointer)) status {
	if typ < 0 {
		return m.noRuntime(g, msg)
	}
	p := m.Alloc(typ)
	if p == 0 {
		return m.outOfMemory(g)
	}
	fill(m.Heap.Write(p, m.rt.types[typ].Size))
	return m.raise(g, m.Desc(typ), p)
}

// noRuntime ends a program that was compiled without package runtime's types.
func (m *Machine) noRuntime(g *G, msg string) status {
	return m.Unsupported(g, "run-time panic without package runtime: "+msg)
}

// raiseString panics with a value of a type whose underlying type is string.
func (m *Machine) raiseString(g *G, typ int, msg string) status {
	s := m.NewString(msg)
	if s == 0 && msg != "" {
		return m.outOfMemory(g)
	}
	return m.raiseRuntime(g, typ, msg, func(p unsafe.Pointer) {
		*(*[2]uint64)(p) = [2]uint64{uint64(s), uint64(len(msg))}
	})
}

// raiseError panics with a runtime error that reads "runtime error: " + msg.
func (m *Machine) raiseError(g *G, msg string) status {
	return m.raiseString(g, m.Prog.Runtime.ErrorString, msg)
}

// raisePlain panics with a runtime error that reads msg.
func (m *Machine) raisePlain(g *G, msg string) status {
	return m.raiseString(g, m.Prog.Runtime.PlainError, msg)
}

// raiseNil panics because of a nil or wrong pointer.
func (m *Machine) raiseNil(g *G) status {
	n := len(g.panics)
	g.panics = append(g.panics, Panic{depth: int32(g.depth), fault: true})
	s := m.NewString("invalid memory address or nil pointer dereference")
	t := m.Prog.Runtime.ErrorString
	if t < 0 {
		return m.noRuntime(g, "invalid memory address or nil pointer dereference")
	}
	p := m.Alloc(t)
	if p == 0 || s == 0 {
		return m.outOfMemory(g)
	}
	*(*[2]uint64)(m.Heap.Write(p, 16)) = [2]uint64{uint64(s), 49}
	g.panics[n].typ, g.panics[n].data = m.Desc(t), p
	return m.unwind(g)
}

func (m *Machine) raiseDivide(g *G) status { return m.raiseError(g, "integer divide by zero") }
func (m *Machine) raiseShift(g *G) status  { return m.raiseError(g, "negative shift amount") }

// raiseMakeslice panics because of what, "len" or "cap", given to make.
func (m *Machine) raiseMakeslice(g *G, what string) status {
	return m.raiseError(g, "makeslice: "+what+" out of range")
}

func (m *Machine) raiseMakechan(g *G) status {
	return m.raisePlain(g, "makechan: size out of range")
}

// raiseIndex panics because of an index that is not below a length. An index
// beyond the largest int is taken to be negative.
func (m *Machine) raiseIndex(g *G, index, length uint64) status {
	return m.raiseBounds(g, int64(index), true, int(length), boundsIndex)
}

// raiseIndexAt is raiseIndex for the instruction of g's top frame, which knows
// whether its index is signed.
func (m *Machine) raiseIndexAt(g *G, index, length uint64) status {
	fr := &g.frames[g.depth-1]
	_, unsigned := slices.BinarySearch(m.funcs[fr.fn].f.Uints, int(fr.pc))
	return m.raiseBounds(g, int64(index), !unsigned, int(length), boundsIndex)
}

// raiseBounds panics because of x, which may be signed, and y as the code says.
func (m *Machine) raiseBounds(g *G, x int64, signed bool, y int, code boundsCode) status {
	return m.raiseRuntime(g, m.Prog.Runtime.BoundsError, "index out of range", func(p unsafe.Pointer) {
		*(*struct {
			x, y   int64
			signed bool
			code   boundsCode
		})(p) = struct {
			x, y   int64
			signed bool
			code   boundsCode
		}{x, int64(y), signed, code}
	})
}

// raiseTypeAssert panics with a *runtime.TypeAssertionError. The types are those
// of the operand, of the value in it (its interface's first word, 0 for nil) and
// of the assertion; missing is the method that the value has not.
func (m *Machine) raiseTypeAssert(g *G, iface int, value mem.Ptr, asserted int, missing string) status {
	rt := &m.Prog.Runtime
	if rt.TypeAssertion < 0 {
		return m.noRuntime(g, "interface conversion")
	}
	s := m.NewString(missing)
	p := m.Alloc(rt.TypeAssertion)
	if p == 0 || s == 0 && missing != "" {
		return m.outOfMemory(g)
	}
	var src, concrete mem.Ptr
	if m.rt.types[asserted].Kind != bytecode.Interface {
		src = m.Desc(iface)
	}
	if value != 0 {
		concrete = m.descOf(value)
	}
	*(*[5]uint64)(m.Heap.Write(p, 40)) = [5]uint64{
		uint64(src), uint64(concrete), uint64(m.Desc(asserted)), uint64(s), uint64(len(missing)),
	}
	return m.raise(g, m.Desc(rt.TypeAssertionPtr), p)
}

// raiseUncomparable panics because values of a type were compared.
func (m *Machine) raiseUncomparable(g *G, t *bytecode.Type) status {
	return m.raiseError(g, "comparing uncomparable type "+t.Str)
}

// raiseUnhashable panics because a value of a type was used as a map key.
func (m *Machine) raiseUnhashable(g *G, t *bytecode.Type) status {
	return m.raiseError(g, "hash of unhashable type "+t.Str)
}

// raiseUnhashableIn is raiseUnhashable for a key that is looked up. In an empty map Go looks only whether it could be there at all, and says it otherwise.
func (m *Machine) raiseUnhashableIn(g *G, mp mem.Ptr, t *bytecode.Type) status {
	if mp == 0 || m.Heap.MapLen(mp) == 0 {
		return m.raisePlain(g, "hash of unhashable type: "+t.Str)
	}
	return m.raiseUnhashable(g, t)
}

// raiseTrap raises the error of an OpTrap.
func (m *Machine) raiseTrap(g *G, trap int64) status {
	switch trap {
	case bytecode.TrapNil:
		return m.raiseNil(g)
	case bytecode.TrapDivide:
		return m.raiseDivide(g)
	case bytecode.TrapNilMap:
		return m.raisePlain(g, "assignment to entry in nil map")
	case bytecode.TrapUnsupported:
		return m.Unsupported(g, "function "+m.funcs[g.frames[g.depth-1].fn].f.Name+" cannot be executed")
	}
	return m.Unsupported(g, "control reached code that was taken to be dead")
}

func (m *Machine) opTrap(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	return m.raiseTrap(g, in.Imm)
}

// States of a loop over a function, as package ssa has them: 0 if its body may be called, others if it was left by way of a statement.
const (
	rangeBusy = -1 // its body is executed, or has panicked
	rangeDone = -2 // it is over
)

// opRangefail panics because the body of a loop over a function is called when it must not be, or because the function has recovered what the body
// has panicked with.
func (m *Machine) opRangefail(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	text := "continued iteration after function for loop body returned false"
	switch state := int64(*word(fp, in.B)); {
	case in.Imm != 0:
		text = "recovered a loop body panic and did not resume panicking"
	case state == rangeBusy:
		text = "continued iteration after loop body panic"
	case state == rangeDone:
		text = "continued iteration after whole loop exit"
	}
	return m.raiseError(g, "range function "+text)
}

// Natives raise the same panics, and return the outcome at once.

// PanicValue panics with an interface value without methods.
func (c *NativeCall) PanicValue(typ, data mem.Ptr) Outcome {
	c.M.raiseValue(c.G, typ, data)
	return Jumped
}

// PanicNil panics because of a nil or wrong pointer.
func (c *NativeCall) PanicNil() Outcome {
	c.M.raiseNil(c.G)
	return Jumped
}

// PanicError panics with a runtime error that reads "runtime error: " + msg.
func (c *NativeCall) PanicError(msg string) Outcome {
	c.M.raiseError(c.G, msg)
	return Jumped
}

// PanicPlain panics with a runtime error that reads msg.
func (c *NativeCall) PanicPlain(msg string) Outcome {
	c.M.raisePlain(c.G, msg)
	return Jumped
}

// PanicIndex panics because index is not below length.
func (c *NativeCall) PanicIndex(index, length int) Outcome {
	c.M.raiseIndex(c.G, uint64(index), uint64(length))
	return Jumped
}
