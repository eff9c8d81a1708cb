package compile

import (
	"encoding/binary"
	"go/token"
	"reflect"
	"testing"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// A comparison walks native descriptors and those of an image in step.
type comparison struct {
	t     *testing.T
	table *typeTable
	prog  *bytecode.Program
	seen  map[reflect.Type]uint64
	back  map[uint64]reflect.Type
}

// A view reads a descriptor of the image.
type view struct {
	c   *comparison
	off uint32
}

func (v view) u8(o uint32) uint8   { return v.c.prog.TypeImage[v.off+o] }
func (v view) u16(o uint32) uint16 { return binary.LittleEndian.Uint16(v.c.prog.TypeImage[v.off+o:]) }
func (v view) u32(o uint32) uint32 { return binary.LittleEndian.Uint32(v.c.prog.TypeImage[v.off+o:]) }
func (v view) u64(o uint32) uint64 { return binary.LittleEndian.Uint64(v.c.prog.TypeImage[v.off+o:]) }

// at follows a static pointer into the image.
func (v view) at(p uint64) view {
	if p == 0 {
		return view{v.c, 0}
	}
	if p>>32 != bytecode.ObjTypes || uint32(p) < firstDesc || int(uint32(p)) >= len(v.c.prog.TypeImage) {
		v.c.t.Fatalf("pointer %#x leaves the image", p)
	}
	return view{v.c, uint32(p)}
}

// An abiName is a decoded abi.Name.
type abiName struct {
	name, tag, pkg     string
	exported, embedded bool
}

func (v view) name(off uint32) abiName {
	if off == 0 {
		return abiName{}
	}
	b := v.c.prog.TypeImage[off:]
	n := abiName{exported: b[0]&1 != 0, embedded: b[0]&8 != 0}
	flags := b[0]
	text := func() string {
		l, k := binary.Uvarint(b)
		s := string(b[k : k+int(l)])
		b = b[k+int(l):]
		return s
	}
	b = b[1:]
	n.name = text()
	if flags&2 != 0 {
		n.tag = text()
	}
	if flags&4 != 0 {
		n.pkg = v.name(binary.LittleEndian.Uint32(b)).name
	}
	return n
}

// native gives the address of a native descriptor.
func native(rt reflect.Type) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&rt))[1] }

func (c *comparison) same(path, what string, got, want any) {
	c.t.Helper()
	if !reflect.DeepEqual(got, want) {
		c.t.Errorf("%s: %s: got %v want %v", path, what, got, want)
	}
}

func (c *comparison) compare(rt reflect.Type, ptr uint64, path string) {
	if p, ok := c.seen[rt]; ok {
		c.same(path, "identity", ptr, p)
		return
	}
	if other, ok := c.back[ptr]; ok {
		c.same(path, "identity", other, rt)
		return
	}
	c.seen[rt], c.back[ptr] = ptr, rt
	v := view{c: c}.at(ptr)
	if v.off == 0 {
		c.t.Errorf("%s: no descriptor", path)
		return
	}
	c.common(rt, v, path)
	c.methods(rt, v, path)
	elem := func() { c.compare(rt.Elem(), v.u64(abiType), path+".elem") }
	switch rt.Kind() {
	case reflect.Pointer, reflect.Slice:
		elem()
	case reflect.Array:
		elem()
		c.compare(reflect.SliceOf(rt.Elem()), v.u64(abiType+8), path+".slice")
		c.same(path, "length", v.u64(abiType+16), uint64(rt.Len()))
	case reflect.Chan:
		elem()
		c.same(path, "direction", v.u64(abiType+8), uint64(rt.ChanDir()))
	case reflect.Map:
		c.compare(rt.Key(), v.u64(abiType), path+".key")
		c.compare(rt.Elem(), v.u64(abiType+8), path+".elem")
		want := (*[14]uint64)(native(rt))
		for k, what := range map[int]string{10: "group size", 11: "slot size", 12: "element offset"} {
			c.same(path, what, v.u64(uint32(8*k)), want[k])
		}
		c.same(path, "map flags", v.u32(abiType+56), uint32(want[13]))
	case reflect.Func:
		c.function(rt, v, path)
	case reflect.Struct:
		c.structure(rt, v, path)
	case reflect.Interface:
		c.iface(rt, v, path)
	}
}

func (c *comparison) common(rt reflect.Type, v view, path string) {
	n := native(rt)
	raw := func(o uintptr) uint8 { return *(*uint8)(unsafe.Add(n, o)) }
	index := int(v.u32(16)) - 1
	e := c.table.entries[index]
	c.same(path, "index", e.Desc, v.off)
	c.same(path, "string", e.Str, rt.String())
	c.same(path, "name", e.Name, rt.Name())
	if rt.Name() != "" {
		c.same(path, "package", e.PkgPath, rt.PkgPath())
	}
	c.same(path, "comparable", e.Flags&bytecode.FlagComparable != 0, rt.Comparable())
	c.same(path, "size", v.u64(0), uint64(rt.Size()))
	ptrBytes := *(*uint64)(unsafe.Add(n, 8))
	c.same(path, "pointer bytes", v.u64(8), ptrBytes)
	c.same(path, "flags", v.u8(20), raw(20))
	c.same(path, "alignment", v.u8(21), raw(21))
	c.same(path, "field alignment", v.u8(22), raw(22))
	c.same(path, "kind", v.u8(23), uint8(rt.Kind()))
	c.same(path, "has equal", v.u64(24) != 0, *(*unsafe.Pointer)(unsafe.Add(n, 24)) != nil)
	str := v.name(v.u32(40))
	if v.u8(20)&tflagExtraStar != 0 {
		str.name = str.name[1:]
	}
	c.same(path, "encoded string", str.name, rt.String())
	if v.u8(20)&tflagGCMaskOnDemand == 0 && ptrBytes > 0 {
		mask := v.at(v.u64(32))
		want := unsafe.Slice(*(**byte)(unsafe.Add(n, 32)), (ptrBytes/8+7)/8)
		words := make([]byte, len(want))
		typeWords(rt, 0, words)
		for k, b := range want {
			c.same(path, "pointer mask", mask.u8(uint32(k)), b|words[k])
		}
	}
	if p := v.u32(44); p != 0 {
		c.compare(reflect.PointerTo(rt), bytecode.StaticPtr(bytecode.ObjTypes, p), path+".pointer")
	} else if rt.Kind() != reflect.Pointer && (rt.Kind() != reflect.Chan || rt.Name() != "") {
		c.t.Errorf("%s: no pointer type", path)
	}
}

// typeWords marks the first words of interfaces. To gc they are no pointers,
// since descriptors and itabs are never freed; here those that reflection makes
// are objects like any other.
func typeWords(rt reflect.Type, off uintptr, mask []byte) {
	switch rt.Kind() {
	case reflect.Interface:
		mask[off/64] |= 1 << (off / 8 % 8)
	case reflect.Array:
		for i := range rt.Len() {
			typeWords(rt.Elem(), off+uintptr(i)*rt.Elem().Size(), mask)
		}
	case reflect.Struct:
		for i := range rt.NumField() {
			typeWords(rt.Field(i).Type, off+rt.Field(i).Offset, mask)
		}
	}
}

// methods compares the exported methods, which reflection shows, and checks the
// order and the code of all.
func (c *comparison) methods(rt reflect.Type, v view, path string) {
	if v.u8(20)&tflagUncommon == 0 {
		return
	}
	e := c.table.entries[v.u32(16)-1]
	u := view{c, v.off + headSize(e.Kind)}
	c.same(path, "uncommon package", v.name(u.u32(0)).name != "" && rt.Name() != "", rt.PkgPath() != "")
	if rt.Kind() == reflect.Interface {
		return
	}
	c.same(path, "methods", int(u.u16(6)), rt.NumMethod())
	c.same(path, "method table", int(u.u16(4)), len(e.Methods))
	for k := range int(u.u16(4)) {
		m := view{c, u.off + u.u32(8) + 16*uint32(k)}
		name := v.name(m.u32(0))
		c.same(path, "method name", name.name, e.Methods[k].Name)
		c.same(path, "method exported", name.exported, token.IsExported(name.name))
		if m.u32(8) == 0 || m.u32(12) == 0 || m.u32(8) != uint32(e.Methods[k].Ifn+1) {
			c.t.Errorf("%s: method %s has no code", path, name.name)
		}
		if k >= rt.NumMethod() {
			continue
		}
		want := rt.Method(k)
		c.same(path, "method name", name.name, want.Name)
		in := make([]reflect.Type, 0, want.Type.NumIn())
		for i := 1; i < want.Type.NumIn(); i++ {
			in = append(in, want.Type.In(i))
		}
		out := make([]reflect.Type, 0, want.Type.NumOut())
		for i := range want.Type.NumOut() {
			out = append(out, want.Type.Out(i))
		}
		sig := reflect.FuncOf(in, out, want.Type.IsVariadic())
		f := view{c, m.u32(4)}
		c.same(path, "method type", f.c.table.entries[f.u32(16)-1].Str, sig.String())
		c.function(sig, f, path+"."+want.Name)
	}
}

func (c *comparison) function(rt reflect.Type, v view, path string) {
	c.same(path, "parameters", int(v.u16(abiType)), rt.NumIn())
	out := uint16(rt.NumOut())
	if rt.IsVariadic() {
		out |= 1 << 15
	}
	c.same(path, "results", v.u16(abiType+2), out)
	at := uint32(abiType + 8)
	if v.u8(20)&tflagUncommon != 0 {
		at += abiUncommon
	}
	for i := range rt.NumIn() {
		c.compare(rt.In(i), v.u64(at), path+".in")
		at += 8
	}
	for i := range rt.NumOut() {
		c.compare(rt.Out(i), v.u64(at), path+".out")
		at += 8
	}
}

func (c *comparison) structure(rt reflect.Type, v view, path string) {
	c.same(path, "fields", int(v.u64(abiType+16)), rt.NumField())
	for i := range rt.NumField() {
		want := rt.Field(i)
		f := v.at(v.u64(abiType + 8))
		f.off += abiField * uint32(i)
		n := v.name(uint32(f.u64(0)))
		p := path + "." + want.Name
		c.same(p, "name", n, abiName{name: want.Name, tag: string(want.Tag), exported: want.IsExported(), embedded: want.Anonymous})
		if !want.IsExported() {
			c.same(p, "package", v.name(uint32(v.u64(abiType))).name, want.PkgPath)
		}
		c.same(p, "offset", f.u64(16), uint64(want.Offset))
		c.compare(want.Type, f.u64(8), p)
	}
}

func (c *comparison) iface(rt reflect.Type, v view, path string) {
	c.same(path, "methods", int(v.u64(abiType+16)), rt.NumMethod())
	own := v.name(uint32(v.u64(abiType))).name
	for i := range rt.NumMethod() {
		want := rt.Method(i)
		m := v.at(v.u64(abiType + 8))
		m.off += abiImethod * uint32(i)
		n := v.name(m.u32(0))
		if !n.exported && n.pkg == "" {
			n.pkg = own
		}
		c.same(path, "method", n, abiName{name: want.Name, pkg: want.PkgPath, exported: want.IsExported()})
		c.compare(want.Type, bytecode.StaticPtr(bytecode.ObjTypes, m.u32(4)), path+"."+want.Name)
	}
}
