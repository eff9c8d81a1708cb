package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// equal compares the values of type t at p and q, which are readable. If they
// cannot be compared, because interfaces in them hold values of an uncomparable
// type, bad is that type. Parts are compared in order up to the first difference.
func (m *Machine) equal(t *bytecode.Type, p, q unsafe.Pointer) (eq bool, bad *bytecode.Type) {
	if t.Flags&bytecode.FlagPlainEq != 0 {
		switch t.Size {
		case 8:
			return *(*uint64)(p) == *(*uint64)(q), nil
		case 4:
			return *(*uint32)(p) == *(*uint32)(q), nil
		}
		return unsafe.String((*byte)(p), t.Size) == unsafe.String((*byte)(q), t.Size), nil
	}
	switch t.Kind {
	case bytecode.String:
		return m.strEqual(p, q), nil
	case bytecode.Float32:
		return *(*float32)(p) == *(*float32)(q), nil
	case bytecode.Float64:
		return *(*float64)(p) == *(*float64)(q), nil
	case bytecode.Complex64:
		return *(*complex64)(p) == *(*complex64)(q), nil
	case bytecode.Complex128:
		return *(*complex128)(p) == *(*complex128)(q), nil
	case bytecode.Interface:
		return m.equalIface((*[2]mem.Ptr)(p), (*[2]mem.Ptr)(q))
	case bytecode.Array:
		elem := m.rt.types[t.Elem]
		for i := range uintptr(t.Len) {
			off := i * uintptr(elem.Size)
			if eq, bad := m.equal(elem, unsafe.Add(p, off), unsafe.Add(q, off)); !eq {
				return false, bad
			}
		}
		return true, nil
	case bytecode.Struct:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Name == "_" {
				continue
			}
			if eq, bad := m.equal(m.rt.types[f.Type], unsafe.Add(p, f.Off), unsafe.Add(q, f.Off)); !eq {
				return false, bad
			}
		}
		return true, nil
	}
	return false, t
}

// equalIface compares two interface values. The first words may be type
// descriptors or itabs.
func (m *Machine) equalIface(p, q *[2]mem.Ptr) (bool, *bytecode.Type) {
	d, e := m.descOf(p[0]), m.descOf(q[0])
	if d != e {
		return false, nil
	}
	if d == 0 {
		return true, nil
	}
	t := m.typeOf(d)
	if t.Flags&bytecode.FlagComparable == 0 {
		return false, t
	}
	if t.Flags&bytecode.FlagDirect != 0 {
		return p[1] == q[1], nil
	}
	a, b := m.ifaceValue(t, &p[1]), m.ifaceValue(t, &q[1])
	if a == nil || b == nil {
		return p[1] == q[1], nil
	}
	return m.equal(t, a, b)
}

// Equal compares the values of a type at p and q. If that would panic, bad is the
// type that cannot be compared.
func (m *Machine) Equal(t *bytecode.Type, p, q mem.Ptr) (eq bool, bad *bytecode.Type) {
	a, ok1 := m.view(p, uint64(t.Size))
	b, ok2 := m.view(q, uint64(t.Size))
	if !ok1 || !ok2 {
		return false, nil
	}
	return m.equal(t, unsafe.Pointer(unsafe.SliceData(a)), unsafe.Pointer(unsafe.SliceData(b)))
}

func (m *Machine) opEqt(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	eq, bad := m.equal(m.rt.types[in.Imm], reg(fp, in.B), reg(fp, in.C))
	if bad != nil {
		return m.raiseUncomparable(g, bad)
	}
	*word(fp, in.A) = b2u(eq)
	return next
}

func (m *Machine) opIfaceeq(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	eq, bad := m.equalIface((*[2]mem.Ptr)(reg(fp, in.B)), (*[2]mem.Ptr)(reg(fp, in.C)))
	if bad != nil {
		return m.raiseUncomparable(g, bad)
	}
	*word(fp, in.A) = b2u(eq)
	return next
}

func (m *Machine) opIfaceqm(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	return m.opIfaceeq(g, fp, in)
}
