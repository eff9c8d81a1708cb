package vm

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// Offsets in internal/abi.Type and in what follows it.
const (
	abiSize   = 0
	abiHash   = 16
	abiTFlag  = 20
	abiAlign  = 21
	abiKind   = 23
	abiEqual  = 24
	abiEnd    = 48 // size of abi.Type; the first field of a kind's own part
	abiSecond = 56
	abiThird  = 64

	tflagUncommon   = 1 << 0
	tflagNamed      = 1 << 2
	tflagRegularMem = 1 << 3
	tflagDirect     = 1 << 5
	uncommonSize    = 16
)

// initTypes makes the table of types.
func (m *Machine) initTypes() {
	p := m.Prog
	m.rt.types = make([]*bytecode.Type, len(p.Types))
	for i := range p.Types {
		m.rt.types[i] = &p.Types[i]
	}
	m.rt.shapes = unknownShapes(len(p.Types))
	m.rt.contents = unknownShapes(len(p.Types))
	m.rt.mapTypes = make([]*mapType, len(p.Types))
	m.rt.dynamic = map[mem.Ptr]int{}
}

// forgetDynamicTypes forgets the types that were made at run time. Their descriptors are
// heap objects, which a step back may undo.
func (m *Machine) forgetDynamicTypes() {
	if len(m.rt.dynamic) == 0 {
		return
	}
	n := len(m.Prog.Types)
	clear(m.rt.types[n:])
	m.rt.types = m.rt.types[:n]
	m.rt.shapes = m.rt.shapes[:n]
	m.rt.contents = m.rt.contents[:n]
	m.rt.mapTypes = m.rt.mapTypes[:n]
	clear(m.rt.dynamic)
}

// Type is the type of an index, of the program or made at run time.
func (m *Machine) Type(i int) *bytecode.Type { return m.rt.types[i] }

// TypeOf is the type that a descriptor describes.
func (m *Machine) TypeOf(desc mem.Ptr) *bytecode.Type { return m.typeOf(desc) }

// TypeIndex is the index of the type that a descriptor describes, -1 if desc does
// not point to a descriptor. Types that reflect makes at run time get indexes
// above those of the program, which are good until the next Restore.
func (m *Machine) TypeIndex(desc mem.Ptr) int {
	if desc.Obj() == bytecode.ObjTypes {
		if at := int(desc.Off()) + abiHash; at+4 <= len(m.Prog.TypeImage) {
			return int(binary.LittleEndian.Uint32(m.Prog.TypeImage[at:])) - 1
		}
		return -1
	}
	if i, ok := m.rt.dynamic[desc]; ok {
		return i
	}
	return m.readType(desc)
}

// Desc is the descriptor of a type, 0 if it has none.
func (m *Machine) Desc(i int) mem.Ptr {
	if i >= len(m.Prog.Types) {
		for p, j := range m.rt.dynamic {
			if i == j {
				return p
			}
		}
		return 0
	}
	return staticDesc(m.rt.types[i])
}

func staticDesc(t *bytecode.Type) mem.Ptr {
	if t.Desc == 0 {
		return 0
	}
	return mem.Ptr(bytecode.StaticPtr(bytecode.ObjTypes, t.Desc))
}

// invalidType stands for what a word that is no descriptor describes.
var invalidType = &bytecode.Type{Str: "invalid type", Elem: -1, Key: -1}

func (m *Machine) typeOf(desc mem.Ptr) *bytecode.Type {
	if i := m.TypeIndex(desc); uint(i) < uint(len(m.rt.types)) {
		return m.rt.types[i]
	}
	return invalidType
}

// readType builds the type of a descriptor that the program made with package
// reflect. Methods of such types are refused, see madeMethods.
func (m *Machine) readType(desc mem.Ptr) int {
	b, ok := m.view(desc, abiEnd)
	if !ok {
		return -1
	}
	flags := b[abiTFlag]
	t := &bytecode.Type{
		Kind: bytecode.Kind(b[abiKind]), Align: b[abiAlign], Reg: bytecode.Reg64, Elem: -1, Key: -1,
		Size: uint32(*(*uint64)(unsafe.Pointer(&b[abiSize]))),
	}
	t.Words = uint16((t.Size + 7) / 8)
	if *(*uint64)(unsafe.Pointer(&b[abiEqual])) != 0 {
		t.Flags |= bytecode.FlagComparable
	}
	if flags&tflagRegularMem != 0 {
		t.Flags |= bytecode.FlagPlainEq
	}
	if flags&tflagDirect != 0 {
		t.Flags |= bytecode.FlagDirect
	}
	i := len(m.rt.types)
	m.rt.dynamic[desc] = i
	m.rt.types = append(m.rt.types, t)
	m.rt.shapes = append(m.rt.shapes, noShape)
	m.rt.contents = append(m.rt.contents, noShape)
	m.rt.mapTypes = append(m.rt.mapTypes, nil)
	m.readParts(t, desc, flags)
	return i
}

// readParts fills in what depends on a type's kind.
func (m *Machine) readParts(t *bytecode.Type, desc mem.Ptr, flags uint8) {
	first := func() int { return m.TypeIndex(m.wordAt(desc + abiEnd)) }
	name := func(i int) string {
		if i < 0 {
			return invalidType.Str
		}
		return m.rt.types[i].Str
	}
	t.Ptrs = []uint64{1}
	switch t.Kind {
	case bytecode.Pointer:
		t.Elem = first()
		t.Str = "*" + name(t.Elem)
	case bytecode.Slice:
		t.Elem, t.Reg = first(), bytecode.RegCopy
		t.Str = "[]" + name(t.Elem)
	case bytecode.Chan:
		t.Elem, t.Len = first(), int64(m.wordAt(desc+abiSecond))
		t.Str = [...]string{"", "<-chan ", "chan<- ", "chan "}[t.Len&3] + name(t.Elem)
	case bytecode.MapKind:
		t.Key, t.Elem = first(), m.TypeIndex(m.wordAt(desc+abiSecond))
		t.Str = "map[" + name(t.Key) + "]" + name(t.Elem)
	case bytecode.Array:
		t.Elem, t.Len, t.Reg = first(), int64(m.wordAt(desc+abiThird)), bytecode.RegCopy
		t.Str = "[" + strconv.FormatInt(t.Len, 10) + "]" + name(t.Elem)
		t.Ptrs = nil
		if t.Elem >= 0 && t.Size <= maxBitmap {
			for i := range uint64(t.Len) {
				addPtrs(t, i*uint64(m.rt.types[t.Elem].Size), m.rt.types[t.Elem].Ptrs)
			}
		}
	case bytecode.FuncKind:
		m.readFunc(t, desc, flags)
	case bytecode.Struct:
		t.Reg, t.Ptrs = bytecode.RegCopy, nil
		m.readFields(t, desc)
	}
	if t.Size == 0 {
		t.Reg = bytecode.RegNone
	}
}

// maxBitmap bounds the types that get a pointer bitmap.
const maxBitmap = 16 << 20

// addPtrs joins the pointer bitmap of a part at byte off into that of t.
func addPtrs(t *bytecode.Type, off uint64, part []uint64) {
	for i, w := range part {
		for ; w != 0; w &= w - 1 {
			at := off/8 + uint64(i*64+bits.TrailingZeros64(w))
			for uint64(len(t.Ptrs)) <= at/64 {
				t.Ptrs = append(t.Ptrs, 0)
			}
			t.Ptrs[at/64] |= 1 << (at % 64)
		}
	}
}

func (m *Machine) readFunc(t *bytecode.Type, desc mem.Ptr, flags uint8) {
	const variadic = 1 << 15
	counts := uint64(m.wordAt(desc + abiEnd))
	in, out := int(uint16(counts)), int(uint16(counts>>16))
	if out&variadic != 0 {
		t.Flags |= bytecode.FlagVariadic
		out &^= variadic
	}
	at := desc + abiSecond
	if flags&tflagUncommon != 0 {
		at += uncommonSize
	}
	var b strings.Builder
	b.WriteString("func(")
	for i := range in {
		p := m.TypeIndex(m.wordAt(at + mem.Ptr(i*8)))
		t.In = append(t.In, p)
		if i > 0 {
			b.WriteString(", ")
		}
		s := m.typeName(p)
		if i == in-1 && t.Flags&bytecode.FlagVariadic != 0 {
			s = "..." + strings.TrimPrefix(s, "[]")
		}
		b.WriteString(s)
	}
	b.WriteString(")")
	for i := range out {
		p := m.TypeIndex(m.wordAt(at + mem.Ptr((in+i)*8)))
		t.Out = append(t.Out, p)
		switch {
		case i > 0:
			b.WriteString(", ")
		case out > 1:
			b.WriteString(" (")
		default:
			b.WriteString(" ")
		}
		b.WriteString(m.typeName(p))
	}
	if out > 1 {
		b.WriteString(")")
	}
	t.Str = b.String()
}

func (m *Machine) readFields(t *bytecode.Type, desc mem.Ptr) {
	at, n := m.wordAt(desc+abiSecond), uint64(m.wordAt(desc+abiThird))
	var b strings.Builder
	b.WriteString("struct {")
	for i := range n {
		f := at + mem.Ptr(i*24)
		name, tag, embedded := m.readName(m.wordAt(f))
		ti := m.TypeIndex(m.wordAt(f + 8))
		if ti < 0 {
			continue
		}
		off := uint32(m.wordAt(f + 16))
		t.Fields = append(t.Fields, bytecode.Field{Name: name, Type: ti, Off: off, Tag: tag, Embedded: embedded})
		addPtrs(t, uint64(off), m.rt.types[ti].Ptrs)
		if i > 0 {
			b.WriteString(";")
		}
		b.WriteString(" ")
		if !embedded {
			b.WriteString(name + " ")
		}
		b.WriteString(m.rt.types[ti].Str)
		if tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
	}
	if n > 0 {
		b.WriteString(" ")
	}
	t.Str = b.String() + "}"
}

// readName decodes an internal/abi.Name.
func (m *Machine) readName(p mem.Ptr) (name, tag string, embedded bool) {
	flags, ok := m.view(p, 1)
	if !ok {
		return "", "", false
	}
	p++
	part := func() string {
		n, shift := uint64(0), 0
		for {
			b, ok := m.view(p, 1)
			if !ok || shift > 28 {
				return ""
			}
			p++
			n |= uint64(b[0]&0x7f) << shift
			if b[0]&0x80 == 0 {
				break
			}
			shift += 7
		}
		s, _ := m.view(p, n)
		p += mem.Ptr(n)
		return string(s)
	}
	name = part()
	if flags[0]&(1<<1) != 0 {
		tag = part()
	}
	return name, tag, flags[0]&(1<<3) != 0
}

func (m *Machine) typeName(i int) string {
	if i < 0 {
		return invalidType.Str
	}
	return m.rt.types[i].Str
}

// wordAt is the word at p, 0 if it is not readable.
func (m *Machine) wordAt(p mem.Ptr) mem.Ptr {
	v, _ := m.Heap.LoadPtr(p)
	return v
}
