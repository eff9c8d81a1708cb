package vm

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A descriptor writes internal/abi.Type objects as package reflect makes them.
type descriptor struct{ w *world }

func (d descriptor) make(kind reflect.Kind, size, extra int, comparable bool) mem.Ptr {
	p := d.w.m.AllocBytes(abiEnd + extra)
	a := d.w.m.Heap.Write(p, abiEnd)
	*(*uint64)(a) = uint64(size)
	*(*uint8)(unsafe.Add(a, abiAlign)) = 8
	*(*uint8)(unsafe.Add(a, abiKind)) = uint8(kind)
	if comparable {
		*(*uint64)(unsafe.Add(a, abiEqual)) = 1
	}
	return p
}

func (d descriptor) set(p mem.Ptr, off int, v uint64) { d.w.m.Heap.Store64(p+mem.Ptr(off), v) }

func TestTypesMadeAtRunTime(t *testing.T) {
	w := newWorld(t, Options{}, "", 0, (*int)(nil))
	m, d := w.m, descriptor{w}
	str, num := m.Desc(w.of("")), m.Desc(w.of(0))

	sl := d.make(reflect.Slice, 24, 8, false)
	d.set(sl, abiEnd, uint64(str))
	arr := d.make(reflect.Array, 48, 24, true)
	d.set(arr, abiEnd, uint64(str))
	d.set(arr, abiThird, 3)
	mp := d.make(reflect.Map, 8, 80, false)
	d.set(mp, abiEnd, uint64(arr))
	d.set(mp, abiSecond, uint64(sl))
	fn := d.make(reflect.Func, 8, 8+4*8, false)
	d.set(fn, abiEnd, 2|(2|1<<15)<<16)
	for i, p := range []mem.Ptr{num, sl, str, mp} {
		d.set(fn, abiSecond+8*i, uint64(p))
	}
	name := m.NewString("\x03\x01A\x06k:\"v\" ")
	fields := m.AllocBytes(48)
	d.set(fields, 0, uint64(name))
	d.set(fields, 8, uint64(num))
	d.set(fields, 24, uint64(m.NewString("\x01\x02Bc")))
	d.set(fields, 32, uint64(sl))
	d.set(fields, 40, 8)
	st := d.make(reflect.Struct, 32, 32, false)
	d.set(st, abiSecond, uint64(fields))
	d.set(st, abiThird, 2)

	for _, c := range []struct {
		desc mem.Ptr
		str  string
		ptrs uint64
	}{
		{sl, "[]string", 1}, {arr, "[3]string", 0b10101}, {mp, "map[[3]string][]string", 1},
		{fn, "func(int, ...string) (string, map[[3]string][]string)", 1},
		{st, `struct { A int "k:\"v\" "; Bc []string }`, 0b10}, {str, "string", 1},
	} {
		typ := m.TypeOf(c.desc)
		if typ.Str != c.str || len(typ.Ptrs) != 1 || typ.Ptrs[0] != c.ptrs {
			t.Errorf("got %s with pointers %b, want %s with %b", typ.Str, typ.Ptrs, c.str, c.ptrs)
		}
		if i := m.TypeIndex(c.desc); m.Desc(i) != c.desc || m.Type(i) != typ {
			t.Errorf("%s: index %d leads elsewhere", c.str, i)
		}
	}
	if m.TypeOf(arr).Flags&bytecode.FlagComparable == 0 || m.TypeOf(st).Flags&bytecode.FlagComparable != 0 {
		t.Errorf("comparable: array %b, struct %b", m.TypeOf(arr).Flags, m.TypeOf(st).Flags)
	}

	// A map of such a type works.
	key := m.AllocBytes(48)
	n := m.NewMap(m.TypeIndex(mp), 0)
	elem, bad := m.MapAssign(m.TypeIndex(mp), n, key)
	if again, _ := m.MapAccess(m.TypeIndex(mp), n, key); elem == 0 || bad != nil || again != elem {
		t.Errorf("assigned at %v (%v), found at %v", elem, bad, again)
	}
	m.forgetDynamicTypes()
	if len(m.rt.types) != len(m.Prog.Types) {
		t.Errorf("types are left after forgetDynamicTypes")
	}
	if m.TypeOf(fn).Str == "" {
		t.Errorf("a dropped type is not read again")
	}
	if m.TypeIndex(0) != -1 || m.TypeOf(mem.MakePtr(1<<20, 0)) != invalidType {
		t.Errorf("a wild pointer has a type")
	}
}
