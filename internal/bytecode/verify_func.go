package bytecode

// function checks one function.
func (v *verifier) function() {
	fn := v.fn
	v.pc = len(fn.Code)
	switch {
	case !v.optional(fn.Sig) || !v.optional(fn.Recv):
		v.badf("signature or receiver type")
	case fn.Native != "":
	case int(fn.Params) > int(fn.Frame) || int(fn.Results) > int(fn.Frame) || fn.Closure && fn.Params >= fn.Frame:
		v.badf("%d parameter and %d result words in a frame of %d", fn.Params, fn.Results, fn.Frame)
	case v.total(fn.ParamT) != int(fn.Params) || v.total(fn.ResultT) != int(fn.Results):
		v.badf("words of parameters or results")
	case fn.Closure != (len(fn.FreeMap) > 0) && !fn.Closure:
		v.badf("free variables of a function that is no closure")
	}
	if fn.Native != "" && len(fn.Code) > 0 {
		v.badf("a native with code")
	}
	if fn.Native != "" || v.err != nil {
		return
	}
	if len(fn.Code) == 0 || Ops[min(fn.Code[len(fn.Code)-1].Op, NumOps-1)].Flags&Ends == 0 {
		v.badf("the code has no end")
		return
	}
	if fn.Recover < -1 || fn.Recover >= len(fn.Code) {
		v.badf("recover at %d", fn.Recover)
		return
	}
	v.maps()
	v.lines()
	v.need(0)
	if fn.Recover >= 0 {
		v.need(fn.Recover)
	}
	v.bounded = -1
	for v.pc = range fn.Code {
		if v.err != nil {
			return
		}
		v.instr(&fn.Code[v.pc])
	}
}

// total is the number of words of registers of some types.
func (v *verifier) total(list []int) int {
	n := 0
	for _, t := range list {
		if !v.isType(t) {
			return -1
		}
		n += int(v.p.Types[t].Words)
	}
	return n
}

// maps checks the register maps and safepoints.
func (v *verifier) maps() {
	fn := v.fn
	size := (int(fn.Frame) + 63) / 64
	for i, m := range fn.Maps {
		if len(m.Live) > size || len(m.Ptrs) > len(m.Live) {
			v.badf("map %d: %d and %d words for a frame of %d", i, len(m.Live), len(m.Ptrs), fn.Frame)
			return
		}
		for w := range m.Ptrs {
			if m.Ptrs[w]&^m.Live[w] != 0 {
				v.badf("map %d: a dead pointer", i)
			}
		}
		if tail := int(fn.Frame) & 63; len(m.Live) == size && size > 0 && tail != 0 && m.Live[size-1]>>tail != 0 {
			v.badf("map %d: a live word behind the frame", i)
		}
	}
	v.points = append(v.points[:0], make([]int32, len(fn.Code))...)
	for i := range v.points {
		v.points[i] = -1
	}
	last := int32(-1)
	for _, p := range fn.Points {
		if p.PC <= last || int(p.PC) >= len(fn.Code) || p.Map < 0 || int(p.Map) >= len(fn.Maps) {
			v.badf("safepoint at %d with map %d", p.PC, p.Map)
			return
		}
		last = p.PC
		v.points[p.PC] = p.Map
	}
}

// need asks for a safepoint.
func (v *verifier) need(pc int) {
	if v.err == nil && v.points[pc] < 0 {
		v.badf("no safepoint at instruction %d", pc)
	}
}

func (v *verifier) lines() {
	last := int32(-1)
	for _, l := range v.fn.Lines {
		if l.PC <= last || int(l.PC) >= len(v.fn.Code) || l.File < 0 || int(l.File) >= len(v.p.Files) {
			v.badf("line of instruction %d", l.PC)
			return
		}
		last = l.PC
	}
}

// instr checks one instruction.
func (v *verifier) instr(i *Instr) {
	if i.Op == OpInvalid || i.Op >= NumOps {
		v.badf("opcode")
		return
	}
	row := &Ops[i.Op]
	if row.Flags&Point != 0 || v.p.AccessPoints && row.Flags&Memory != 0 {
		v.need(v.pc)
	}
	v.immediate(i)
	if v.err != nil {
		return
	}
	words := v.widths(i)
	for k, r := range [3]uint16{i.A, i.B, i.C} {
		o := &Operands[i.Op][k]
		switch row.Pattern[k] {
		case "d", "s", "r":
			if k == 2 && r == NoReg && (i.Op == OpDefer || i.Op == OpDeferc || i.Op == OpDeferi) {
				continue
			}
			n := int(o.Words)
			if n == dependent {
				n = words[k]
			}
			if n < 0 || int(r)+n > int(v.fn.Frame) && n > 0 {
				v.badf("operand %c: word %d and %d more in a frame of %d", 'A'+k, r, n, v.fn.Frame)
			}
		case "w":
			if r > v.fn.Frame {
				v.badf("window at %d in a frame of %d", r, v.fn.Frame)
			}
		}
	}
	v.frameAccess(i)
}

// immediate checks the immediate, and what else an opcode asks for.
func (v *verifier) immediate(i *Instr) {
	p, fn := v.p, v.fn
	in := func(n int) bool { return i.Imm >= 0 && i.Imm < int64(n) }
	switch Ops[i.Op].Pattern[3] {
	case "t", "ct":
		v.target(i)
	case "y":
		if !in(len(p.Types)) {
			v.badf("type %d", i.Imm)
			return
		}
		if want, ok := wantKind[i.Op]; ok && p.Types[i.Imm].Kind != want {
			v.badf("type %s of kind %d, want %d", p.Types[i.Imm].Str, p.Types[i.Imm].Kind, want)
		}
	case "f":
		v.callee(i)
	case "st":
		if uint64(i.Hi())+uint64(i.Lo()) > uint64(len(p.Strings)) {
			v.badf("string literal")
		}
	case "e":
		if !in(len(fn.Selects)) {
			v.badf("select %d", i.Imm)
			return
		}
		v.selectTable(&fn.Selects[i.Imm])
	case "i":
		if !in(len(p.Ifaces)) {
			v.badf("iface %d", i.Imm)
		}
	case "a":
		if !in(len(p.Asserts)) {
			v.badf("assert %d", i.Imm)
		} else if (p.Types[p.Asserts[i.Imm].Target].Kind == Interface) != (i.Op == OpAsserti) {
			v.badf("asserted type %s", p.Types[p.Asserts[i.Imm].Target].Str)
		}
	}
	switch i.Op {
	case OpDivi, OpRemi:
		if i.Imm == 0 || i.Imm == -1 {
			v.badf("divisor %d", i.Imm)
		}
	case OpDivui, OpRemui:
		if i.Imm == 0 {
			v.badf("divisor 0")
		}
	case OpShli, OpShri, OpSari, OpShli32u:
		if i.Imm < 0 || i.Imm > 63 {
			v.badf("shift by %d", i.Imm)
		}
	case OpCalli, OpGoi, OpDeferi:
		if i.Imm < 0 || i.Imm > 1<<16 {
			v.badf("method %d", i.Imm)
		}
	case OpAppendf:
		if !v.isType(int(i.Lo())) {
			v.badf("type %d", i.Lo())
		}
	case OpSwitch:
		v.jumpTable(i)
	case OpPrint:
		if i.Imm < 0 || i.Imm > PrintHex {
			v.badf("print %d", i.Imm)
		}
	case OpCopy, OpClearslice, OpIxaddr, OpPaddr, OpCopym:
		if i.Imm < 0 || i.Imm > 1<<32 {
			v.badf("size %d", i.Imm)
		}
	case OpRecv:
		if i.C > RecvOk|RecvUnused {
			v.badf("form %d", i.C)
		}
	case OpAssert, OpAsserti:
		if i.C > 1 {
			v.badf("form %d", i.C)
		}
	case OpMapnext:
		if i.C > 3 {
			v.badf("form %d", i.C)
		}
	}
}

// wantKind is the kind of type that an opcode is about.
var wantKind = map[Op]Kind{
	OpMakemap: MapKind, OpMapget: MapKind, OpMapget2: MapKind, OpMapset: MapKind, OpMapdel: MapKind,
	OpMapclear: MapKind, OpMaprange: MapKind, OpMapnext: MapKind, OpMakechan: Chan, OpCvtiface: Interface,
}

// target checks where a jump goes: back only by instructions at which a
// goroutine may be stopped.
func (v *verifier) target(i *Instr) {
	t, _ := i.Target()
	if t < 0 || t >= len(v.fn.Code) {
		v.badf("target %d", t)
		return
	}
	if t <= v.pc {
		if Ops[i.Op].Flags&Point == 0 {
			v.badf("goes back to %d", t)
		}
		v.need(t)
	}
}

// callee checks the function of a call or closure.
func (v *verifier) callee(i *Instr) {
	if i.Imm < 0 || i.Imm >= int64(len(v.p.Funcs)) {
		v.badf("function %d", i.Imm)
		return
	}
	f := &v.p.Funcs[i.Imm]
	if i.Op == OpMkclosure {
		if !f.Closure || int(i.C) != len(f.FreeMap) {
			v.badf("%d captured words for %s, which has %d", i.C, f.Name, len(f.FreeMap))
		}
		return
	}
	if f.Closure {
		v.badf("%s needs a closure", f.Name)
	}
	if end := int(i.A) + max(int(f.Params), int(f.Results)); end > int(v.fn.Frame) && i.Op == OpCall || int(i.A)+int(f.Params) > int(v.fn.Frame) {
		v.badf("a window for %s that ends at word %d of %d", f.Name, end, v.fn.Frame)
	}
}

func (v *verifier) selectTable(s *Select) {
	frame := int(v.fn.Frame)
	word := func(r, n int) {
		if r < 0 || r+n > frame {
			v.badf("select uses word %d and %d more in a frame of %d", r, n, frame)
		}
	}
	word(s.RecvOk, 1)
	word(s.Index, 1)
	for _, c := range s.Cases {
		if !v.isType(c.Elem) {
			v.badf("select on elements of type %d", c.Elem)
			return
		}
		word(c.Chan, 1)
		if c.Value != -1 || c.Send {
			word(c.Value, int(v.p.Types[c.Elem].Words))
		}
	}
}

func (v *verifier) jumpTable(i *Instr) {
	n := int(i.Hi())
	if v.pc+n >= len(v.fn.Code) || n < 0 {
		v.badf("a table of %d jumps", n)
		return
	}
	for k := 1; k <= n; k++ {
		if v.fn.Code[v.pc+k].Op != OpJmp {
			v.badf("entry %d of the table is no jump", k-1)
		}
	}
}

// widths is how many words the operands of an instruction take, where the
// opcode alone does not tell.
func (v *verifier) widths(i *Instr) (w [3]int) {
	p := v.p
	typ := func(n int) *Type { return &p.Types[n] }
	imm := int(min(max(i.Imm, -1), 1<<20))
	bytes := func(n uint32) int { return int((uint64(n) + 7) / 8) }
	switch i.Op {
	case OpMovn:
		w[0], w[1] = imm, imm
	case OpZero:
		w[0] = imm
	case OpLdn, OpFldn:
		w[0] = bytes(i.Hi())
	case OpStn, OpFstn:
		w[1] = bytes(i.Hi())
	case OpAppendf:
		size := uint64(i.Hi()) * uint64(typ(int(i.Lo())).Size)
		w[2] = int(min((size+7)/8, 1<<20))
	case OpSlice, OpSlicestr, OpSlicearr:
		for k := range 3 {
			if i.Hi()>>k&1 != 0 {
				w[2] = k + 1
			}
		}
		if i.Op == OpSlicearr {
			w[2] = 4
		}
	case OpConcatn:
		w[1] = min(2*imm, 1<<20)
	case OpMapget:
		w[0], w[2] = int(typ(typ(imm).Elem).Words), int(typ(typ(imm).Key).Words)
	case OpMapget2:
		w[0], w[2] = int(typ(typ(imm).Elem).Words)+1, int(typ(typ(imm).Key).Words)
	case OpMapset:
		w[1], w[2] = int(typ(typ(imm).Key).Words), int(typ(typ(imm).Elem).Words)
	case OpMapdel:
		w[2] = int(typ(typ(imm).Key).Words)
	case OpMapnext:
		w[0] = 1
		if i.C&1 != 0 {
			w[0] += int(typ(typ(imm).Key).Words)
		}
		if i.C&2 != 0 {
			w[0] += int(typ(typ(imm).Elem).Words)
		}
	case OpSend, OpEqt:
		w[1], w[2] = int(typ(imm).Words), int(typ(imm).Words)
	case OpRecv:
		w[0] = int(typ(imm).Words) + int(i.C&RecvOk)
	case OpMkiface:
		w[1] = int(typ(p.Ifaces[imm].Type).Words)
	case OpAssert, OpAsserti:
		w[0] = int(typ(p.Asserts[imm].Target).Words) + int(i.C)
	case OpMkclosure:
		w[1] = int(i.C)
	case OpRetn:
		w[1] = imm
	case OpPrint:
		w[1] = printWords[imm]
	}
	return w
}

var printWords = [...]int{
	PrintBool: 1, PrintInt: 1, PrintUint: 1, PrintFloat64: 1, PrintFloat32: 1, PrintComplex128: 2, PrintComplex64: 1,
	PrintString: 2, PrintPointer: 1, PrintIface: 2, PrintSlice: 3, PrintSpace: 0, PrintNewline: 0, PrintHex: 1,
}

// accessSize is how many bytes an access to the frame touches.
var accessSize = map[Op]int64{
	OpFld8u: 1, OpFld8s: 1, OpFld16u: 2, OpFld16s: 2, OpFld32u: 4, OpFld32s: 4, OpFst8: 1, OpFst16: 2, OpFst32: 4,
	OpFldx8u: 1, OpFldx8s: 1, OpFldx16u: 2, OpFldx16s: 2, OpFldx32u: 4, OpFldx32s: 4, OpFldx64: 8,
	OpFstx8: 1, OpFstx16: 2, OpFstx32: 4, OpFstx64: 8,
}

// frameAccess checks accesses to the frame at byte offsets. A computed index
// must have been checked by a bound directly before, or before other accesses
// with the same index.
func (v *verifier) frameAccess(i *Instr) {
	frame := int64(v.fn.Frame) * 8
	base, index := -1, 0
	switch i.Op {
	case OpFld8u, OpFld8s, OpFld16u, OpFld16s, OpFld32u, OpFld32s, OpFst8, OpFst16, OpFst32:
		if i.Imm < 0 || i.Imm+accessSize[i.Op] > frame {
			v.badf("byte %d of a frame of %d words", i.Imm, v.fn.Frame)
		}
	case OpFldn, OpFstn:
		if int64(i.Hi())+int64(i.Lo()) > frame {
			v.badf("byte %d and %d more of a frame of %d words", i.Lo(), i.Hi(), v.fn.Frame)
		}
	case OpBound:
		v.bounded, v.limit = int(i.B), i.Imm
		return
	case OpFldx8u, OpFldx8s, OpFldx16u, OpFldx16s, OpFldx32u, OpFldx32s, OpFldx64:
		base, index = int(i.B), int(i.C)
	case OpFstx8, OpFstx16, OpFstx32, OpFstx64:
		base, index = int(i.A), int(i.B)
	}
	if base < 0 {
		v.bounded = -1
		return
	}
	if v.bounded == index && v.limit == 0 && !v.landing() {
		return // the check fails always
	}
	if v.bounded != index || v.limit <= 0 || v.limit > 1<<20 || v.landing() {
		v.badf("index word %d is not checked", index)
		return
	}
	end := int64(base)*8 + (v.limit-1)*int64(i.Hi()) + int64(i.Lo()) + accessSize[i.Op]
	if end > frame {
		v.badf("byte %d of a frame of %d words", end, v.fn.Frame)
	}
	// What a load overwrites is no longer checked; a store may overwrite it too.
	if int(i.A) == v.bounded && Operands[i.Op][0].Def || base <= v.bounded && int64(v.bounded)*8 < end && Operands[i.Op][0].Use {
		v.bounded = -1
	}
}

// landing says whether the current instruction may be reached by a jump.
func (v *verifier) landing() bool {
	if v.targets == nil || v.targetsOf != v.number {
		v.targets, v.targetsOf = make(map[int]bool), v.number
		for k := range v.fn.Code {
			if v.fn.Code[k].Op < NumOps {
				if t, ok := v.fn.Code[k].Target(); ok {
					v.targets[t] = true
				}
			}
		}
		if v.fn.Recover >= 0 {
			v.targets[v.fn.Recover] = true
		}
	}
	return v.targets[v.pc]
}
