package bytecode

import "encoding/binary"

// program reads the tables in the order in which Encode writes them.
func (d *decoder) program() *Program {
	d.prepare()
	p := &Program{
		GoVersion: d.str(), Path: d.str(), Module: d.str(), GODEBUG: d.str(),
		Entry: d.n(), Init: d.n(), Main: d.n(), EqualFunc: d.n(), AccessPoints: d.bool(),
	}
	for _, t := range p.Runtime.all() {
		*t = d.n()
	}
	p.TypeImage, p.ItabImage, p.Strings = d.image(), d.image(), d.image()
	p.Files = table[string](d, 1)
	for i := range p.Files {
		p.Files[i] = d.str()
	}
	p.Globals = table[Global](d, 4)
	for i := range p.Globals {
		p.Globals[i] = Global{d.str(), d.n(), d.bool(), Origin(d.byte())}
	}
	p.Ifaces = table[Iface](d, 3)
	for i := range p.Ifaces {
		hi, lo := d.u32(), d.u32()
		p.Ifaces[i] = Iface{uint64(hi)<<32 | uint64(lo), d.n()}
	}
	p.Asserts = table[Assert](d, 2)
	for i := range p.Asserts {
		p.Asserts[i] = Assert{d.n(), d.n()}
	}
	p.Itabs = table[Itab](d, 3)
	for i := range p.Itabs {
		p.Itabs[i] = Itab{d.n(), d.n(), d.u32()}
	}
	p.Missing = table[Missing](d, 2)
	for i := range p.Missing {
		p.Missing[i] = Missing{d.n(), d.str()}
	}
	p.Types = table[Type](d, 19)
	for i := range p.Types {
		d.typ(&p.Types[i])
		if d.err != nil {
			return p
		}
	}
	p.Funcs = table[Func](d, 22)
	for i := range p.Funcs {
		d.fn(&p.Funcs[i])
		if d.err != nil {
			return p
		}
	}
	d.usedUp()
	return p
}

func (d *decoder) intList() []int {
	l := list(d, &d.ints)
	for i := range l {
		l[i] = d.n()
	}
	return l
}

func (d *decoder) wordList() []uint64 {
	l := list(d, &d.words)
	for i := range l {
		l[i] = d.u()
	}
	return l
}

func (d *decoder) typ(t *Type) {
	t.Kind, t.Reg, t.Align, t.Flags = Kind(d.byte()), Reg(d.byte()), d.byte(), TypeFlag(d.byte())
	if t.Kind > UnsafePointer || t.Reg > RegCopy {
		d.fail("type of kind %d and form %d", t.Kind, t.Reg)
	}
	t.Size, t.Words, t.Desc = d.u32(), d.u16(), d.u32()
	t.Ptrs = d.wordList()
	t.Elem, t.Key, t.Len = d.n(), d.n(), d.s()
	t.In, t.Out = d.intList(), d.intList()
	t.Str, t.Name, t.PkgPath = d.str(), d.str(), d.str()
	t.Fields = list(d, &d.fields)
	for i := range t.Fields {
		t.Fields[i] = Field{d.str(), d.str(), d.n(), d.u32(), d.str(), d.bool()}
	}
	t.Methods = list(d, &d.methods)
	for i := range t.Methods {
		t.Methods[i] = Method{d.str(), d.str(), d.n(), d.n(), d.n()}
	}
	t.IMethods = list(d, &d.imethods)
	for i := range t.IMethods {
		t.IMethods[i] = IMethod{d.str(), d.str(), d.n()}
	}
}

func (d *decoder) fn(f *Func) {
	f.Name, f.Pkg, f.Native = d.str(), d.str(), d.str()
	f.Params, f.Results, f.Frame = d.u16(), d.u16(), d.u16()
	f.Closure, f.Wrapper = d.bool(), d.bool()
	f.FreeMap = list(d, &d.bytes)
	copy(f.FreeMap, d.raw(len(f.FreeMap)))
	f.Sig, f.Recv = d.n(), d.n()
	f.ParamT, f.ResultT = d.intList(), d.intList()
	f.Recover, f.File, f.Line = d.n(), d.n(), d.n()
	f.Code = list(d, &d.instrs)
	d.code(f.Code)
	f.Selects = list(d, &d.selects)
	for i := range f.Selects {
		s := &f.Selects[i]
		s.Blocking, s.RecvOk, s.Index = d.bool(), d.n(), d.n()
		s.Cases = list(d, &d.cases)
		for k := range s.Cases {
			s.Cases[k] = Case{d.bool(), d.n(), d.n(), d.n()}
		}
	}
	f.Maps = list(d, &d.maps)
	for i := range f.Maps {
		f.Maps[i] = Map{d.wordList(), d.wordList()}
	}
	f.Points = list(d, &d.points)
	var pc int32
	for i := range f.Points {
		pc += d.i32()
		f.Points[i] = Safepoint{pc, d.i32()}
	}
	f.Uints = d.intList()
	f.Lines = list(d, &d.lines)
	var last Line
	for i := range f.Lines {
		if w := d.peek(); w&0x80808080 == 0 {
			last.PC += int32(zigzag(w & 0xff))
			last.File += int32(zigzag(w >> 8 & 0xff))
			last.Line += int32(zigzag(w >> 16 & 0xff))
			last.Col = int32(zigzag(w >> 24 & 0xff))
			f.Lines[i] = last
			d.i += 4
			continue
		}
		last.PC += d.i32()
		last.File += d.i32()
		last.Line += d.i32()
		last.Col = d.i32()
		f.Lines[i] = last
	}
}

// peek gives the next eight bytes, all ones if there are fewer. Most numbers are
// below 128: the numbers of a line or an instruction are then read at once.
func (d *decoder) peek() uint64 {
	if d.i+8 > len(d.b) {
		return ^uint64(0)
	}
	return binary.LittleEndian.Uint64(d.b[d.i:])
}

// code reads instructions.
func (d *decoder) code(code []Instr) {
	for pc := range code {
		in := &code[pc]
		w := d.peek()
		r := w & 0xff
		if r >= opWide || r >= uint64(len(d.ops)) {
			d.instr(pc, in)
			continue
		}
		op := d.ops[r]
		s := &d.shapes[op]
		q := &s.quick
		if w&q.mask != 0 {
			d.instr(pc, in)
			continue
		}
		d.i += int(q.n)
		in.Op = op
		in.A = uint16(w >> q.shiftA & 0xff)
		in.B = uint16(w >> q.shiftB & 0xff)
		in.C = uint16(w >> q.shiftC & 0xff)
		imm := w >> q.shiftImm
		switch s.imm {
		case immSigned:
			in.Imm = zigzag(imm & 0xff)
		case immUnsigned:
			in.Imm = int64(imm & 0xff)
		case immPair:
			in.Imm = Pack(uint32(imm&0xff), uint32(imm>>8&0xff))
		case immTarget:
			in.Imm = zigzag(imm&0xff) + int64(pc)
		case immConstTarget:
			in.Imm = Pack(uint32(zigzag(imm&0xff)), uint32(zigzag(imm>>8&0xff))+uint32(pc))
		}
	}
}

// instr reads an instruction whose numbers may take any number of bytes.
func (d *decoder) instr(pc int, in *Instr) {
	r := int(d.byte())
	if r >= opWide {
		if r == opRaw {
			in.Op = Op(d.below(uint64(NumOps) - 1))
			in.A, in.B, in.C, in.Imm = d.u16(), d.u16(), d.u16(), d.s()
			return
		}
		r = opWide + (r-opWide)<<8 + int(d.byte())
	}
	if r >= len(d.ops) {
		d.fail("opcode of rank %d of %d", r, len(d.ops))
		return
	}
	in.Op = d.ops[r]
	s := &d.shapes[in.Op]
	if s.a {
		in.A = d.u16()
	}
	if s.b {
		in.B = d.u16()
	}
	if s.c {
		in.C = d.u16()
	}
	switch s.imm {
	case immSigned:
		in.Imm = d.s()
	case immUnsigned:
		in.Imm = int64(d.u())
	case immPair:
		hi := d.u32()
		in.Imm = Pack(hi, d.u32())
	case immTarget:
		in.Imm = d.s() + int64(pc)
	case immConstTarget:
		c := uint32(d.i32())
		in.Imm = Pack(c, uint32(d.i32())+uint32(pc))
	}
}
