package compile

import (
	"encoding/binary"
	"go/token"
	"go/types"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// Sizes of the structures of internal/abi, Go 1.26, amd64.
const (
	abiType      = 48
	abiUncommon  = 16
	abiMethod    = 16
	abiImethod   = 8
	abiField     = 24
	firstDesc    = 16 // offset 0 means no type and no name
	maxMaskBytes = 2048
)

// Bits of abi.TFlag.
const (
	tflagUncommon = 1 << iota
	tflagExtraStar
	tflagNamed
	tflagRegularMemory
	tflagGCMaskOnDemand
	tflagDirectIface
)

// headSize is the size of each kind's descriptor without what follows it.
func headSize(k bytecode.Kind) uint32 {
	switch k {
	case bytecode.Pointer, bytecode.Slice, bytecode.FuncKind:
		return abiType + 8
	case bytecode.Chan:
		return abiType + 16
	case bytecode.Array:
		return abiType + 24
	case bytecode.Struct, bytecode.Interface:
		return abiType + 32
	case bytecode.MapKind:
		return abiType + 64
	}
	return abiType
}

// desc is the static pointer to the abi.Type of a type, which becomes a run-time
// type: so do the types it is made of and the pointer type to it, and its
// methods are enqueued.
func (t *typeTable) desc(typ types.Type) uint64 {
	i := t.index(typ)
	t.describe(i)
	return descPtr(t.entries[i])
}

func descPtr(e *entry) uint64 { return bytecode.StaticPtr(bytecode.ObjTypes, e.Desc) }

// typeHash is the Hash of a descriptor, by which the machine finds its type.
func typeHash(i int) uint32 { return uint32(i + 1) }

// describe reserves the descriptor of type i. The outermost call also describes
// everything that follows from it; the calls inside only reserve.
func (t *typeTable) describe(i int) {
	e := t.entries[i]
	if e.Desc != 0 {
		return
	}
	t.findMethods(e)
	e.Desc = t.descEnd
	l := e.sections()
	t.descEnd += uint32(alignUp(int64(l.end), wordSize))
	t.described = append(t.described, i)
	if t.describing {
		return
	}
	t.describing = true
	for n := len(t.described) - 1; n < len(t.described); n++ {
		t.describeParts(t.described[n])
	}
	t.describing = false
}

// describeParts describes what a descriptor refers to.
func (t *typeTable) describeParts(i int) {
	e := t.entries[i]
	if e.Elem >= 0 {
		t.describe(e.Elem)
	}
	if e.Key >= 0 {
		t.describe(e.Key)
	}
	for _, f := range e.Fields {
		t.describe(f.Type)
	}
	for _, p := range e.In {
		t.describe(p)
	}
	for _, r := range e.Out {
		t.describe(r)
	}
	for _, m := range e.IMethods {
		t.describe(m.Type)
	}
	if e.Kind == bytecode.Array {
		t.describe(t.index(types.NewSlice(t.entries[e.Elem].typ)))
	}
	// Pointers to all types that are not pointers themselves exist, so that
	// reflect.New and reflect.PointerTo find them with their methods.
	if e.Kind != bytecode.Pointer || e.Flags&bytecode.FlagNamed != 0 {
		t.describe(t.index(types.NewPointer(e.typ)))
	}
	t.bindMethods(e)
}

// The sections of a descriptor: the head, the uncommon type, the arrays that the
// head refers to, the methods. Offsets are from its start.
type sections struct {
	extra                        bool // has an uncommon type
	uncommon, data, methods, end uint32
}

func (e *entry) sections() sections {
	s := sections{uncommon: headSize(e.Kind)}
	s.extra = e.Flags&bytecode.FlagNamed != 0 || len(e.methods) > 0
	s.data = s.uncommon
	if s.extra {
		s.data += abiUncommon
	}
	s.methods = s.data
	switch e.Kind {
	case bytecode.FuncKind:
		s.methods += 8 * uint32(len(e.In)+len(e.Out))
	case bytecode.Interface:
		s.methods += abiImethod * uint32(len(e.IMethods))
	case bytecode.Struct:
		s.methods += abiField * uint32(len(e.Fields))
	}
	s.end = s.methods + abiMethod*uint32(len(e.methods))
	return s
}

// finish completes the types and writes them and their images into a program.
// No type may be registered after it.
func (t *typeTable) finish(p *bytecode.Program) {
	w := &descWriter{t: t, image: make([]byte, t.descEnd, 2*t.descEnd), names: make(map[string]uint32)}
	for _, e := range t.entries {
		t.complete(e)
	}
	for _, i := range t.described {
		w.write(i)
	}
	p.Types = make([]bytecode.Type, len(t.entries))
	for i, e := range t.entries {
		p.Types[i] = e.Type
	}
	p.TypeImage = w.image
	p.Itabs = t.itabList
	p.ItabImage = t.itabImage()
}

// complete gives a type its texts.
func (t *typeTable) complete(e *entry) {
	e.Str = t.typeString(e.typ, reflectName)
	switch typ := e.typ.(type) {
	case *types.Basic:
		e.Name = e.Str
		if typ.Kind() == types.UnsafePointer {
			e.Name, e.PkgPath = "Pointer", "unsafe"
		}
	case *types.Named:
		e.Name = t.declaredName(typ)
		if pkg := typ.Obj().Pkg(); pkg != nil {
			e.PkgPath = packagePath(pkg)
		}
	default:
		for _, f := range e.Fields {
			if f.PkgPath != "" {
				e.PkgPath = f.PkgPath
				break
			}
		}
		for _, m := range e.IMethods {
			if m.PkgPath != "" {
				e.PkgPath = m.PkgPath
				break
			}
		}
	}
}

// A descWriter writes descriptors into their reserved places and names and
// pointer masks behind all of them.
type descWriter struct {
	t     *typeTable
	image []byte
	names map[string]uint32 // names and masks by content
}

func (w *descWriter) u8(off uint32, v uint8)   { w.image[off] = v }
func (w *descWriter) u16(off uint32, v uint16) { binary.LittleEndian.PutUint16(w.image[off:], v) }
func (w *descWriter) u32(off uint32, v uint32) { binary.LittleEndian.PutUint32(w.image[off:], v) }
func (w *descWriter) u64(off uint32, v uint64) { binary.LittleEndian.PutUint64(w.image[off:], v) }

// typ writes a pointer to a descriptor.
func (w *descWriter) typ(off uint32, i int) { w.u64(off, descPtr(w.t.entries[i])) }

// ptr writes a pointer to an offset of the image, nil for offset 0.
func (w *descWriter) ptr(off, to uint32) {
	if to != 0 {
		w.u64(off, bytecode.StaticPtr(bytecode.ObjTypes, to))
	}
}

// intern appends bytes to the image once and gives their offset.
func (w *descWriter) intern(b []byte) uint32 {
	off, ok := w.names[string(b)]
	if !ok {
		off = uint32(len(w.image))
		w.names[string(b)] = off
		w.image = append(w.image, b...)
	}
	return off
}

// name writes an abi.Name. pkg is its package path, "" for none.
func (w *descWriter) name(name, tag, pkg string, exported, embedded bool) uint32 {
	b := make([]byte, 1, 16+len(name)+len(tag))
	b = binary.AppendUvarint(b, uint64(len(name)))
	b = append(b, name...)
	if exported {
		b[0] |= 1 << 0
	}
	if tag != "" {
		b[0] |= 1 << 1
		b = binary.AppendUvarint(b, uint64(len(tag)))
		b = append(b, tag...)
	}
	if pkg != "" {
		b[0] |= 1 << 2
		b = binary.LittleEndian.AppendUint32(b, w.path(pkg))
	}
	if embedded {
		b[0] |= 1 << 3
	}
	return w.intern(b)
}

// path writes a package path as a name, 0 for "".
func (w *descWriter) path(pkg string) uint32 {
	if pkg == "" {
		return 0
	}
	return w.name(pkg, "", "", false, false)
}

// write fills in the descriptor of type i.
func (w *descWriter) write(i int) {
	e := w.t.entries[i]
	d, l := e.Desc, e.sections()
	w.common(i, e, l)
	switch e.Kind {
	case bytecode.Pointer, bytecode.Slice:
		w.typ(d+abiType, e.Elem)
	case bytecode.Chan:
		w.typ(d+abiType, e.Elem)
		w.u64(d+abiType+8, uint64(e.Len))
	case bytecode.Array:
		w.typ(d+abiType, e.Elem)
		w.typ(d+abiType+8, w.t.index(types.NewSlice(w.t.entries[e.Elem].typ)))
		w.u64(d+abiType+16, uint64(e.Len))
	case bytecode.FuncKind:
		w.function(d, l, e)
	case bytecode.Interface:
		w.iface(d, l, e)
	case bytecode.Struct:
		w.structure(d, l, e)
	case bytecode.MapKind:
		w.mapping(d, e)
	}
	if l.extra {
		w.uncommon(d, l, e)
	}
}

// common writes the abi.Type itself.
func (w *descWriter) common(i int, e *entry, l sections) {
	d := e.Desc
	flags := uint8(0)
	if l.extra {
		flags |= tflagUncommon
	}
	if e.Flags&bytecode.FlagNamed != 0 {
		flags |= tflagNamed
	}
	if e.Flags&bytecode.FlagPlainEq != 0 {
		flags |= tflagRegularMemory
	}
	if e.Flags&bytecode.FlagDirect != 0 {
		flags |= tflagDirectIface
	}
	if mask := (e.ptrEnd/wordSize + 7) / 8; mask > maxMaskBytes {
		flags |= tflagGCMaskOnDemand
	} else if mask > 0 {
		w.ptr(d+32, w.mask(e, int(mask)))
	}
	str, named := e.Str, e
	if str[0] == '*' {
		named = w.t.entries[e.Elem]
	} else {
		str = "*" + str
		flags |= tflagExtraStar
	}
	exported := named.Flags&bytecode.FlagNamed != 0 && token.IsExported(named.Name) && named.Kind != bytecode.UnsafePointer
	w.u64(d, uint64(e.size))
	w.u64(d+8, uint64(e.ptrEnd))
	w.u32(d+16, typeHash(i))
	w.u8(d+20, flags)
	w.u8(d+21, e.Align)
	w.u8(d+22, e.Align)
	w.u8(d+23, uint8(e.Kind))
	if e.Flags&bytecode.FlagComparable != 0 {
		w.u64(d+24, bytecode.StaticPtr(bytecode.ObjEquals, uint32(16*i)))
	}
	w.u32(d+40, w.name(str, "", "", exported, false))
	// reflect.ChanOf copies this field of a channel type, which gc's linker leaves
	// zero there: reflect then finds the pointer type by its string.
	if p := w.t.pointerTo(i); p >= 0 && (e.Kind != bytecode.Chan || e.Flags&bytecode.FlagNamed != 0) {
		w.u32(d+44, w.t.entries[p].Desc)
	}
}

// mask writes a type's pointer bitmap of n bytes, rounded up to whole words as
// the runtime reads it.
func (w *descWriter) mask(e *entry, n int) uint32 {
	b := make([]byte, 0, n+8)
	for _, bits := range e.Ptrs {
		b = binary.LittleEndian.AppendUint64(b, bits)
	}
	return w.intern(b[:alignUp(int64(n), wordSize)])
}
