package compile

import (
	"go/token"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// A reg is one word of a virtual register, or the first of several. The zero
// reg is none.
type reg struct {
	v int32 // number of the virtual register plus one
	w int32 // word in it
}

// at is the register i words further.
func (r reg) at(i int) reg { return reg{r.v, r.w + int32(i)} }

func (r reg) ok() bool { return r.v != 0 }

// A vreg is a virtual register: some consecutive words that will get a place in
// the frame. Unlike an SSA value it may be assigned to more than once.
type vreg struct {
	words int32
	ptrs  []uint64 // bitmap of the words that hold pointers

	// liveness
	bit    int32 // number of its first word
	block  int32 // the block that mentions it, -1 if several do
	live   int32 // words that are live at the walk's position
	ranges []span
	room   [2]span // for the first ranges

	// allocation
	crosses []int32 // calls that it lives across

	unit int32
	off  int32 // its first word in the unit
	next int32 // the unit's next register, -1 at the end
	slot int32
}

// ptr says whether word w holds a pointer.
func (v *vreg) ptr(w int32) bool {
	return int(w>>6) < len(v.ptrs) && v.ptrs[w>>6]>>(w&63)&1 != 0
}

// Pseudo instructions.
const (
	opCopies = bytecode.NumOps + iota // x.copies, all at once
	opEntry                           // defines the parameters
	opKeep                            // uses registers, so that they live until then
	numOps
)

// An ins is an instruction on virtual registers. Its operands mean what the
// table of opcodes says, with these differences: jump targets are in the
// block's terminator; the frame offset of fld and fst is relative to register c;
// a function's registers in windows and groups are listed in x.
type ins struct {
	op         bytecode.Op
	wa, wb, wc uint16 // words of the operands
	n          uint16 // operand C if it is a number; of others, 1 if the index is an unsigned word
	a, b, c    reg
	nth        int32 // see scribe
	imm        int64
	pos        token.Pos
	x          *extra
}

// An extra holds what few instructions need.
type extra struct {
	uses, defs []ref // besides the operands
	copies     []pcopy
	sel        *bytecode.Select
	selRegs    []reg // of sel's cases: channel and value of each, then RecvOk, Index
	call       int   // number of the call, for those that are
}

// A ref is some words of a register.
type ref struct {
	reg
	words int32
}

// A pcopy is one of the copies of a parallel copy: from a register or of a
// constant.
type pcopy struct {
	dst, src ref
	con      bool
	imm      int64
}

// A block is a basic block of virtual instructions.
type block struct {
	ins   []ins
	term  term
	index int32 // position in layout
	depth int32 // of loops around it
	head  bool  // of a loop
	split bool  // made for the copies of an edge
	empty bool  // leaves no code

	reached   bool
	preds     int32
	first     int32 // number of its first instruction
	in, out   []uint64
	gen, kill []uint64

	table  *table // instead of term, if not nil
	pc     int32  // where its code begins
	target bool   // of a backward branch
}

// A term ends a block: a conditional jump to then or els, a jump to then, or
// nothing if the last instruction does not fall through.
type term struct {
	op        bytecode.Op // OpInvalid: none; OpJmp; or a conditional jump, taken to then
	b, c      reg
	imm       int32 // of a jump that compares with a constant
	then, els *block
	turns     [2]turn // what the ways to then and els are to loops
	pos       token.Pos
}

func (t *term) succs() (n int, s [2]*block) {
	switch t.op {
	case bytecode.OpInvalid:
		return 0, s
	case bytecode.OpJmp:
		return 1, [2]*block{t.then}
	}
	return 2, [2]*block{t.then, t.els}
}

// opFlags say what an instruction does with its operands.
type opFlags uint8

const (
	useA opFlags = 1 << iota
	useB
	useC
	defA
	defB
	defC
	isPure // may be dropped if its results are not used
	holds  // its results must not lie partly over its operands
)

var flags = opTable()

func opTable() (t [numOps]opFlags) {
	for op := range bytecode.NumOps {
		o := &bytecode.Operands[op]
		f := &t[op]
		for i, bit := range []opFlags{useA, useB, useC} {
			if o[i].Use {
				*f |= bit
			}
			if o[i].Def {
				*f |= bit << 3
			}
		}
		// To read memory that others may write is an effect: it may be one half of a race.
		const impure = bytecode.Visible | bytecode.Call | bytecode.Jump | bytecode.Ends | bytecode.Faults | bytecode.Memory
		if bytecode.Ops[op].Flags&impure == 0 && *f&(defA|defB) != 0 {
			*f |= isPure
		}
	}
	for _, op := range []bytecode.Op{
		bytecode.OpFld8u, bytecode.OpFld8s, bytecode.OpFld16u, bytecode.OpFld16s,
		bytecode.OpFld32u, bytecode.OpFld32s, bytecode.OpFldn,
	} {
		t[op] |= useC
	}
	for _, op := range []bytecode.Op{bytecode.OpFst8, bytecode.OpFst16, bytecode.OpFst32, bytecode.OpFstn} {
		t[op] |= useC | defC | isPure
	}
	for _, op := range []bytecode.Op{bytecode.OpFstx8, bytecode.OpFstx16, bytecode.OpFstx32, bytecode.OpFstx64} {
		t[op] |= isPure
	}
	// What allocates may be dropped too.
	for _, op := range []bytecode.Op{
		bytecode.OpNew, bytecode.OpNewfinal, bytecode.OpMkclosure, bytecode.OpMkiface, bytecode.OpConcat, bytecode.OpConcatn,
		bytecode.OpRunestr, bytecode.OpStrbytes, bytecode.OpStrrunes,
	} {
		t[op] |= isPure
	}
	for _, op := range []bytecode.Op{bytecode.OpStrnext, bytecode.OpChanlen, bytecode.OpRecover} {
		t[op] &^= isPure
	}
	// Operations that helpers of the machine implement.
	for _, op := range []bytecode.Op{
		bytecode.OpAppend, bytecode.OpAppendstr, bytecode.OpAppendf, bytecode.OpSlice, bytecode.OpSlicestr, bytecode.OpSlicearr,
		bytecode.OpConcat, bytecode.OpConcatn, bytecode.OpStrnext, bytecode.OpBytesstr, bytecode.OpStrbytes,
		bytecode.OpRunesstr, bytecode.OpStrrunes, bytecode.OpMinstr, bytecode.OpMaxstr,
		bytecode.OpMapget, bytecode.OpMapget2, bytecode.OpMapset, bytecode.OpMapnext, bytecode.OpMaprange,
		bytecode.OpRecv, bytecode.OpSelect, bytecode.OpMkiface, bytecode.OpAssert, bytecode.OpAsserti, bytecode.OpCvtiface,
		bytecode.OpMulc128, bytecode.OpDivc128,
	} {
		t[op] |= holds
	}
	t[opCopies] |= isPure
	return t
}

// refs appends the registers that an instruction uses and defines.
func (i *ins) refs(uses, defs []ref) (u, d []ref) {
	f := flags[i.op]
	if f&useA != 0 && i.wa > 0 {
		uses = append(uses, ref{i.a, int32(i.wa)})
	}
	if f&useB != 0 && i.wb > 0 {
		uses = append(uses, ref{i.b, int32(i.wb)})
	}
	if f&useC != 0 && i.wc > 0 {
		uses = append(uses, ref{i.c, int32(i.wc)})
	}
	if f&defA != 0 && i.wa > 0 {
		defs = append(defs, ref{i.a, int32(i.wa)})
	}
	if f&defB != 0 && i.wb > 0 {
		defs = append(defs, ref{i.b, int32(i.wb)})
	}
	if f&defC != 0 && i.wc > 0 {
		defs = append(defs, ref{i.c, int32(i.wc)})
	}
	if x := i.x; x != nil {
		uses = append(uses, x.uses...)
		defs = append(defs, x.defs...)
		for k := range x.copies {
			c := &x.copies[k]
			if !c.con {
				uses = append(uses, c.src)
			}
			defs = append(defs, c.dst)
		}
	}
	return uses, defs
}
