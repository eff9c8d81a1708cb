package vm

import (
	"encoding/binary"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// Offsets in internal/abi.ITab.
const (
	itabInter = 0
	itabType  = 8
	itabHash  = 16
	itabFun   = 24
)

// An itabKey is an interface type and a concrete type, both of the program:
// reflect makes no interface types, and the methods of its types are refused.
type itabKey struct{ iface, typ int32 }

// An itabEntry is what is known of a pair: its itab, or the first method that is
// missing.
type itabEntry struct {
	itab    mem.Ptr
	missing string
}

// initItabs notes the itabs of the program.
func (m *Machine) initItabs() {
	m.rt.itabs = make(map[itabKey]itabEntry, 2*len(m.Prog.Itabs))
	for _, t := range m.Prog.Itabs {
		key := itabKey{int32(t.Iface), int32(t.Type)}
		m.rt.itabs[key] = itabEntry{itab: mem.Ptr(bytecode.StaticPtr(bytecode.ObjItabs, t.Off))}
	}
}

// itab finds or builds the itab of a pair of types. If the concrete type does not
// implement the interface it returns 0 and the name of a missing method. An itab
// is no part of a state: it is determined by its types.
func (m *Machine) itab(iface, typ int) (mem.Ptr, string) {
	if e := &m.rt.lastItab; e.iface == int32(iface) && e.typ == int32(typ) && e.itab != 0 {
		return e.itab, ""
	}
	key := itabKey{int32(iface), int32(typ)}
	e, ok := m.rt.itabs[key]
	if !ok {
		e = m.newItab(iface, typ)
		m.rt.itabs[key] = e
	}
	m.rt.lastItab = lastItab{key, e.itab}
	return e.itab, e.missing
}

// A lastItab is the itab that was asked for last: loops ask for one again and
// again.
type lastItab struct {
	itabKey
	itab mem.Ptr
}

// newItab builds an itab. The methods of both types have the same order.
func (m *Machine) newItab(iface, typ int) itabEntry {
	it, t := m.rt.types[iface], m.rt.types[typ]
	funs := make([]uint64, len(it.IMethods))
	at := 0
	for i, im := range it.IMethods {
		for at < len(t.Methods) && !implements(&t.Methods[at], &im) {
			at++
		}
		if at == len(t.Methods) {
			return itabEntry{missing: im.Name}
		}
		funs[i] = bytecode.CodeWord(t.Methods[at].Ifn)
		at++
	}
	identity := binary.LittleEndian.AppendUint32([]byte("itab"), uint32(iface))
	identity = binary.LittleEndian.AppendUint32(identity, uint32(typ))
	size := uint64(itabFun + 8*len(funs))
	p := m.Heap.AllocStatic(0, size, identity)
	if p == 0 {
		m.rt.oom = true
		m.pollSoon()
		return itabEntry{missing: it.IMethods[0].Name}
	}
	a := m.Heap.Write(p, uint32(size))
	*(*mem.Ptr)(unsafe.Add(a, itabInter)) = staticDesc(it)
	*(*mem.Ptr)(unsafe.Add(a, itabType)) = staticDesc(t)
	*(*uint32)(unsafe.Add(a, itabHash)) = uint32(typ) + 1
	copy(unsafe.Slice((*uint64)(unsafe.Add(a, itabFun)), len(funs)), funs)
	m.Heap.SetReadOnly(p.Obj())
	return itabEntry{itab: p}
}

func implements(t *bytecode.Method, im *bytecode.IMethod) bool {
	return t.Name == im.Name && t.PkgPath == im.PkgPath && t.Type == im.Type
}

// isItab tells an itab from a type descriptor in the first word of an interface:
// itabs are fixed or static objects, descriptors are in ObjTypes or on the heap.
func (m *Machine) isItab(w mem.Ptr) bool {
	return w.Obj() == bytecode.ObjItabs || m.Heap.IsStatic(w.Obj())
}

// descOf is the type descriptor of an interface value with first word w, be that
// a descriptor, an itab or nil.
func (m *Machine) descOf(w mem.Ptr) mem.Ptr {
	if w.Obj() != bytecode.ObjTypes && m.isItab(w) {
		return m.wordAt(w + itabType)
	}
	return w
}

// ifaceType is the dynamic type of an interface value that is not nil.
func (m *Machine) ifaceType(w mem.Ptr) *bytecode.Type { return m.typeOf(m.descOf(w)) }

// IfaceType is the dynamic type of an interface value by its first word, which
// may be a type descriptor or an itab. It is nil for a nil interface.
func (m *Machine) IfaceType(w mem.Ptr) *bytecode.Type {
	if w == 0 {
		return nil
	}
	return m.ifaceType(w)
}

// Itab is the itab of an interface type and a concrete type, 0 and the name of
// a missing method if there is none.
func (m *Machine) Itab(iface, typ int) (mem.Ptr, string) {
	if typ >= len(m.Prog.Types) {
		return 0, m.rt.types[iface].IMethods[0].Name
	}
	return m.itab(iface, typ)
}

// IfaceWord is the first word of a value of interface type iface whose dynamic
// type has the given descriptor. It is 0, with the name of a missing method, if
// the type does not implement the interface.
func (m *Machine) IfaceWord(iface int, desc mem.Ptr) (w mem.Ptr, missing string) {
	if len(m.rt.types[iface].IMethods) == 0 {
		return desc, ""
	}
	typ := m.TypeIndex(desc)
	if typ >= len(m.Prog.Types) && m.madeMethods(desc, m.rt.types[iface].IMethods) {
		m.Unsupported(m.cur, "methods of "+m.rt.types[typ].Str+", a type that reflect.StructOf made")
		m.pollSoon()
	}
	return m.Itab(iface, typ)
}

// madeMethods says whether a type made at run time has methods of all these
// names: reflect.StructOf gives it those of an embedded field.
func (m *Machine) madeMethods(desc mem.Ptr, want []bytecode.IMethod) bool {
	const structHead, mcount, moff, methodSize = 80, 4, 8, 16
	b, ok := m.view(desc, structHead+uncommonSize)
	if !ok || bytecode.Kind(b[abiKind]) != bytecode.Struct || b[abiTFlag]&tflagUncommon == 0 {
		return false
	}
	n := uint64(binary.LittleEndian.Uint16(b[structHead+mcount:]))
	at := binary.LittleEndian.Uint32(b[structHead+moff:])
	methods, ok := m.view(desc+structHead+mem.Ptr(at), n*methodSize)
	if !ok {
		return false
	}
	for i := uint64(0); i < n && len(want) > 0; i++ {
		off := int32(binary.LittleEndian.Uint32(methods[i*methodSize:]))
		if name, _, _ := m.readName(m.Ref(-1 - int(off))); name == want[0].Name {
			want = want[1:]
		}
	}
	return len(want) == 0
}
