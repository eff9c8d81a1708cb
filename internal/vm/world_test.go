package vm

import (
	"encoding/binary"
	"reflect"
	"testing"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A world is a machine with types taken from the host's, and a frame, to hold
// single instructions against what compiled Go does.
type world struct {
	t     testing.TB
	m     *Machine
	g     *G
	index map[reflect.Type]int
	types []reflect.Type
	frame [256]uint64
	noise uint8
}

// newWorld makes a machine that knows the types of the given values and all
// that they are made of.
func newWorld(t testing.TB, opts Options, values ...any) *world {
	w := &world{t: t, g: &G{}, index: map[reflect.Type]int{}}
	prog := &bytecode.Program{TypeImage: make([]byte, 64)}
	for _, v := range append(values, 0, "", []byte(nil), []rune(nil)) {
		w.typ(prog, reflect.TypeOf(v))
	}
	prog.Funcs = []bytecode.Func{{
		Name: "main.f", Code: make([]bytecode.Instr, 1), Frame: 4, Closure: true, FreeMap: []byte{1, 0, 1},
	}}
	prog.Globals = []bytecode.Global{{Name: "main.x", Type: 0}}
	m, err := New(prog, nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Heap.Close() })
	w.m = m
	return w
}

// typ registers a host type.
func (w *world) typ(p *bytecode.Program, rt reflect.Type) int {
	if i, ok := w.index[rt]; ok {
		return i
	}
	i := len(p.Types)
	w.index[rt] = i
	w.types = append(w.types, rt)
	p.Types = append(p.Types, bytecode.Type{})
	t := bytecode.Type{
		Kind: bytecode.Kind(rt.Kind()), Size: uint32(rt.Size()), Align: uint8(rt.Align()),
		Words: uint16((rt.Size() + 7) / 8), Elem: -1, Key: -1, Str: rt.String(), Name: rt.Name(),
		Reg: bytecode.Reg64,
	}
	t.Desc = uint32(len(p.TypeImage))
	desc := make([]byte, 64)
	binary.LittleEndian.PutUint32(desc[abiHash:], uint32(i)+1)
	p.TypeImage = append(p.TypeImage, desc...)
	if rt.Comparable() {
		t.Flags |= bytecode.FlagComparable
	}
	switch rt.Kind() {
	case reflect.Bool, reflect.Uint8:
		t.Reg = bytecode.RegU8
	case reflect.Int8:
		t.Reg = bytecode.RegS8
	case reflect.Uint16:
		t.Reg = bytecode.RegU16
	case reflect.Int16:
		t.Reg = bytecode.RegS16
	case reflect.Uint32, reflect.Float32:
		t.Reg = bytecode.RegU32
	case reflect.Int32:
		t.Reg = bytecode.RegS32
	case reflect.String, reflect.Slice, reflect.Interface, reflect.Complex128, reflect.Array, reflect.Struct:
		t.Reg = bytecode.RegCopy
	}
	if t.Size == 0 {
		t.Reg = bytecode.RegNone
	}
	plain := rt.Kind() >= reflect.Bool && rt.Kind() <= reflect.Uintptr
	switch rt.Kind() {
	case reflect.Pointer, reflect.Chan:
		plain = true
		t.Elem = w.typ(p, rt.Elem())
		t.Ptrs = []uint64{1}
	case reflect.Map:
		t.Key, t.Elem = w.typ(p, rt.Key()), w.typ(p, rt.Elem())
		t.Ptrs = []uint64{1}
	case reflect.String:
		t.Ptrs = []uint64{1}
	case reflect.Slice:
		t.Elem = w.typ(p, rt.Elem())
		t.Ptrs = []uint64{1}
	case reflect.Interface:
		t.Ptrs = []uint64{3}
	case reflect.Array:
		t.Elem, t.Len = w.typ(p, rt.Elem()), int64(rt.Len())
		plain = p.Types[t.Elem].Flags&bytecode.FlagPlainEq != 0
		for k := range uint64(t.Len) {
			addPtrs(&t, k*uint64(p.Types[t.Elem].Size), p.Types[t.Elem].Ptrs)
		}
	case reflect.Struct:
		plain = true
		end := uintptr(0)
		for k := range rt.NumField() {
			f := rt.Field(k)
			ft := w.typ(p, f.Type)
			t.Fields = append(t.Fields, bytecode.Field{Name: f.Name, Type: ft, Off: uint32(f.Offset)})
			addPtrs(&t, uint64(f.Offset), p.Types[ft].Ptrs)
			plain = plain && f.Name != "_" && f.Offset == end && p.Types[ft].Flags&bytecode.FlagPlainEq != 0
			end = f.Offset + f.Type.Size()
		}
		plain = plain && end == rt.Size()
	}
	if plain {
		t.Flags |= bytecode.FlagPlainEq
	}
	if t.Size == 8 && len(t.Ptrs) == 1 && t.Ptrs[0] == 1 {
		t.Flags |= bytecode.FlagDirect
	}
	p.Types[i] = t
	return i
}

// of is the number of the type of v.
func (w *world) of(v any) int {
	i, ok := w.index[reflect.TypeOf(v)]
	if !ok {
		w.t.Fatalf("type %T is not in the world", v)
	}
	return i
}

func (w *world) fp() unsafe.Pointer { return unsafe.Pointer(&w.frame[0]) }

// put leaves a value in registers from i on.
func (w *world) put(i int, v any) { w.putValue(i, reflect.ValueOf(v)) }

func (w *world) putValue(i int, v reflect.Value) {
	n, ok := w.index[v.Type()]
	if !ok {
		w.t.Fatalf("type %v is not in the world", v.Type())
	}
	t := w.m.rt.types[n]
	buf := make([]uint64, t.Words+1)
	w.write(v, unsafe.Pointer(&buf[0]))
	LoadReg(t, unsafe.Pointer(&w.frame[i]), unsafe.Pointer(&buf[0]))
}

// write stores a host value at a, in the machine's form. Pointers and channels
// become numbers.
func (w *world) write(v reflect.Value, a unsafe.Pointer) {
	switch v.Kind() {
	case reflect.String:
		*(*str)(a) = str{w.m.NewString(v.String()), uint64(v.Len())}
	case reflect.Pointer, reflect.Chan:
		*(*uint64)(a) = uint64(v.Pointer())
	case reflect.Slice:
		n := v.Len()
		*(*slice)(a) = slice{}
		if v.IsNil() {
			return
		}
		p := w.m.AllocArray(w.index[v.Type().Elem()], v.Cap())
		*(*slice)(a) = slice{p, uint64(n), uint64(v.Cap())}
		size := v.Type().Elem().Size()
		if size == 0 || n == 0 {
			return
		}
		base := w.m.Heap.Write(p, uint32(uintptr(n)*size))
		for i := range n {
			w.write(v.Index(i), unsafe.Add(base, uintptr(i)*size))
		}
	case reflect.Interface:
		words := (*[2]mem.Ptr)(a)
		if v.IsNil() {
			*words = [2]mem.Ptr{}
			return
		}
		e := v.Elem()
		i, ok := w.index[e.Type()]
		if !ok {
			w.t.Fatalf("type %v is not in the world", e.Type())
		}
		t := w.m.rt.types[i]
		buf := make([]uint64, 2*(t.Words+1))
		w.write(e, unsafe.Pointer(&buf[0]))
		LoadReg(t, unsafe.Pointer(&buf[t.Words]), unsafe.Pointer(&buf[0]))
		words[0], words[1] = staticDesc(t), w.m.Box(i, unsafe.Pointer(&buf[t.Words]))
	case reflect.Array:
		for i := range v.Len() {
			w.write(v.Index(i), unsafe.Add(a, uintptr(i)*v.Type().Elem().Size()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Name == "_" { // what is there does not matter
				w.noise++
				*(*uint8)(unsafe.Add(a, f.Offset)) = w.noise
				continue
			}
			w.write(v.Field(i), unsafe.Add(a, f.Offset))
		}
	default:
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		copy(unsafe.Slice((*byte)(a), v.Type().Size()), unsafe.Slice((*byte)(p.UnsafePointer()), v.Type().Size()))
	}
}

// str is the string in registers i and i+1.
func (w *world) str(i int) string {
	s := (*str)(unsafe.Pointer(&w.frame[i]))
	b, ok := w.m.view(s.ptr, s.len)
	if !ok {
		w.t.Fatalf("string %v+%d is not readable", s.ptr, s.len)
	}
	return string(b)
}

// bytes is the content of the slice in registers from i on.
func (w *world) bytes(i, size int) []byte {
	s := (*slice)(unsafe.Pointer(&w.frame[i]))
	b, ok := w.m.view(s.ptr, s.len*uint64(size))
	if !ok {
		w.t.Fatalf("slice %v is not readable", *s)
	}
	return b
}

type helper func(*Machine, *G, unsafe.Pointer, *bytecode.Instr) status

// do executes one instruction that must not raise anything.
func (w *world) do(f helper, in bytecode.Instr) {
	if st := f(w.m, w.g, w.fp(), &in); st != next {
		w.t.Fatalf("%+v: status %d", in, st)
	}
}
