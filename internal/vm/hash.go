package vm

import (
	"math/bits"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// Hashes have no seed, so a run depends on nothing but the program. Equal values
// have equal hashes, whatever their types. A register can be hashed and compared
// as if it were memory: the first bytes of a scalar's word are its memory.

const (
	hashZero = 0x9e3779b97f4a7c15 // of 0.0 and -0.0
	hashNaN  = 0xd6e8feb86659fd93 // never looked for: NaN equals nothing
)

// hash is the hash of the value of type t at p, which is readable. If the value
// has no hash, because an interface in it holds a value that cannot be compared,
// bad is the type of that value.
func (m *Machine) hash(t *bytecode.Type, p unsafe.Pointer) (h uint64, bad *bytecode.Type) {
	if t.Flags&bytecode.FlagPlainEq != 0 {
		switch t.Size {
		case 8:
			return mem.HashWord(*(*uint64)(p)), nil
		case 4:
			return mem.HashWord(uint64(*(*uint32)(p))), nil
		}
		return mem.HashBytes(unsafe.Slice((*byte)(p), t.Size)), nil
	}
	switch t.Kind {
	case bytecode.String:
		return m.hashString(*(*str)(p)), nil
	case bytecode.Float32:
		return hashFloat(float64(*(*float32)(p))), nil
	case bytecode.Float64:
		return hashFloat(*(*float64)(p)), nil
	case bytecode.Complex64:
		c := *(*[2]float32)(p)
		return joinHash(hashFloat(float64(c[0])), hashFloat(float64(c[1]))), nil
	case bytecode.Complex128:
		c := *(*[2]float64)(p)
		return joinHash(hashFloat(c[0]), hashFloat(c[1])), nil
	case bytecode.Interface:
		return m.hashIface((*[2]mem.Ptr)(p))
	case bytecode.Array:
		elem := m.rt.types[t.Elem]
		for i := range uintptr(t.Len) {
			e, bad := m.hash(elem, unsafe.Add(p, i*uintptr(elem.Size)))
			if bad != nil {
				return 0, bad
			}
			h = joinHash(h, e)
		}
		return h, nil
	case bytecode.Struct:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Name == "_" {
				continue
			}
			e, bad := m.hash(m.rt.types[f.Type], unsafe.Add(p, f.Off))
			if bad != nil {
				return 0, bad
			}
			h = joinHash(h, e)
		}
		return h, nil
	}
	return 0, t
}

func (m *Machine) hashString(s str) uint64 {
	b, _ := m.view(s.ptr, s.len)
	return mem.HashBytes(b)
}

func hashFloat(f float64) uint64 {
	switch {
	case f == 0:
		return hashZero
	case f != f:
		return hashNaN
	}
	return mem.HashWord(*(*uint64)(unsafe.Pointer(&f)))
}

// joinHash combines the hashes of two parts. Their order matters.
func joinHash(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x8ebc6af09c88c6e3, b^0x589965cc75374cc3)
	return hi ^ lo ^ bits.RotateLeft64(b, 29)
}

// hashIface hashes the interface value whose words are at w.
func (m *Machine) hashIface(w *[2]mem.Ptr) (uint64, *bytecode.Type) {
	if w[0] == 0 {
		return 0, nil
	}
	t := m.ifaceType(w[0])
	if t.Flags&bytecode.FlagComparable == 0 {
		return 0, t
	}
	a := m.ifaceValue(t, &w[1])
	if a == nil {
		return 0, nil
	}
	return m.hash(t, a)
}

// Hash is the hash of the value of a type at p. If there is none because of an
// uncomparable value inside, it is 0 and the type that is to blame is not nil.
func (m *Machine) Hash(t *bytecode.Type, p mem.Ptr) (uint64, *bytecode.Type) {
	b, _ := m.view(p, uint64(t.Size))
	return m.hash(t, unsafe.Pointer(unsafe.SliceData(b)))
}
