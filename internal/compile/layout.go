package compile

import (
	"go/types"
	"math"
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

const (
	wordSize = 8

	// maxMask bounds the size of types that get a pointer bitmap. Larger ones are
	// array types that exist for pointer casts, as *[1<<30]T, and are never allocated.
	maxMask = 16 << 20

	iterWords = 4 // of go/ssa's iterators: a map's has four words, a string's three
)

var basicKinds = map[types.BasicKind]bytecode.Kind{
	types.Bool: bytecode.Bool, types.Int: bytecode.Int, types.Int8: bytecode.Int8,
	types.Int16: bytecode.Int16, types.Int32: bytecode.Int32, types.Int64: bytecode.Int64,
	types.Uint: bytecode.Uint, types.Uint8: bytecode.Uint8, types.Uint16: bytecode.Uint16,
	types.Uint32: bytecode.Uint32, types.Uint64: bytecode.Uint64, types.Uintptr: bytecode.Uintptr,
	types.Float32: bytecode.Float32, types.Float64: bytecode.Float64,
	types.Complex64: bytecode.Complex64, types.Complex128: bytecode.Complex128,
	types.String: bytecode.String, types.UnsafePointer: bytecode.UnsafePointer,
}

var basicRegs = map[bytecode.Kind]bytecode.Reg{
	bytecode.Bool: bytecode.RegU8, bytecode.Int8: bytecode.RegS8, bytecode.Uint8: bytecode.RegU8,
	bytecode.Int16: bytecode.RegS16, bytecode.Uint16: bytecode.RegU16,
	bytecode.Int32: bytecode.RegS32, bytecode.Uint32: bytecode.RegU32, bytecode.Float32: bytecode.RegU32,
	bytecode.String: bytecode.RegCopy, bytecode.Complex128: bytecode.RegCopy,
}

// fill notes what a type is made of and registers its parts.
func (t *typeTable) fill(e *entry) {
	switch typ := e.typ.(type) {
	case *types.Named:
		e.Flags |= bytecode.FlagNamed
	case *types.Basic:
		if typ.Kind() != types.Invalid {
			e.Flags |= bytecode.FlagNamed
		}
	}
	if isIterator(e.typ) {
		e.Flags = 0
		return
	}
	switch u := e.typ.Underlying().(type) {
	case *types.Basic:
		e.Kind = basicKinds[u.Kind()]
	case *types.Pointer:
		e.Kind, e.Elem = bytecode.Pointer, t.intern(u.Elem())
	case *types.Slice:
		e.Kind, e.Elem = bytecode.Slice, t.intern(u.Elem())
	case *types.Array:
		e.Kind, e.Elem, e.Len = bytecode.Array, t.intern(u.Elem()), u.Len()
	case *types.Chan:
		e.Kind, e.Elem = bytecode.Chan, t.intern(u.Elem())
		e.Len = [...]int64{types.SendRecv: 3, types.SendOnly: 2, types.RecvOnly: 1}[u.Dir()]
	case *types.Map:
		e.Kind, e.Key, e.Elem = bytecode.MapKind, t.intern(u.Key()), t.intern(u.Elem())
	case *types.Signature:
		e.Kind = bytecode.FuncKind
		if u.Variadic() {
			e.Flags |= bytecode.FlagVariadic
		}
		for v := range u.Params().Variables() {
			e.In = append(e.In, t.intern(v.Type()))
		}
		for v := range u.Results().Variables() {
			e.Out = append(e.Out, t.intern(v.Type()))
		}
	case *types.Struct:
		e.Kind = bytecode.Struct
		for i := range u.NumFields() {
			f := u.Field(i)
			e.Fields = append(e.Fields, bytecode.Field{
				Name: f.Name(), PkgPath: privatePath(f), Type: t.intern(f.Type()),
				Tag: u.Tag(i), Embedded: f.Embedded(),
			})
		}
	case *types.Interface:
		e.Kind = bytecode.Interface
		for _, m := range interfaceMethods(u) {
			e.IMethods = append(e.IMethods, bytecode.IMethod{
				Name: m.Name(), PkgPath: privatePath(m), Type: t.intern(m.Type()),
			})
		}
	case *types.Tuple:
		for v := range u.Variables() {
			e.Fields = append(e.Fields, bytecode.Field{Type: t.intern(v.Type())})
		}
	}
}

// interfaceMethods is the method set of an interface in itab order.
func interfaceMethods(u *types.Interface) []*types.Func {
	ms := slices.Collect(u.Methods())
	slices.SortFunc(ms, compareMethods)
	return ms
}

// methodNumber is the position of a method in the itabs of an interface type.
func (t *typeTable) methodNumber(iface types.Type, m *types.Func) int {
	name, path := m.Name(), privatePath(m)
	return slices.IndexFunc(t.of(iface).IMethods, func(im bytecode.IMethod) bool {
		return im.Name == name && im.PkgPath == path
	})
}

// layOut computes size, alignment, register form, pointer bitmap and the flags
// that depend on them. Sizes depend on those of array elements and fields only,
// so the recursion ends.
func (t *typeTable) layOut(i int) *entry {
	e := t.entries[i]
	if e.laidOut {
		return e
	}
	e.laidOut = true
	e.Align, e.Reg = wordSize, bytecode.Reg64
	plain := bytecode.FlagComparable | bytecode.FlagPlainEq
	switch e.Kind {
	case bytecode.Pointer, bytecode.Chan, bytecode.UnsafePointer:
		e.Flags |= plain
		t.setPointers(e, wordSize, 0)
	case bytecode.FuncKind, bytecode.MapKind:
		t.setPointers(e, wordSize, 0)
	case bytecode.String:
		e.Flags |= bytecode.FlagComparable
		t.setPointers(e, 2*wordSize, 0)
	case bytecode.Slice:
		t.setPointers(e, 3*wordSize, 0)
	case bytecode.Interface:
		e.Flags |= bytecode.FlagComparable
		t.setPointers(e, 2*wordSize, 0, 1)
	case bytecode.Array:
		t.layOutArray(e)
	case bytecode.Struct:
		t.layOutStruct(e)
	case bytecode.Invalid:
		t.layOutOther(e)
	default:
		e.size = t.sizes.Sizeof(e.typ)
		e.Align = uint8(t.sizes.Alignof(e.typ))
		e.Flags |= bytecode.FlagComparable
		if e.Kind < bytecode.Float32 {
			e.Flags |= bytecode.FlagPlainEq
		}
	}
	e.ptrs = e.ptrEnd > 0
	if e.ptrEnd == wordSize && e.size == wordSize {
		e.Flags |= bytecode.FlagDirect
	}
	e.Size = uint32(min(uint64(e.size), math.MaxUint32))
	e.Words = uint16(min((uint64(e.size)+wordSize-1)/wordSize, math.MaxUint16))
	switch r, ok := basicRegs[e.Kind]; {
	case ok:
		e.Reg = r
	case e.size == 0:
		e.Reg = bytecode.RegNone
	case e.Kind == bytecode.Struct, e.Kind == bytecode.Array, e.Kind == bytecode.Slice,
		e.Kind == bytecode.Interface, e.Kind == bytecode.Invalid:
		e.Reg = bytecode.RegCopy
	}
	return e
}

// setPointers gives a type its size and pointer words.
func (t *typeTable) setPointers(e *entry, size int64, words ...int64) {
	e.size = size
	for _, w := range words {
		e.ptrEnd = (w + 1) * wordSize
		e.addMask(w*wordSize, 1)
	}
}

func (t *typeTable) layOutArray(e *entry) {
	elem := t.layOut(e.Elem)
	e.Align = elem.Align
	e.Flags |= elem.Flags & (bytecode.FlagComparable | bytecode.FlagPlainEq)
	if elem.size > 0 && e.Len > math.MaxInt64/elem.size {
		e.size = math.MaxInt64
	} else {
		e.size = elem.size * e.Len
	}
	if e.Len == 0 || !elem.ptrs {
		return
	}
	e.ptrEnd = e.size - elem.size + elem.ptrEnd
	if e.size <= maxMask {
		for k := range e.Len {
			e.addMask(k*elem.size, elem.Ptrs...)
		}
	}
}

func (t *typeTable) layOutStruct(e *entry) {
	e.Align = 1
	if len(e.Fields) == 0 && isAlign64(e.typ) {
		e.Align = 8
	}
	e.Flags |= bytecode.FlagComparable | bytecode.FlagPlainEq
	var off int64
	for k := range e.Fields {
		f := &e.Fields[k]
		ft := t.layOut(f.Type)
		e.Align = max(e.Align, ft.Align)
		start := alignUp(off, int64(ft.Align))
		if start != off || f.Name == "_" {
			e.Flags &^= bytecode.FlagPlainEq
		}
		e.Flags &= ft.Flags | ^(bytecode.FlagComparable | bytecode.FlagPlainEq)
		f.Off = uint32(min(start, math.MaxUint32))
		off = start + ft.size
		if off < 0 {
			off = math.MaxInt64 - wordSize
		}
		if ft.ptrs {
			e.ptrEnd = start + ft.ptrEnd
			if off <= maxMask {
				e.addMask(start, ft.Ptrs...)
			}
		}
		// A pointer to a last field of size zero must not point behind the struct.
		if k == len(e.Fields)-1 && ft.size == 0 && off > 0 {
			off++
			e.Flags &^= bytecode.FlagPlainEq
		}
	}
	e.size = alignUp(off, int64(e.Align))
	if e.size != off {
		e.Flags &^= bytecode.FlagPlainEq
	}
	if e.size > maxMask {
		e.Ptrs = nil
	}
}

// layOutOther lays out what is no type of the language: a tuple has its
// components' registers one after the other; an iterator has room for the larger
// kind of the two; the rest has no words.
func (t *typeTable) layOutOther(e *entry) {
	e.Align = wordSize
	switch e.typ.(type) {
	case *types.Tuple:
		for k := range e.Fields {
			f := &e.Fields[k]
			ft := t.layOut(f.Type)
			f.Off = uint32(e.size)
			if ft.ptrs {
				e.ptrEnd = e.size + ft.ptrEnd
				e.addMask(e.size, ft.Ptrs...)
			}
			e.size += int64(ft.Words) * wordSize
		}
	default:
		if isIterator(e.typ) {
			t.setPointers(e, iterWords*wordSize, 0)
		}
	}
}

// isIterator recognises the type that go/ssa gives to the iterator of a range
// statement.
func isIterator(typ types.Type) bool {
	n, ok := typ.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "$ssa" && n.Obj().Name() == "rangeIter"
}

// addMask joins a bitmap into the type's at a byte offset, a multiple of eight.
func (e *entry) addMask(off int64, mask ...uint64) {
	first := int(off / wordSize)
	for w, bits := range mask {
		if bits == 0 {
			continue
		}
		at, shift := first/64+w, uint(first%64)
		e.orMask(at, bits<<shift)
		if high := bits >> (64 - shift); shift > 0 && high != 0 {
			e.orMask(at+1, high)
		}
	}
}

func (e *entry) orMask(at int, bits uint64) {
	if bits == 0 {
		return
	}
	for len(e.Ptrs) <= at {
		e.Ptrs = append(e.Ptrs, 0)
	}
	e.Ptrs[at] |= bits
}

func alignUp(n, align int64) int64 { return (n + align - 1) &^ (align - 1) }

// isAlign64 recognises the empty struct type by which the atomic packages ask
// for an alignment of eight.
func isAlign64(typ types.Type) bool {
	n, ok := typ.(*types.Named)
	if !ok || n.Obj().Name() != "align64" || n.Obj().Pkg() == nil {
		return false
	}
	path := n.Obj().Pkg().Path()
	return path == "sync/atomic" || path == "internal/runtime/atomic"
}
