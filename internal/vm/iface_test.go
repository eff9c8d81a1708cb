package vm

import (
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

func TestBoxAndAssert(t *testing.T) {
	x := new(int)
	values := []any{
		int8(-1), uint8(200), int16(-300), uint16(65535), int32(-70000), uint32(1 << 31), -1, 5, 255, 256, true,
		float32(1.5), 2.5, math.Copysign(0, -1), complex64(complex(1, 2)), complex(3, 4), "text", "", x,
		[]int{1, 2}, [3]byte{1, 2, 3}, struct{}{}, holes{A: 1, B: 2, C: "c"}, [1]*int{x}, bytes40{1, 2, 3}, pair{1, 2},
	}
	w := newWorld(t, Options{}, values...)
	src := w.index[reflect.TypeFor[any]()]
	other := w.of("")
	for _, v := range values {
		typ := w.of(v)
		tt := w.m.rt.types[typ]
		w.m.Prog.Ifaces = []bytecode.Iface{{Word: uint64(staticDesc(tt)), Type: typ}}
		w.m.Prog.Asserts = []bytecode.Assert{{Src: src, Target: typ}, {Src: src, Target: other}}
		w.put(40, v)
		want := append([]uint64(nil), w.frame[40:40+tt.Words]...)
		w.do((*Machine).opMkiface, bytecode.Instr{A: 40, B: 40, Imm: 0}) // in place
		for i := range 12 {
			w.frame[10+i] = 0xdead
		}
		w.do((*Machine).opAssert, bytecode.Instr{A: 10, B: 40, C: 1, Imm: 0})
		got := w.frame[10 : 10+tt.Words]
		if !reflect.DeepEqual(append([]uint64(nil), got...), want) || w.frame[10+tt.Words] != 1 {
			t.Errorf("%T: got %x, want %x, then 1", v, w.frame[10:10+tt.Words+1], want)
		}
		if typ != other {
			w.do((*Machine).opAssert, bytecode.Instr{A: 10, B: 40, C: 1, Imm: 1})
			if w.frame[10]|w.frame[11]|w.frame[12] != 0 {
				t.Errorf("%T is a string: %x", v, w.frame[10:13])
			}
		}
	}
}

// newMethodWorld has types 0: interface {M(); m()}, 1: a type with both, 2: one
// whose M has another signature, 3: one without m, 4: the empty interface, 5: a
// signature, 6: another one.
func newMethodWorld(t *testing.T) *Machine {
	im := []bytecode.IMethod{{Name: "M", Type: 5}, {Name: "m", PkgPath: "p", Type: 5}}
	method := func(name, path string, typ, fn int) bytecode.Method {
		return bytecode.Method{Name: name, PkgPath: path, Type: typ, Ifn: fn, Tfn: fn}
	}
	prog := &bytecode.Program{
		TypeImage: make([]byte, 64*8),
		ItabImage: make([]byte, 64),
		Itabs:     []bytecode.Itab{{Iface: 0, Type: 6, Off: 8}},
		Types: []bytecode.Type{
			{Kind: bytecode.Interface, Str: "p.I", IMethods: im},
			{Kind: bytecode.Pointer, Str: "*p.A", Methods: []bytecode.Method{
				method("L", "", 5, 9), method("M", "", 5, 1), method("N", "", 5, 9), method("m", "o", 5, 9), method("m", "p", 5, 2),
			}},
			{Kind: bytecode.Pointer, Str: "*p.B", Methods: []bytecode.Method{method("M", "", 6, 1), method("m", "p", 5, 2)}},
			{Kind: bytecode.Pointer, Str: "*p.C", Methods: []bytecode.Method{method("M", "", 5, 1), method("m", "o", 5, 2)}},
			{Kind: bytecode.Interface, Str: "interface {}"},
			{Kind: bytecode.FuncKind, Str: "func()"},
			{Kind: bytecode.FuncKind, Str: "func(int)"},
		},
	}
	for i := range prog.Types {
		ty := &prog.Types[i]
		ty.Desc = uint32(64 * (i + 1))
		prog.TypeImage[ty.Desc+abiHash] = byte(i + 1)
		ty.Size, ty.Words, ty.Reg, ty.Elem, ty.Key = 8, 1, bytecode.Reg64, -1, -1
		ty.Flags = bytecode.FlagDirect | bytecode.FlagComparable
	}
	prog.ItabImage[8+itabType+4] = bytecode.ObjTypes
	prog.ItabImage[8+itabType] = 0xc0
	prog.ItabImage[8+itabType+1] = 1 // type 6's descriptor, at 448
	m, err := New(prog, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Heap.Close() })
	return m
}

func TestItabs(t *testing.T) {
	m := newMethodWorld(t)
	p, missing := m.itab(0, 1)
	if p == 0 || missing != "" {
		t.Fatalf("A does not implement I: %q", missing)
	}
	a := m.Heap.Read(p, 40)
	got := *(*[5]uint64)(a)
	want := [5]uint64{uint64(m.Desc(0)), uint64(m.Desc(1)), 2, bytecode.CodeWord(1), bytecode.CodeWord(2)}
	if got != want {
		t.Errorf("itab is %x, want %x", got, want)
	}
	if again, _ := m.itab(0, 1); again != p || m.Heap.Write(p, 8) != nil {
		t.Errorf("second itab is %v, first %v", again, p)
	}
	for typ, want := range map[int]string{2: "M", 3: "m", 5: "M"} {
		for range 2 {
			if p, missing := m.itab(0, typ); p != 0 || missing != want {
				t.Errorf("itab(0, %d) = %v, missing %q, want %q", typ, p, missing, want)
			}
		}
	}
	static := mem.Ptr(bytecode.StaticPtr(bytecode.ObjItabs, 8))
	if p, _ := m.itab(0, 6); p != static {
		t.Errorf("static itab: got %v, want %v", p, static)
	}
	for _, w := range []mem.Ptr{p, m.Desc(1)} {
		if m.IfaceType(w) != m.Type(1) {
			t.Errorf("type of %v is %v", w, m.IfaceType(w))
		}
	}
	if m.IfaceType(static) != m.Type(6) {
		t.Errorf("type of the static itab is %q", m.IfaceType(static).Str)
	}
}

func TestInterfaceToInterface(t *testing.T) {
	m := newMethodWorld(t)
	itab, _ := m.itab(0, 1)
	m.Prog.Asserts = []bytecode.Assert{{Src: 4, Target: 0}, {Src: 0, Target: 4}}
	frame := [8]uint64{uint64(m.Desc(1)), 77}
	fp := unsafe.Pointer(&frame)
	m.opAsserti(&G{}, fp, &bytecode.Instr{A: 2, B: 0, C: 1, Imm: 0})
	if frame[2] != uint64(itab) || frame[3] != 77 || frame[4] != 1 {
		t.Errorf("any to I: got %x", frame[2:5])
	}
	m.opAsserti(&G{}, fp, &bytecode.Instr{A: 5, B: 2, C: 1, Imm: 1})
	if frame[5] != uint64(m.Desc(1)) || frame[6] != 77 || frame[7] != 1 {
		t.Errorf("I to any: got %x", frame[5:8])
	}
	m.opCvtiface(&G{}, fp, &bytecode.Instr{A: 5, B: 2, Imm: 4})
	if frame[5] != uint64(m.Desc(1)) || frame[6] != 77 {
		t.Errorf("I to any: got %x", frame[5:7])
	}
	m.opIfaceeq(&G{}, fp, &bytecode.Instr{A: 7, B: 2, C: 5})
	if frame[7] != 1 {
		t.Errorf("a value is unequal to itself")
	}
	frame[0] = uint64(m.Desc(2))
	m.opAsserti(&G{}, fp, &bytecode.Instr{A: 2, B: 0, C: 1, Imm: 0})
	if frame[2]|frame[3]|frame[4] != 0 {
		t.Errorf("B to I: got %x", frame[2:5])
	}
	frame[0], frame[1] = 0, 0
	m.opCvtiface(&G{}, fp, &bytecode.Instr{A: 2, B: 0, Imm: 0})
	if frame[2]|frame[3] != 0 {
		t.Errorf("nil to I: got %x", frame[2:4])
	}
}

func TestClosure(t *testing.T) {
	w := newWorld(t, Options{})
	w.frame[1], w.frame[2], w.frame[3] = 11, 12, 13
	w.do((*Machine).opMkclosure, bytecode.Instr{A: 0, B: 1, C: 3, Imm: 0})
	got := *(*[4]uint64)(w.m.Heap.Read(memPtr(w.frame[0]), 32))
	if want := [4]uint64{bytecode.CodeWord(0), 11, 12, 13}; got != want {
		t.Errorf("got %x, want %x", got, want)
	}
}
