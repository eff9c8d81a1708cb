package bytecode

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"reflect"
	"sync"
)

// The binary form of a program is
//
//	magic, version, fingerprint of opcodes and structures, checksum of the rest
//	counts of what the functions and types hold in all
//	the string table: lengths, then the bytes
//	the opcodes used, most frequent first
//	images, tables, types, functions
//
// Numbers are varints, signed ones in zigzag form; strings are indices into the
// string table. An instruction is a byte that stands for its opcode and then
// those operands that the opcode's row has. There is one form only for the
// program's lists: an empty one is read back as nil.

const (
	codecMagic   = "\x7fHDL"
	codecVersion = 3
	headerSize   = 16
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal puts the header before a payload.
func seal(payload []byte) []byte {
	b := make([]byte, 0, headerSize+len(payload))
	b = append(b, codecMagic...)
	b = binary.LittleEndian.AppendUint32(b, codecVersion)
	b = binary.LittleEndian.AppendUint32(b, fingerprint())
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(payload, castagnoli))
	return append(b, payload...)
}

// fingerprint identifies the opcode table and the structures of a program: a
// binary form is valid only for those it was made for.
var fingerprint = sync.OnceValue(func() uint32 {
	sum := crc32.New(castagnoli)
	for _, r := range Ops {
		io.WriteString(sum, r.Name)
		for _, p := range r.Pattern {
			io.WriteString(sum, " "+p)
		}
		io.WriteString(sum, "\n")
	}
	seen := make(map[reflect.Type]bool)
	var describe func(t reflect.Type)
	describe = func(t reflect.Type) {
		if t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || seen[t] {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			io.WriteString(sum, f.Name+" "+f.Type.String()+"\n")
			describe(f.Type)
		}
	}
	describe(reflect.TypeFor[Program]())
	return sum.Sum32()
})

// An immForm says how an immediate is written.
type immForm uint8

const (
	immNone        immForm = iota
	immSigned              // zigzag
	immUnsigned            // an index
	immPair                // two unsigned halves
	immTarget              // relative to the instruction
	immConstTarget         // signed high half; low half relative to the instruction
)

// A shape is how an opcode's instructions are written: which operands, and the
// form of the immediate.
type shape struct {
	a, b, c bool
	imm     immForm
	quick   quickShape
}

// A quickShape says where the operands are if the opcode and all numbers take one
// byte each: n bytes in all, with the high bits of mask clear. An operand is the
// byte at its shift, and zero if the opcode has no such operand.
type quickShape struct {
	mask                   uint64
	shiftA, shiftB, shiftC uint8
	shiftImm, n            uint8
}

// absent shifts everything out.
const absent = 64

var opShapes = sync.OnceValue(func() *[NumOps]shape {
	forms := map[string]immForm{
		"-": immNone, "n": immSigned, "t": immTarget, "ct": immConstTarget,
		"y": immUnsigned, "f": immUnsigned, "e": immUnsigned, "i": immUnsigned, "a": immUnsigned,
		"p": immPair, "so": immPair, "xo": immPair, "st": immPair,
	}
	var shapes [NumOps]shape
	for i := range shapes {
		p := Ops[i].Pattern
		form, ok := forms[p[3]]
		if !ok {
			form = immSigned
		}
		s := shape{a: p[0] != "-", b: p[1] != "-", c: p[2] != "-", imm: form}
		q := &s.quick
		q.n = 1
		place := func(has bool, shift *uint8) {
			*shift = absent
			if has {
				*shift = 8 * q.n
				q.mask |= 0x80 << (8 * q.n)
				q.n++
			}
		}
		place(s.a, &q.shiftA)
		place(s.b, &q.shiftB)
		place(s.c, &q.shiftC)
		place(form != immNone, &q.shiftImm)
		if form == immPair || form == immConstTarget {
			var second uint8
			place(true, &second)
		}
		shapes[i] = s
	}
	return &shapes
})

// Opcode bytes. The most frequent opcodes have a byte of their own; the others
// have two, of which the first is at least opWide. opRaw precedes an instruction
// that has a value where its row has none; its opcode and four operands follow.
const (
	opWide = 240
	opRaw  = 255
)

// fits says whether an instruction has values only where its shape has operands.
func (s shape) fits(in *Instr) bool {
	return (s.a || in.A == 0) && (s.b || in.B == 0) && (s.c || in.C == 0) && (s.imm != immNone || in.Imm == 0)
}

// totals counts what lies in lists of lists, so that each kind needs one allocation.
type totals struct {
	instrs, lines, points, maps, words, selects, cases, ints, bytes int
	fields, methods, imethods                                       int
}

// list gives the counters in the order of their encoding, each with the least
// number of bytes that one such item takes.
func (t *totals) list() [12]struct {
	n    *int
	size int
} {
	return [12]struct {
		n    *int
		size int
	}{
		{&t.instrs, 1}, {&t.lines, 4}, {&t.points, 2}, {&t.maps, 2}, {&t.words, 1}, {&t.selects, 4},
		{&t.cases, 4}, {&t.ints, 1}, {&t.bytes, 1}, {&t.fields, 6}, {&t.methods, 5}, {&t.imethods, 3},
	}
}
