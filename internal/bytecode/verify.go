package bytecode

import "fmt"

// Check validates a program, for example one that was decoded from disk: every
// index, register, jump target and register map is in range, so that executing
// the program cannot go outside the machine's tables and frames. It does not
// say that the program means anything. The error names the first offence.
func Check(p *Program) error {
	v := &verifier{p: p}
	v.tables()
	for i := range p.Funcs {
		if v.err != nil {
			break
		}
		v.fn = &p.Funcs[i]
		v.number = i
		v.function()
	}
	return v.err
}

type verifier struct {
	p      *Program
	fn     *Func
	number int
	pc     int
	err    error

	points []int32 // by instruction: map, -1 if none

	// The index register and limit of the last bound instruction, valid for the
	// accesses to the frame directly behind it.
	bounded int
	limit   int64

	targets   map[int]bool // of the jumps of function targetsOf
	targetsOf int
}

// failf notes the first offence.
func (v *verifier) failf(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}

// badf notes an offence of the current instruction.
func (v *verifier) badf(format string, args ...any) {
	if v.err == nil {
		name := ""
		if v.pc < len(v.fn.Code) {
			name = v.fn.Code[v.pc].Op.String()
		}
		v.err = fmt.Errorf("function %d (%s), instruction %d (%s): %s", v.number, v.fn.Name, v.pc, name, fmt.Sprintf(format, args...))
	}
}

func (v *verifier) isType(i int) bool { return i >= 0 && i < len(v.p.Types) }
func (v *verifier) isFunc(i int) bool { return i >= 0 && i < len(v.p.Funcs) }

// optional says whether a number is -1 or a type.
func (v *verifier) optional(i int) bool { return i == -1 || v.isType(i) }

// tables checks everything but functions.
func (v *verifier) tables() {
	p := v.p
	for i := range p.Types {
		v.typ(i)
	}
	for i, g := range p.Globals {
		if !v.isType(g.Type) {
			v.failf("global %d: type %d", i, g.Type)
		}
		if g.Origin > Inlined {
			v.failf("global %d: origin %d", i, g.Origin)
		}
	}
	for i, x := range p.Ifaces {
		if !v.isType(x.Type) {
			v.failf("iface %d: type %d", i, x.Type)
		}
	}
	for i, a := range p.Asserts {
		if !v.isType(a.Src) || !v.isType(a.Target) || p.Types[a.Src].Kind != Interface {
			v.failf("assert %d: types %d and %d", i, a.Src, a.Target)
		}
	}
	for i, t := range p.Itabs {
		if !v.isType(t.Iface) || !v.isType(t.Type) || p.Types[t.Iface].Kind != Interface {
			v.failf("itab %d: types %d and %d", i, t.Iface, t.Type)
		} else if end := uint64(t.Off) + 24 + 8*uint64(len(p.Types[t.Iface].IMethods)); end > uint64(len(p.ItabImage)) {
			v.failf("itab %d: ends at %d of %d bytes", i, end, len(p.ItabImage))
		}
	}
	for _, f := range [...]struct {
		name string
		n    int
	}{{"entry", p.Entry}, {"init", p.Init}, {"main", p.Main}, {"equal", p.EqualFunc}} {
		if !v.isFunc(f.n) {
			v.failf("%s function: %d of %d", f.name, f.n, len(p.Funcs))
		}
	}
	for i, m := range p.Missing {
		if !v.isFunc(m.Func) {
			v.failf("missing function %d: %d of %d", i, m.Func, len(p.Funcs))
		}
	}
}

// typ checks one type.
func (v *verifier) typ(i int) {
	t := &v.p.Types[i]
	bad := func(what string) { v.failf("type %d (%s): %s", i, t.Str, what) }
	words := (uint64(t.Size) + 7) / 8
	switch {
	case t.Kind > UnsafePointer:
		bad("kind")
	case t.Reg > RegCopy:
		bad("register form")
	case t.Reg == RegNone && (t.Words != 0 || t.Size != 0), t.Reg != RegNone && t.Size == 0:
		bad("register form of size zero")
	case t.Reg != RegNone && t.Reg != RegCopy && (t.Words != 1 || t.Size != regSize[t.Reg]):
		bad("register form of a scalar")
	case t.Reg == RegCopy && uint64(t.Words) != words && words < 1<<16:
		bad("words of a register")
	case !v.optional(t.Elem) || !v.optional(t.Key):
		bad("element or key type")
	case t.Desc != 0 && uint64(t.Desc)+48 > uint64(len(v.p.TypeImage)):
		bad("descriptor")
	case uint64(len(t.Ptrs)) > (words+63)/64:
		bad("pointer map")
	}
	switch t.Kind {
	case Array, Chan, MapKind, Pointer, Slice:
		if t.Elem < 0 {
			bad("no element type")
		}
	}
	if t.Kind == MapKind && t.Key < 0 {
		bad("no key type")
	}
	if t.Kind == Array && v.isType(t.Elem) && t.Len >= 0 && t.Size != ^uint32(0) && uint64(t.Len)*uint64(v.p.Types[t.Elem].Size) > uint64(t.Size) {
		bad("array length")
	}
	for _, f := range t.Fields {
		if !v.isType(f.Type) || t.Kind == Struct && uint64(f.Off)+uint64(v.p.Types[f.Type].Size) > uint64(t.Size) {
			bad("field " + f.Name)
		}
	}
	for _, list := range [...][]int{t.In, t.Out} {
		for _, x := range list {
			if !v.isType(x) {
				bad("parameter or result type")
			}
		}
	}
	for _, m := range t.Methods {
		if !v.optional(m.Type) || m.Ifn < -1 || m.Ifn >= len(v.p.Funcs) || m.Tfn < -1 || m.Tfn >= len(v.p.Funcs) {
			bad("method " + m.Name)
		}
	}
	for _, m := range t.IMethods {
		if !v.optional(m.Type) {
			bad("interface method " + m.Name)
		}
	}
}

var regSize = [...]uint32{RegU8: 1, RegS8: 1, RegU16: 2, RegS16: 2, RegU32: 4, RegS32: 4, Reg64: 8}
