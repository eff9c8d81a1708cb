package compile

import (
	"go/token"
	"go/types"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// Limits and flags of abi.MapType.
const (
	mapSlots          = 8
	mapMaxInline      = 128
	mapNeedKeyUpdate  = 1
	mapHashMightPanic = 2
	mapIndirectKey    = 4
	mapIndirectElem   = 8
)

// prunedText is the textOff of a method without code. The runtime has the same
// sentinel for code that the linker dropped.
const prunedText = 0xffffffff

// function writes the rest of an abi.FuncType and its parameter array.
func (w *descWriter) function(d uint32, l sections, e *entry) {
	out := uint16(len(e.Out))
	if e.Flags&bytecode.FlagVariadic != 0 {
		out |= 1 << 15
	}
	w.u16(d+abiType, uint16(len(e.In)))
	w.u16(d+abiType+2, out)
	at := d + l.data
	for _, list := range [][]int{e.In, e.Out} {
		for _, p := range list {
			w.typ(at, p)
			at += 8
		}
	}
}

// iface writes the rest of an abi.InterfaceType. A method's name holds its
// package only if that is not the type's own.
func (w *descWriter) iface(d uint32, l sections, e *entry) {
	own := ownPath(e)
	w.ptr(d+abiType, w.path(own))
	w.slice(d+abiType+8, d+l.data, len(e.IMethods))
	for k, m := range e.IMethods {
		at := d + l.data + abiImethod*uint32(k)
		w.u32(at, w.name(m.Name, "", otherPath(m.PkgPath, own), m.PkgPath == "", false))
		w.u32(at+4, w.t.entries[m.Type].Desc)
	}
}

// structure writes the rest of an abi.StructType.
func (w *descWriter) structure(d uint32, l sections, e *entry) {
	for _, f := range e.Fields {
		if f.PkgPath != "" {
			w.ptr(d+abiType, w.path(f.PkgPath))
			break
		}
	}
	w.slice(d+abiType+8, d+l.data, len(e.Fields))
	for k, f := range e.Fields {
		at := d + l.data + abiField*uint32(k)
		w.ptr(at, w.name(f.Name, f.Tag, "", token.IsExported(f.Name), f.Embedded))
		w.typ(at+8, f.Type)
		w.u64(at+16, uint64(f.Off))
	}
}

// slice writes a slice header over part of the image.
func (w *descWriter) slice(off, to uint32, n int) {
	w.ptr(off, to)
	w.u64(off+8, uint64(n))
	w.u64(off+16, uint64(n))
}

// mapping writes the rest of an abi.MapType. The machine has maps of its own, so
// there is no group type and no hasher; the sizes are those of gc's maps.
func (w *descWriter) mapping(d uint32, e *entry) {
	key, elem := w.t.entries[e.Key], w.t.entries[e.Elem]
	flags := uint32(0)
	if w.needKeyUpdate(e.Key) {
		flags |= mapNeedKeyUpdate
	}
	if w.hashMightPanic(e.Key) {
		flags |= mapHashMightPanic
	}
	ksize, kalign := key.size, int64(key.Align)
	if ksize > mapMaxInline {
		ksize, kalign = wordSize, wordSize
		flags |= mapIndirectKey
	}
	esize, ealign := elem.size, int64(elem.Align)
	if esize > mapMaxInline {
		esize, ealign = wordSize, wordSize
		flags |= mapIndirectElem
	}
	elemOff := alignUp(ksize, ealign)
	slot := elemOff + esize
	if esize == 0 && slot > 0 {
		slot++
	}
	slot = alignUp(slot, max(kalign, ealign))
	group := int64(wordSize) + mapSlots*slot
	if slot == 0 {
		group++
	}
	w.typ(d+abiType, e.Key)
	w.typ(d+abiType+8, e.Elem)
	w.u64(d+abiType+32, uint64(alignUp(group, wordSize)))
	w.u64(d+abiType+40, uint64(slot))
	w.u64(d+abiType+48, uint64(elemOff))
	w.u32(d+abiType+56, flags)
}

// needKeyUpdate says whether equal keys may differ, so that an assignment
// replaces the key too.
func (w *descWriter) needKeyUpdate(i int) bool {
	return w.anyPart(i, func(k bytecode.Kind) bool {
		switch k {
		case bytecode.Float32, bytecode.Float64, bytecode.Complex64, bytecode.Complex128,
			bytecode.Interface, bytecode.String:
			return true
		}
		return false
	})
}

func (w *descWriter) hashMightPanic(i int) bool {
	return w.anyPart(i, func(k bytecode.Kind) bool { return k == bytecode.Interface })
}

// anyPart says whether a property holds for a type or for a field or element
// inside it.
func (w *descWriter) anyPart(i int, holds func(bytecode.Kind) bool) bool {
	e := w.t.entries[i]
	switch e.Kind {
	case bytecode.Array:
		return w.anyPart(e.Elem, holds)
	case bytecode.Struct:
		for _, f := range e.Fields {
			if w.anyPart(f.Type, holds) {
				return true
			}
		}
		return false
	}
	return holds(e.Kind)
}

// uncommon writes the abi.UncommonType and the methods.
func (w *descWriter) uncommon(d uint32, l sections, e *entry) {
	own := ownPath(e)
	if e.Flags&bytecode.FlagNamed == 0 {
		switch e.typ.(type) {
		case *types.Pointer, *types.Slice, *types.Array, *types.Chan:
			own = ownPath(w.t.entries[e.Elem])
		}
	}
	exported := 0
	for exported < len(e.Methods) && e.Methods[exported].PkgPath == "" {
		exported++
	}
	u := d + l.uncommon
	w.u32(u, w.path(own))
	w.u16(u+4, uint16(len(e.Methods)))
	w.u16(u+6, uint16(exported))
	w.u32(u+8, l.methods-l.uncommon)
	for k, m := range e.Methods {
		at := d + l.methods + abiMethod*uint32(k)
		w.u32(at, w.name(m.Name, "", otherPath(m.PkgPath, own), m.PkgPath == "", false))
		w.u32(at+4, w.t.entries[m.Type].Desc)
		w.u32(at+8, textOff(m.Ifn))
		w.u32(at+12, textOff(m.Tfn))
	}
}

// textOff is how a method table refers to a function: its number plus one.
func textOff(fn int) uint32 {
	if fn < 0 {
		return prunedText
	}
	return uint32(fn + 1)
}

// ownPath is the package of a declared type, "" for other types.
func ownPath(e *entry) string {
	if e.Flags&bytecode.FlagNamed == 0 {
		return ""
	}
	return e.PkgPath
}

// otherPath is a name's package if it differs from its type's.
func otherPath(path, own string) string {
	if path == own {
		return ""
	}
	return path
}
