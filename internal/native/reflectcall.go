package native

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Package reflect hands arguments over in a memory frame: parameters at their
// natural alignment, one after the other, then results from a word boundary on.
// Calls of the machine have them in registers. reflect.call goes from the frame
// to registers; makeFuncStub and methodValueCall, the code of functions that
// reflect.MakeFunc and method values make, go the other way.

// A frameLayout says where the parameters and results of a function lie in its
// memory frame.
type frameLayout struct {
	m       *vm.Machine
	in, out []int // types
	inOff   []uint32
	outOff  []uint32
	size    uint32
	words   int // of the parameters in registers
	results int // of the results in registers
}

func alignUp(n, align uint32) uint32 { return (n + align - 1) &^ (align - 1) }

// layoutOf lays out a frame as newAbiDesc in reflect/abi.go does without
// registers.
func layoutOf(m *vm.Machine, in, out []int) frameLayout {
	l := frameLayout{m: m, in: in, out: out}
	for _, i := range in {
		t := m.Type(i)
		l.size = alignUp(l.size, uint32(max(t.Align, 1)))
		l.inOff = append(l.inOff, l.size)
		l.size += t.Size
		l.words += int(t.Words)
	}
	l.size = alignUp(l.size, 8)
	for _, i := range out {
		t := m.Type(i)
		l.size = alignUp(l.size, uint32(max(t.Align, 1)))
		l.outOff = append(l.outOff, l.size)
		l.size += t.Size
		l.results += int(t.Words)
	}
	l.size = alignUp(l.size, 8)
	return l
}

// load brings values from the frame to the words from w on. It reports false if
// the frame is not readable.
func (l *frameLayout) load(c *vm.NativeCall, types []int, offs []uint32, frame mem.Ptr, w int) bool {
	for i, ti := range types {
		t := l.m.Type(ti)
		if t.Size == 0 {
			continue
		}
		src := l.m.Heap.Read(frame+mem.Ptr(offs[i]), t.Size)
		if src == nil {
			return false
		}
		vm.LoadReg(t, c.Words(w), src)
		w += int(t.Words)
	}
	return true
}

// store brings values from the words from w on to the frame.
func (l *frameLayout) store(c *vm.NativeCall, types []int, offs []uint32, frame mem.Ptr, w int) bool {
	for i, ti := range types {
		t := l.m.Type(ti)
		if t.Size == 0 {
			continue
		}
		dst := l.m.Heap.Write(frame+mem.Ptr(offs[i]), t.Size)
		if dst == nil {
			return false
		}
		vm.StoreReg(t, dst, c.Words(w))
		w += int(t.Words)
	}
	return true
}

// alloc makes an empty frame, 0 if memory is exhausted.
func (l *frameLayout) alloc() mem.Ptr {
	bits := make([]uint64, l.size/8/64+1)
	mark := func(types []int, offs []uint32) {
		for i, ti := range types {
			for k, w := range l.m.Type(ti).Ptrs {
				for b := range 64 {
					if w>>b&1 != 0 {
						at := offs[i]/8 + uint32(k*64+b)
						bits[at/64] |= 1 << (at % 64)
					}
				}
			}
		}
	}
	mark(l.in, l.inOff)
	mark(l.out, l.outOff)
	return l.m.AllocShape(l.m.Heap.AddShape(mem.Shape{Size: max(l.size, 8), Ptrs: bits}), uint64(max(l.size, 8)))
}

// Words of reflect.call's parameters.
const (
	callFn        = 1
	callFrame     = 2
	callRetOffset = 4
	callRegs      = 6
	callWords     = 7
)

// reflectCall calls a func value with the arguments in a frame and stores its
// results there.
func reflectCall(c *vm.NativeCall) vm.Outcome {
	fv, frame := c.Ptr(callFn), c.Ptr(callFrame)
	f := c.M.FuncAt(fv)
	if f == nil {
		return c.PanicNil()
	}
	if target := stubTarget(c, f.Native); target != 0 {
		// The function takes a frame itself: it gets this one.
		return callStubTarget(c, target, fv, frame, c.Ptr(callRegs), callWords, stubCallDone)
	}
	l := layoutOf(c.M, f.ParamT, nil)
	if !c.Reserve(callWords + l.words + 1) {
		return vm.Jumped
	}
	if !l.load(c, l.in, l.inOff, frame, callWords) {
		return c.PanicNil()
	}
	return c.Invoke(fv, callWords, reflectCallDone)
}

var reflectCallDone = vm.RegisterCont(func(c *vm.NativeCall) vm.Outcome {
	f := c.M.FuncAt(c.Ptr(callFn))
	l := layoutOf(c.M, nil, f.ResultT)
	if !l.store(c, l.out, l.outOff, c.Ptr(callFrame)+mem.Ptr(c.Word(callRetOffset)), c.Base) {
		return c.PanicNil()
	}
	return vm.Done
})

// stubCallDone follows the call of a function that has left its results in the
// frame it was given.
var stubCallDone = vm.RegisterCont(func(c *vm.NativeCall) vm.Outcome { return vm.Done })

const (
	makeFuncName    = "reflect.makeFuncStub"
	methodValueName = "reflect.methodValueCall"
)

// stubTarget is the Go function behind a stub, 0 if the native is none.
func stubTarget(c *vm.NativeCall, native string) mem.Ptr {
	switch native {
	case makeFuncName:
		return c.M.FuncValue("reflect.callReflect")
	case methodValueName:
		return c.M.FuncValue("reflect.callMethod")
	}
	return 0
}

// callStubTarget calls reflect.callReflect or reflect.callMethod with the
// context (the closure of the stub), the frame, a place for retValid, and the
// register arguments, of which there are none.
func callStubTarget(c *vm.NativeCall, target, closure, frame, regs mem.Ptr, base int, cont uint16) vm.Outcome {
	valid := c.M.AllocBytes(1)
	if valid == 0 {
		return c.OutOfMemory()
	}
	if !c.Reserve(base + 5) {
		return vm.Jumped
	}
	for i, p := range []mem.Ptr{closure, frame, valid, regs} {
		c.SetPtr(base+i, p)
	}
	return c.Invoke(target, base, cont)
}

// stub is the code of a function that reflect made. Its argument words begin at
// word 0, of types that only its closure tells; the closure is in the word after
// the declared parameters. A record of closure and frame takes the closure's
// place, where the collector sees it.
func stub(c *vm.NativeCall) vm.Outcome {
	closure, at := c.Closure(), int(c.Func().Params)
	native := c.Func().Native
	l, ok := stubLayout(c.M, native, closure)
	if !ok {
		return c.PanicNil()
	}
	if l.words > at {
		return c.Unsupported(fmt.Sprintf("call of a function made by package reflect with more than %d words of arguments", at))
	}
	frame := l.alloc()
	record := c.M.AllocShape(efaces(c.M), efaceSize)
	target := stubTarget(c, native)
	if frame == 0 || record == 0 {
		return c.OutOfMemory()
	}
	if !l.store(c, l.in, l.inOff, frame, 0) {
		return c.PanicNil()
	}
	*eface(c.M, record) = [2]uint64{uint64(closure), uint64(frame)}
	c.SetPtr(at, record)
	return callStubTarget(c, target, closure, frame, bytecode.ObjZero<<32, at+1, stubDone)
}

var stubDone = vm.RegisterCont(func(c *vm.NativeCall) vm.Outcome {
	record := eface(c.M, c.Ptr(int(c.Func().Params)))
	l, ok := stubLayout(c.M, c.Func().Native, mem.Ptr(record[0]))
	if !ok || !c.Reserve(l.results) {
		return vm.Jumped
	}
	if !l.load(c, l.out, l.outOff, mem.Ptr(record[1]), 0) {
		return c.PanicNil()
	}
	return vm.Done
})

// stubLayout finds the signature of a function that reflect made.
func stubLayout(m *vm.Machine, native string, closure mem.Ptr) (l frameLayout, ok bool) {
	target := "reflect.callReflect"
	if native == methodValueName {
		target = "reflect.callMethod"
	}
	fn := m.FuncAt(m.FuncValue(target))
	if fn == nil {
		return l, false
	}
	ctxt := m.Type(m.Type(fn.ParamT[0]).Elem) // makeFuncImpl or methodValue
	word := func(t *bytecode.Type, base mem.Ptr, name string) (mem.Ptr, *bytecode.Type) {
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Name == name {
				return base + mem.Ptr(f.Off), m.Type(f.Type)
			}
		}
		return 0, nil
	}
	var sig *bytecode.Type
	if native == makeFuncName {
		at, _ := word(ctxt, closure, "ftyp")
		desc, _ := m.Heap.LoadPtr(at)
		sig = m.TypeOf(desc)
	} else {
		at, _ := word(ctxt, closure, "method")
		method, _ := m.Heap.Load64(at)
		rcvr, value := word(ctxt, closure, "rcvr")
		at, _ = word(value, rcvr, "typ_")
		desc, _ := m.Heap.LoadPtr(at)
		if sig = methodSignature(m, m.TypeOf(desc), int(method)); sig == nil {
			return l, false
		}
	}
	return layoutOf(m, sig.In, sig.Out), true
}

// methodSignature is the type of exported method number i of a type, as reflect
// counts them.
func methodSignature(m *vm.Machine, t *bytecode.Type, i int) *bytecode.Type {
	if t.Kind == bytecode.Interface {
		if i >= len(t.IMethods) {
			return nil
		}
		return m.Type(t.IMethods[i].Type)
	}
	for k := range t.Methods {
		if t.Methods[k].PkgPath != "" {
			continue
		}
		if i == 0 {
			return m.Type(t.Methods[k].Type)
		}
		i--
	}
	return nil
}

func init() {
	register(NoBody, "moves arguments from the memory frame to registers and results back", map[string]vm.Native{
		"reflect.call":        reflectCall,
		"runtime.reflectcall": reflectCall,
	})
	add(Intrinsic{
		Name: makeFuncName, Why: NoBody, Fn: stub, Needs: []string{"reflect.callReflect"},
		Note: "code of functions made by reflect.MakeFunc: moves arguments to a memory frame",
	})
	add(Intrinsic{
		Name: methodValueName, Why: NoBody, Fn: stub, Needs: []string{"reflect.callMethod"},
		Note: "code of method values made by package reflect: moves arguments to a memory frame",
	})
}
