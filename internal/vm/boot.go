package vm

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mem"
)

// Options are what a Machine needs beside its program. The zero value works.
type Options struct {
	Stdout, Stderr io.Writer // Stderr is where print and println go; nil discards
	Seed           uint64    // of map iteration and of random choices; 0 means insertion order
	MemLimit       uint64    // bytes of the heap, garbage included; 0 means 4 GiB
	StackLimit     int       // words of one goroutine's stack; 0 means 32 Mi, which is 256 MiB
	Host           any       // becomes Machine.Host
	AllowMissing   bool      // a native that is not there is an error only when it is called
}

const (
	defaultMemLimit   = 4 << 30
	defaultStackLimit = 32 << 20
	wordsPerFrame     = 4 // a stack that is full of frames has at least so many words for each
)

// runtimeState is what the helpers of instructions have computed from the
// program. None of it is part of a state: it can be computed again.
type runtimeState struct {
	opts Options

	maxStack int              // words of a goroutine's stack
	maxDepth int              // frames of a goroutine
	types    []*bytecode.Type // by type index: the program's, then those made at run time
	dynamic  map[mem.Ptr]int  // index of a type made at run time, by its descriptor
	shapes   []mem.ShapeID    // by type index: of its memory, noShape if not known yet
	contents []mem.ShapeID    // by type index: of what a map or channel points to
	mapTypes []*mapType       // by type index of a map type, nil if not used yet
	closures []mem.ShapeID    // by function: of its closures

	itabs    map[itabKey]itabEntry
	lastItab lastItab
	small    mem.Ptr // 256 words that hold their own number: boxes of small values

	names    nameIndex
	oom      bool // an allocation of a native failed
	printBuf []byte
}

// New makes a machine that is about to run prog: its heap holds the program's
// fixed objects and zero globals, and no goroutine exists. Every Func.Native of
// the program must be in natives, unless opts allows them to be missing; the
// error names those that are not.
func New(prog *bytecode.Program, natives map[string]Native, opts Options) (*Machine, error) {
	opts.MemLimit = cmp.Or(opts.MemLimit, defaultMemLimit)
	opts.StackLimit = cmp.Or(opts.StackLimit, defaultStackLimit)
	h, err := mem.New(mem.ObjID(bytecode.GlobalBase + len(prog.Globals)))
	if err != nil {
		return nil, diag.Usagef("no room for the program's memory: %v (is the address space limited, as by ulimit -v?)", err)
	}
	h.SetLimit(opts.MemLimit)
	m := &Machine{Prog: prog, Heap: h, Host: opts.Host}
	m.driver = selfDriver{m}
	m.rt.opts = opts
	m.rt.maxStack, m.rt.maxDepth = opts.StackLimit, opts.StackLimit/wordsPerFrame
	m.state.Rng = opts.Seed
	m.initTypes()
	if err := m.initFuncs(natives, opts.AllowMissing); err != nil {
		h.Close()
		return nil, err
	}
	if err := m.initObjects(); err != nil {
		h.Close()
		return nil, err
	}
	m.initItabs()
	m.SetDebug(prog.GODEBUG)
	return m, nil
}

// initFuncs makes the functions ready to run.
func (m *Machine) initFuncs(natives map[string]Native, allow bool) error {
	var missing []string
	// All code lies in one piece with an unused instruction in front, since exec
	// points one before the instruction that it is about to execute.
	size := 1
	for i := range m.Prog.Funcs {
		size += len(m.Prog.Funcs[i].Code)
	}
	code := make([]bytecode.Instr, 1, size)
	m.funcs = make([]fn, len(m.Prog.Funcs))
	for i := range m.Prog.Funcs {
		f := &m.Prog.Funcs[i]
		r := &m.funcs[i]
		*r = fn{
			params: int32(f.Params), results: int32(f.Results), closure: f.Closure, f: f,
			frame: max(int32(f.Frame), int32(f.Params)+1, int32(f.Results)),
		}
		switch {
		case f.Native != "":
			if r.native = natives[f.Native]; r.native == nil {
				missing = append(missing, f.Native)
			}
		case len(f.Code) > 0:
			code = append(code, f.Code...)
			r.code = unsafe.Pointer(&code[len(code)-len(f.Code)])
		default:
			return fmt.Errorf("function %s has neither code nor a native", f.Name)
		}
	}
	if len(missing) > 0 && !allow {
		slices.Sort(missing)
		missing = slices.Compact(missing)
		return fmt.Errorf("natives not implemented: %s", strings.Join(missing, ", "))
	}
	m.rt.closures = unknownShapes(len(m.funcs))
	return nil
}

// initObjects makes the fixed objects and the globals.
func (m *Machine) initObjects() error {
	p := m.Prog
	funcs := make([]byte, 0, 8*len(p.Funcs))
	for i := range p.Funcs {
		funcs = binary.LittleEndian.AppendUint64(funcs, bytecode.CodeWord(i))
	}
	equals := make([]byte, 0, 16*len(p.Types))
	for i := range p.Types {
		equals = binary.LittleEndian.AppendUint64(equals, bytecode.CodeWord(p.EqualFunc))
		equals = binary.LittleEndian.AppendUint64(equals, uint64(i))
	}
	for _, o := range []struct {
		id    mem.ObjID
		image []byte
	}{
		{bytecode.ObjTypes, p.TypeImage},
		{bytecode.ObjStrings, p.Strings},
		{bytecode.ObjFuncs, funcs},
		{bytecode.ObjItabs, p.ItabImage},
		{bytecode.ObjEquals, equals},
	} {
		if !m.initImage(o.id, o.image) {
			return fmt.Errorf("no memory for the program's image of %d bytes", len(o.image))
		}
	}
	m.Heap.AllocAt(bytecode.ObjZero, 0, 0) // writable: a copy of no bytes succeeds
	for i, g := range p.Globals {
		size := uint64(p.Types[g.Type].Size)
		if m.Heap.AllocAt(mem.ObjID(bytecode.GlobalBase+i), m.shape(g.Type), size) == 0 {
			return fmt.Errorf("no memory for variable %s of %d bytes", g.Name, size)
		}
		if g.Origin != bytecode.Variable {
			m.Heap.NoRoot(mem.ObjID(bytecode.GlobalBase + i))
		}
	}
	return m.initSmall()
}

// initImage makes a read-only fixed object.
func (m *Machine) initImage(id mem.ObjID, image []byte) bool {
	p := m.Heap.AllocAt(id, 0, uint64(len(image)))
	if p == 0 {
		return false
	}
	if b, ok := m.Heap.WriteBytes(p, uint32(len(image))); ok {
		copy(b, image)
	}
	m.Heap.SetReadOnly(id)
	return true
}

// initSmall makes the boxes that interfaces of small values share.
func (m *Machine) initSmall() error {
	const n = 256
	p := m.Heap.AllocStatic(0, n*8, []byte("small integers"))
	if p == 0 {
		return fmt.Errorf("no memory for %d small integers", n)
	}
	words := unsafe.Slice((*uint64)(m.Heap.Write(p, n*8)), n)
	for i := range words {
		words[i] = uint64(i)
	}
	m.Heap.SetReadOnly(p.Obj())
	m.rt.small = p
	return nil
}
