package drive

import (
	"math/bits"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// word is register i of the frame at fp.
func word(fp unsafe.Pointer, i uint16) *uint64 { return (*uint64)(unsafe.Add(fp, uintptr(i)*8)) }

// A slice is what a slice is in registers. A string has the first two words of it.
type slice struct {
	ptr      mem.Ptr
	len, cap uint64
}

func sliceAt(fp unsafe.Pointer, r uint16) *slice { return (*slice)(unsafe.Pointer(word(fp, r))) }

// What an instruction is about to access, told from its operands alone. A search
// that stops goroutines before each access asks it, and so do tests of the
// detection of races, which must not rely on what is being tested.

// A form says how an instruction finds the memory that it accesses.
type form uint8

const (
	formNone   form = iota
	formPlain       // register plus immediate
	formStatic      // the immediate
	formSlice       // a slice and an index
	formArray       // a pointer and an index
	formBytes       // register plus offset, as many bytes as the immediate says
	formOther       // an opcode with a case of its own
)

// A memoryOp is what is known of an opcode.
type memoryOp struct {
	form  form
	write bool
	size  uint32
}

var memoryOps = memoryTable()

// memoryTable reads the names of the opcodes: ld or st; g, x, p or nothing; the
// number of bits; and whether the sign counts.
func memoryTable() (t [bytecode.NumOps]memoryOp) {
	forms := map[string]form{"": formPlain, "g": formStatic, "x": formSlice, "p": formArray}
	for op := range bytecode.NumOps {
		if bytecode.Ops[op].Flags&bytecode.Memory == 0 {
			continue
		}
		name := bytecode.Ops[op].Name
		switch op {
		case bytecode.OpLdn, bytecode.OpTouch:
			t[op] = memoryOp{form: formBytes}
			continue
		case bytecode.OpStn, bytecode.OpStz:
			t[op] = memoryOp{form: formBytes, write: true}
			continue
		}
		rest, load := strings.CutPrefix(name, "ld")
		rest, store := strings.CutPrefix(rest, "st")
		digits := strings.TrimRight(strings.TrimLeft(rest, "gxp"), "us")
		if n, err := strconv.Atoi(digits); load != store && err == nil {
			t[op] = memoryOp{forms[rest[:strings.Index(rest, digits)]], store, uint32(n / 8)}
			continue
		}
		t[op] = memoryOp{form: formOther}
	}
	return t
}

// memoryOf appends the accesses of an instruction that is about to be executed
// in the frame at fp. What will fault may or may not be among them.
func (m *Machine) memoryOf(dst []Access, fp unsafe.Pointer, in *bytecode.Instr) []Access {
	o := &memoryOps[in.Op]
	base, index := in.B, in.C
	if o.write {
		base, index = in.A, in.B
	}
	switch o.form {
	case formNone:
		return dst
	case formStatic:
		return add(dst, mem.Ptr(in.Imm), uint64(o.size), o.write)
	case formPlain:
		return add(dst, mem.Ptr(*word(fp, base)+uint64(in.Imm)), uint64(o.size), o.write)
	case formSlice:
		if *word(fp, index) >= *word(fp, base+1) {
			return dst
		}
		fallthrough
	case formArray:
		p := *word(fp, base) + *word(fp, index)*uint64(in.Hi()) + uint64(in.Lo())
		return add(dst, mem.Ptr(p), uint64(o.size), o.write)
	case formBytes:
		return add(dst, mem.Ptr(*word(fp, base)+uint64(in.Lo())), uint64(in.Hi()), o.write)
	}
	return m.memoryOfOther(dst, fp, in)
}

func (m *Machine) memoryOfOther(dst []Access, fp unsafe.Pointer, in *bytecode.Instr) []Access {
	switch in.Op {
	case bytecode.OpCopym:
		dst = add(dst, mem.Ptr(*word(fp, in.A)), uint64(in.Imm), true)
		return add(dst, mem.Ptr(*word(fp, in.B)), uint64(in.Imm), false)
	case bytecode.OpCopy:
		d, s := sliceAt(fp, in.B), sliceAt(fp, in.C)
		n := min(d.len, s.len) * uint64(in.Imm)
		return add(add(dst, d.ptr, n, true), s.ptr, n, false)
	case bytecode.OpClearslice:
		s := sliceAt(fp, in.B)
		return add(dst, s.ptr, s.len*uint64(in.Imm), true)
	case bytecode.OpBytesstr:
		s := sliceAt(fp, in.B)
		return add(dst, s.ptr, s.len, false)
	case bytecode.OpRunesstr:
		s := sliceAt(fp, in.B)
		return add(dst, s.ptr, s.len*4, false)
	case bytecode.OpAppend:
		size, more := uint64(m.Type(int(in.Imm)).Size), sliceAt(fp, in.C)
		dst = appends(dst, sliceAt(fp, in.B), more.len, size)
		return add(dst, more.ptr, more.len*size, false)
	case bytecode.OpAppendstr:
		return appends(dst, sliceAt(fp, in.B), sliceAt(fp, in.C).len, 1)
	case bytecode.OpAppendf:
		return appends(dst, sliceAt(fp, in.B), uint64(in.Hi()), uint64(m.Type(int(in.Lo())).Size))
	case bytecode.OpMapget, bytecode.OpMapget2, bytecode.OpMaplen:
		return add(dst, mem.Ptr(*word(fp, in.B)), 1, false)
	case bytecode.OpMapset:
		return add(dst, mem.Ptr(*word(fp, in.A)), 1, true)
	case bytecode.OpMapdel, bytecode.OpMapclear:
		return add(dst, mem.Ptr(*word(fp, in.B)), 1, true)
	case bytecode.OpMapnext:
		return add(dst, m.IteratedMap((*vm.MapIter)(unsafe.Pointer(word(fp, in.B)))), 1, false)
	}
	panic("vm: opcode " + in.Op.String() + " accesses memory that nobody tells of")
}

// add appends an access to n bytes.
func add(dst []Access, p mem.Ptr, n uint64, write bool) []Access {
	if n == 0 || p.Obj() == 0 {
		return dst
	}
	return append(dst, Access{Obj: p.Obj(), lo: p.Off(), hi: p.Off() + uint32(min(n, mem.MaxSize)), Write: write})
}

// appends appends the accesses of an append of n elements to s, but for reading
// them: what is behind the slice is written, or the slice is moved.
func appends(dst []Access, s *slice, n, size uint64) []Access {
	if s.len+n > s.cap {
		return add(dst, s.ptr, s.len*size, false)
	}
	return add(dst, s.ptr+mem.Ptr(s.len*size), n*size, true)
}

// publishStored publishes what an instruction is about to store in shared memory,
// so that others are known to reach it at once.
func (m *Machine) publishStored(g *G, fp unsafe.Pointer, in *bytecode.Instr) {
	switch in.Op {
	case bytecode.OpCopym:
		m.Heap.PublishFrom(mem.Ptr(*word(fp, in.B)), uint32(in.Imm))
		return
	case bytecode.OpCopy:
		s := sliceAt(fp, in.C)
		m.Heap.PublishFrom(s.ptr, uint32(min(s.len*uint64(in.Imm), mem.MaxSize)))
		return
	case bytecode.OpAppend:
		s := sliceAt(fp, in.C)
		m.Heap.PublishFrom(s.ptr, uint32(min(s.len*uint64(m.Type(int(in.Imm)).Size), mem.MaxSize)))
		return
	}
	// The other operands than the value lead to what is shared already.
	ptrs := m.LiveMap(g.Top()).Ptrs
	for k, r := range [3]uint16{in.A, in.B, in.C} {
		if o := &bytecode.Operands[in.Op][k]; o.Use {
			m.publishWords(fp, ptrs, int(r), m.wordsOf(in, k))
		}
	}
}

// wordsOf returns how many words an operand of a store has.
func (m *Machine) wordsOf(in *bytecode.Instr, k int) int {
	if n := bytecode.Operands[in.Op][k].Words; n >= 0 {
		return int(n)
	}
	switch in.Op {
	case bytecode.OpStn:
		return int(in.Hi()+7) / 8
	case bytecode.OpAppendf:
		return int((uint64(in.Hi())*uint64(m.Type(int(in.Lo())).Size) + 7) / 8)
	case bytecode.OpMapset, bytecode.OpMapdel:
		t := m.Type(int(in.Imm))
		if k == 2 && in.Op == bytecode.OpMapset {
			return int(m.Type(t.Elem).Words)
		}
		return int(m.Type(t.Key).Words)
	}
	return 0
}

// publishWords publishes what some words of a frame point to, of those that hold
// pointers.
func (m *Machine) publishWords(fp unsafe.Pointer, ptrs []uint64, from, n int) {
	for w := range ptrs {
		for rest := ptrs[w]; rest != 0; rest &= rest - 1 {
			if r := w*64 + bits.TrailingZeros64(rest); r >= from && r < from+n {
				m.Heap.Publish(mem.Ptr(*word(fp, uint16(r))))
			}
		}
	}
}
