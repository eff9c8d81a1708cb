package bytecode

import (
	"encoding/binary"
	"slices"
)

// Encode gives a program's binary form. It depends on the program alone.
func Encode(p *Program) []byte {
	e := &encoder{index: make(map[string]uint64), shapes: opShapes()}
	e.rankOps(p)
	e.program(p)

	body := e.b
	e.b = make([]byte, 0, len(body)+len(body)/4)
	for _, c := range e.total.list() {
		e.u(uint64(*c.n))
	}
	e.u(uint64(len(e.strings)))
	for _, s := range e.strings {
		e.u(uint64(len(s)))
	}
	for _, s := range e.strings {
		e.b = append(e.b, s...)
	}
	e.u(uint64(len(e.ops)))
	for _, op := range e.ops {
		e.u(uint64(op))
	}
	return seal(append(e.b, body...))
}

// An encoder appends to b.
type encoder struct {
	b       []byte
	index   map[string]uint64
	strings []string
	total   totals
	shapes  *[NumOps]shape
	ops     []Op        // by rank
	rank    [NumOps]int // -1 if not used
}

func (e *encoder) u(v uint64) { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) s(v int64)  { e.b = binary.AppendVarint(e.b, v) }
func (e *encoder) n(v int)    { e.s(int64(v)) }
func (e *encoder) bool(v bool) {
	if v {
		e.b = append(e.b, 1)
	} else {
		e.b = append(e.b, 0)
	}
}

// str writes a string as its index in the string table.
func (e *encoder) str(s string) {
	i, ok := e.index[s]
	if !ok {
		i = uint64(len(e.strings))
		e.index[s] = i
		e.strings = append(e.strings, s)
	}
	e.u(i)
}

// bytes writes a byte list of the program itself, which is not counted.
func (e *encoder) bytes(b []byte) {
	e.u(uint64(len(b)))
	e.b = append(e.b, b...)
}

// ints writes a list of indices.
func (e *encoder) ints(list []int) {
	e.count(len(list), &e.total.ints)
	for _, v := range list {
		e.n(v)
	}
}

// words writes a bitmap.
func (e *encoder) words(list []uint64) {
	e.count(len(list), &e.total.words)
	for _, v := range list {
		e.u(v)
	}
}

// count writes the length of a list and adds it to its total.
func (e *encoder) count(n int, total *int) {
	*total += n
	e.u(uint64(n))
}

// rankOps orders the opcodes that the program uses by frequency.
func (e *encoder) rankOps(p *Program) {
	var uses [NumOps]int
	for i := range p.Funcs {
		for k := range p.Funcs[i].Code {
			if op := p.Funcs[i].Code[k].Op; op < NumOps {
				uses[op]++
			}
		}
	}
	for op := range uses {
		e.rank[op] = -1
		if uses[op] > 0 {
			e.ops = append(e.ops, Op(op))
		}
	}
	slices.SortStableFunc(e.ops, func(a, b Op) int { return uses[b] - uses[a] })
	for r, op := range e.ops {
		e.rank[op] = r
	}
}

func (e *encoder) program(p *Program) {
	e.str(p.GoVersion)
	e.str(p.Path)
	e.str(p.Module)
	e.str(p.GODEBUG)
	e.n(p.Entry)
	e.n(p.Init)
	e.n(p.Main)
	e.n(p.EqualFunc)
	e.bool(p.AccessPoints)
	for _, t := range p.Runtime.all() {
		e.n(*t)
	}
	e.bytes(p.TypeImage)
	e.bytes(p.ItabImage)
	e.bytes(p.Strings)
	e.u(uint64(len(p.Files)))
	for _, f := range p.Files {
		e.str(f)
	}
	e.u(uint64(len(p.Globals)))
	for _, g := range p.Globals {
		e.str(g.Name)
		e.n(g.Type)
		e.bool(g.Fixed)
		e.b = append(e.b, byte(g.Origin))
	}
	e.u(uint64(len(p.Ifaces)))
	for _, f := range p.Ifaces {
		e.u(f.Word >> 32)
		e.u(f.Word & 0xffffffff)
		e.n(f.Type)
	}
	e.u(uint64(len(p.Asserts)))
	for _, a := range p.Asserts {
		e.n(a.Src)
		e.n(a.Target)
	}
	e.u(uint64(len(p.Itabs)))
	for _, t := range p.Itabs {
		e.n(t.Iface)
		e.n(t.Type)
		e.u(uint64(t.Off))
	}
	e.u(uint64(len(p.Missing)))
	for _, m := range p.Missing {
		e.n(m.Func)
		e.str(m.Pos)
	}
	e.u(uint64(len(p.Types)))
	for i := range p.Types {
		e.typ(&p.Types[i])
	}
	e.u(uint64(len(p.Funcs)))
	for i := range p.Funcs {
		e.fn(&p.Funcs[i])
	}
}

func (e *encoder) typ(t *Type) {
	e.b = append(e.b, byte(t.Kind), byte(t.Reg), t.Align, byte(t.Flags))
	e.u(uint64(t.Size))
	e.u(uint64(t.Words))
	e.u(uint64(t.Desc))
	e.words(t.Ptrs)
	e.n(t.Elem)
	e.n(t.Key)
	e.s(t.Len)
	e.ints(t.In)
	e.ints(t.Out)
	e.str(t.Str)
	e.str(t.Name)
	e.str(t.PkgPath)
	e.count(len(t.Fields), &e.total.fields)
	for _, f := range t.Fields {
		e.str(f.Name)
		e.str(f.PkgPath)
		e.n(f.Type)
		e.u(uint64(f.Off))
		e.str(f.Tag)
		e.bool(f.Embedded)
	}
	e.count(len(t.Methods), &e.total.methods)
	for _, m := range t.Methods {
		e.str(m.Name)
		e.str(m.PkgPath)
		e.n(m.Type)
		e.n(m.Ifn)
		e.n(m.Tfn)
	}
	e.count(len(t.IMethods), &e.total.imethods)
	for _, m := range t.IMethods {
		e.str(m.Name)
		e.str(m.PkgPath)
		e.n(m.Type)
	}
}

func (e *encoder) fn(f *Func) {
	e.str(f.Name)
	e.str(f.Pkg)
	e.str(f.Native)
	e.u(uint64(f.Params))
	e.u(uint64(f.Results))
	e.u(uint64(f.Frame))
	e.bool(f.Closure)
	e.bool(f.Wrapper)
	e.count(len(f.FreeMap), &e.total.bytes)
	e.b = append(e.b, f.FreeMap...)
	e.n(f.Sig)
	e.n(f.Recv)
	e.ints(f.ParamT)
	e.ints(f.ResultT)
	e.n(f.Recover)
	e.n(f.File)
	e.n(f.Line)
	e.count(len(f.Code), &e.total.instrs)
	for pc := range f.Code {
		e.instr(pc, &f.Code[pc])
	}
	e.count(len(f.Selects), &e.total.selects)
	for _, s := range f.Selects {
		e.bool(s.Blocking)
		e.n(s.RecvOk)
		e.n(s.Index)
		e.count(len(s.Cases), &e.total.cases)
		for _, c := range s.Cases {
			e.bool(c.Send)
			e.n(c.Chan)
			e.n(c.Value)
			e.n(c.Elem)
		}
	}
	e.count(len(f.Maps), &e.total.maps)
	for _, m := range f.Maps {
		e.words(m.Live)
		e.words(m.Ptrs)
	}
	e.count(len(f.Points), &e.total.points)
	var pc int32
	for _, s := range f.Points {
		e.s(int64(s.PC - pc))
		e.s(int64(s.Map))
		pc = s.PC
	}
	e.ints(f.Uints)
	e.count(len(f.Lines), &e.total.lines)
	var last Line
	for _, l := range f.Lines {
		e.s(int64(l.PC - last.PC))
		e.s(int64(l.File - last.File))
		e.s(int64(l.Line - last.Line))
		e.s(int64(l.Col))
		last = l
	}
}

func (e *encoder) instr(pc int, in *Instr) {
	if in.Op >= NumOps || !e.shapes[in.Op].fits(in) {
		e.b = append(e.b, opRaw)
		e.u(uint64(in.Op))
		e.u(uint64(in.A))
		e.u(uint64(in.B))
		e.u(uint64(in.C))
		e.s(in.Imm)
		return
	}
	if r := e.rank[in.Op]; r < opWide {
		e.b = append(e.b, byte(r))
	} else {
		e.b = append(e.b, byte(opWide+(r-opWide)>>8), byte(r-opWide))
	}
	s := e.shapes[in.Op]
	if s.a {
		e.u(uint64(in.A))
	}
	if s.b {
		e.u(uint64(in.B))
	}
	if s.c {
		e.u(uint64(in.C))
	}
	switch s.imm {
	case immSigned:
		e.s(in.Imm)
	case immUnsigned:
		e.u(uint64(in.Imm))
	case immPair:
		e.u(uint64(in.Hi()))
		e.u(uint64(in.Lo()))
	case immTarget:
		e.s(in.Imm - int64(pc))
	case immConstTarget:
		e.s(int64(int32(in.Hi())))
		e.s(int64(int32(in.Lo() - uint32(pc))))
	}
}
