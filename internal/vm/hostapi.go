package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// What natives ask of the machine beside the operations of the language.

// Func is the function that was called. Of a generic one it tells the types of
// this instance.
func (c *NativeCall) Func() *bytecode.Func { return c.M.funcs[c.fn].f }

// OutOfMemory ends the program because an allocation failed.
func (c *NativeCall) OutOfMemory() Outcome {
	c.M.outOfMemory(c.G)
	return Jumped
}

// PanicString panics with a string, as the source of a library function does.
func (c *NativeCall) PanicString(msg string) Outcome {
	for i := range c.M.Prog.Types {
		if t := &c.M.Prog.Types[i]; t.Kind == bytecode.String && t.Str == "string" && t.Desc != 0 {
			c.M.raiseString(c.G, i, msg)
			return Jumped
		}
	}
	return c.PanicPlain(msg)
}

// PanicAssert panics as an assertion to an interface type does of which a value
// with the given descriptor, 0 for nil, lacks a method.
func (c *NativeCall) PanicAssert(desc mem.Ptr, iface int, missing string) Outcome {
	c.M.raiseTypeAssert(c.G, iface, desc, iface, missing)
	return Jumped
}

// NewChan makes a channel of a type. If the outcome is not Done the native must
// return it at once.
func (c *NativeCall) NewChan(typ, n int) (mem.Ptr, Outcome) {
	m := c.M
	size := uint64(m.rt.types[m.rt.types[typ].Elem].Size)
	if n < 0 || size > 0 && uint64(n) > (1<<48-96)/size {
		m.raiseMakechan(c.G)
		return 0, Jumped
	}
	if uint64(n)*size > mem.MaxSize-uint64(mem.ChanData) {
		return 0, c.OutOfMemory()
	}
	ch := m.Heap.NewChan(m.chanShape(typ), uint64(n))
	m.pollHeap()
	if ch == 0 {
		return 0, c.OutOfMemory()
	}
	if c.G.member.bubble != 0 {
		m.Heap.SetChanGroup(ch, int(c.G.member.bubble))
	}
	return ch, Done
}

// AllocShape makes an object of a registered shape, 0 if memory is exhausted.
func (m *Machine) AllocShape(shape mem.ShapeID, size uint64) mem.Ptr {
	return m.allocNative(shape, size)
}

// SmallInts is a table of the first 256 numbers, which boxes of them share.
func (m *Machine) SmallInts() mem.Ptr { return m.rt.small }

// TouchProcess notes that the running goroutine looks at or changes something that all
// goroutines of the process share and that no object stands for.
func (m *Machine) TouchProcess() { m.driver.Noted(ProcessTouched, 0) }

// ReadClock notes that the program has looked at the clock.
func (m *Machine) ReadClock() { m.driver.Noted(ClockRead, 0) }

// Random is the next number of the generator that is part of the state.
func (m *Machine) Random() uint64 { return m.random() }

// MapAccessAt, MapAssignAt and MapDeleteAt are MapAccess, MapAssign and
// MapDelete with the host address of a key in its memory layout.
func (m *Machine) MapAccessAt(typ int, mp mem.Ptr, key unsafe.Pointer) (elem mem.Ptr, bad *bytecode.Type) {
	return m.lookup(m.mapType(typ), mp, key)
}

func (m *Machine) MapAssignAt(typ int, mp mem.Ptr, key unsafe.Pointer) (elem mem.Ptr, bad *bytecode.Type) {
	return m.assign(m.mapType(typ), mp, key)
}

func (m *Machine) MapDeleteAt(typ int, mp mem.Ptr, key unsafe.Pointer) (bad *bytecode.Type) {
	m.touchMap(mp, true)
	at, _, _, bad := m.find(m.mapType(typ), mp, key)
	if at != 0 {
		m.Heap.MapDelete(mp, at)
	}
	return bad
}

// IsGlobal reports whether p points to a package-level variable, or into what a literal of one points to: data of the program.
func (m *Machine) IsGlobal(p mem.Ptr) bool {
	n := int(p.Obj()) - bytecode.GlobalBase
	return n >= 0 && n < len(m.Prog.Globals)
}

// IsInlined reports whether p points into a literal that is data of the program only if Go's compiler inlines the function that has it, which is
// not known.
func (m *Machine) IsInlined(p mem.Ptr) bool {
	return m.IsGlobal(p) && m.Prog.Globals[int(p.Obj())-bytecode.GlobalBase].Origin == bytecode.Inlined
}

// FuncAt is the function of a func value, nil if it is none.
func (m *Machine) FuncAt(fv mem.Ptr) *bytecode.Func {
	target := m.funcOf(fv)
	if target < 0 {
		return nil
	}
	return m.funcs[target].f
}

// A nameIndex finds functions and variables by name. It is made at first need.
type nameIndex struct{ funcs, globals map[string]int }

// FuncIndex is the number of the function with a name as tracebacks have it, -1
// if the program has none.
func (m *Machine) FuncIndex(name string) int {
	if m.rt.names.funcs == nil {
		m.rt.names.funcs = make(map[string]int, len(m.Prog.Funcs))
		for i := range m.Prog.Funcs {
			m.rt.names.funcs[m.Prog.Funcs[i].Name] = i
		}
	}
	if i, ok := m.rt.names.funcs[name]; ok {
		return i
	}
	return -1
}

// FuncValue is the func value of a function without free variables, 0 if the
// program has none of that name.
func (m *Machine) FuncValue(name string) mem.Ptr {
	i := m.FuncIndex(name)
	if i < 0 {
		return 0
	}
	return mem.Ptr(bytecode.StaticPtr(bytecode.ObjFuncs, uint32(8*i)))
}

// Global is the address and the type of a package-level variable, 0 if the
// program has none of that name.
func (m *Machine) Global(name string) (mem.Ptr, *bytecode.Type) {
	if m.rt.names.globals == nil {
		m.rt.names.globals = make(map[string]int, len(m.Prog.Globals))
		for i := range m.Prog.Globals {
			m.rt.names.globals[m.Prog.Globals[i].Name] = i
		}
	}
	i, ok := m.rt.names.globals[name]
	if !ok {
		return 0, nil
	}
	return mem.MakePtr(mem.ObjID(bytecode.GlobalBase+i), 0), m.rt.types[m.Prog.Globals[i].Type]
}

// WakeGoroutine wakes the first goroutine that waits on obj by NativeCall.Park
// and for which ok holds.
func (m *Machine) WakeGoroutine(obj mem.Ptr, ok func(g *G) bool) {
	for g := range m.driver.Goroutines {
		if g.status == gWaiting && g.wait.Obj == obj && ok(g) {
			m.Ready(g)
			return
		}
	}
}

// Spend moves the clock by what a native takes that is long on a real machine.
func (m *Machine) Spend(nanoseconds int64) {
	if !m.sched.frozen {
		m.state.Now += nanoseconds
	}
}

// WakeAtEnd makes the end of g wake all that wait on obj by NativeCall.Park, and
// clear the word at gone, unless that is 0.
func (m *Machine) WakeAtEnd(g *G, obj, gone mem.Ptr) {
	m.Save(g)
	g.atEnd, g.gone = obj, gone
}

// NumGoroutine is how many goroutines there are that programs know of.
func (m *Machine) NumGoroutine() int {
	n := 0
	for g := range m.driver.Goroutines {
		if !g.over() && !g.system {
			n++
		}
	}
	return n
}

// Callers returns the program counters of g's frames, the top one first, as
// runtime.Callers tells them. Wrappers are left out; the native that asks is not
// a frame. Where a panic has called a deferred function there is package
// runtime's gopanic, and at the bottom of each stack its goexit.
func (m *Machine) Callers(g *G) []uint64 {
	var pcs []uint64
	m.walk(g, func(fr *Frame) bool {
		if f := &m.funcs[fr.fn]; !f.f.Wrapper && f.code != nil {
			pcs = append(pcs, bytecode.ReturnWord(int(fr.fn), int(fr.pc)))
		}
		if fr.kind == kindPanic {
			if i := m.FuncIndex(gopanic); i >= 0 {
				pcs = append(pcs, bytecode.ReturnWord(i, 0))
			}
		}
		return true
	})
	if i := m.FuncIndex(goexitFunc); i >= 0 {
		pcs = append(pcs, bytecode.ReturnWord(i, 0))
	}
	return pcs
}

// Position is the function of a program counter as Callers tells it, of the one
// before, which is the call, or of a code word, and the place in it. The function
// is nil if there is none.
func (m *Machine) Position(pc uint64) (f *bytecode.Func, index int, line bytecode.Line) {
	index = bytecode.FuncOf(pc)
	if uint(index) >= uint(len(m.funcs)) {
		return nil, -1, line
	}
	f = m.funcs[index].f
	if at := bytecode.Called(pc); at >= 0 {
		return f, index, LineAt(f, at)
	}
	return f, index, bytecode.Line{File: int32(f.File), Line: int32(f.Line)}
}

// File is the name of a source file.
func (m *Machine) File(i int32) string { return m.file(i) }

// Collect frees the garbage of the heap at once. A native may call it that
// holds no pointers of its own.
func (m *Machine) Collect() { m.collect() }

// Words returns a copy of n words of memory, nil if they are not there. Nobody is told.
func (m *Machine) Words(p mem.Ptr, n int) []uint64 {
	if p == 0 || n <= 0 || n > 1<<16 {
		return nil
	}
	at := m.Heap.Peek(p, uint32(n)*8)
	if at == nil {
		return nil
	}
	return append([]uint64(nil), unsafe.Slice((*uint64)(at), n)...)
}

// wordsOf is the address of the first of some words.
func wordsOf(w []uint64) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(w)) }

// A Setting is a number that a program can set and ask for.
type Setting int

const (
	MaxProcs       Setting = iota // runtime.GOMAXPROCS
	GCPercent                     // debug.SetGCPercent
	MaxStack                      // debug.SetMaxStack
	MaxThreads                    // debug.SetMaxThreads
	MemoryLimit                   // debug.SetMemoryLimit
	AsyncTimerChan                // $GODEBUG's asynctimerchan
	PanicNil                      // $GODEBUG's panicnil
	numSettings
)

// Setting returns the value of a setting, initial if it was not set.
func (m *Machine) Setting(s Setting, initial int64) int64 {
	m.driver.Noted(ProcessTouched, 0)
	return m.state.special.settings[s] + initial
}

// PeekSetting is Setting for who looks at what others may change meanwhile and says so himself.
func (m *Machine) PeekSetting(s Setting, initial int64) int64 {
	return m.state.special.settings[s] + initial
}

// SetSetting changes a setting. The state holds the difference to the initial
// value, so that a program that sets nothing has zeros there.
func (m *Machine) SetSetting(s Setting, v, initial int64) {
	m.driver.Noted(ProcessTouched, 0)
	m.state.special.settings[s] = v - initial
}

// AddRef gives a pointer a number, the same one each time, and keeps what it
// points to. Package reflect refers to parts of the types that it makes in this
// way. Numbers begin at 1; it is 0 if memory is exhausted.
func (m *Machine) AddRef(p mem.Ptr) int {
	defer m.unseen()()
	sp := &m.state.special
	for i := range sp.numRefs {
		if m.Ref(i+1) == p {
			return i + 1
		}
	}
	if uint32(sp.numRefs)*8 >= m.Heap.Size(sp.refs.Obj()) {
		shape := m.Heap.AddShape(mem.Shape{Size: 8, Ptrs: []uint64{1}})
		grown := m.allocNative(shape, uint64(max(16, 2*sp.numRefs))*8)
		if grown == 0 {
			return 0
		}
		m.Heap.Copy(grown, sp.refs, uint32(sp.numRefs)*8)
		sp.refs = grown
	}
	m.Heap.StorePtr(sp.refs+mem.Ptr(sp.numRefs)*8, p)
	sp.numRefs++
	return sp.numRefs
}

// Ref is the pointer with a number, 0 if there is none.
func (m *Machine) Ref(n int) mem.Ptr {
	if n < 1 || n > m.state.special.numRefs {
		return 0
	}
	defer m.unseen()()
	return m.wordAt(m.state.special.refs + mem.Ptr(n-1)*8)
}

// unseen makes what the machine does to a table of its own no access of the program, up to the call of what it returns.
// In Go a lock of the runtime orders that.
func (m *Machine) unseen() (seen func()) {
	told := m.Heap.Access
	m.Heap.Access = nil
	return func() { m.Heap.Access = told }
}
