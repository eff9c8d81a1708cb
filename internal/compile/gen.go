package compile

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
)

// A gen turns one function into bytecode, in these steps:
//
//	lower     SSA instructions to instructions on virtual registers (instr.go)
//	rotate    copy the test of a loop to its end (rotate.go)
//	faint     drop what only computes values for itself (faint.go)
//	liveness  which words are live where (liveness.go)
//	coalesce  make the two sides of a copy one register (coalesce.go)
//	place     give registers words of the frame (place.go)
//	emit      bytecode, register maps, lines (emit.go)
type gen struct {
	c   *compiler
	fn  *ssa.Function
	out *bytecode.Func

	layout
	registers
	lowering
	facts

	scribe  *scribe // nil unless it is to be told where variables are
	nth     int32   // number of the SSA instruction that is lowered, for it
	lv      liveness
	al      allocator
	lastPos token.Pos // of the last line that was emitted
}

// A layout is the blocks of the function in the making.
type layout struct {
	blocks  []*block
	made    []*block // all blocks, also those that are not in the layout
	free    []*block // blocks of the last function: made goes over them
	cold    []*block // blocks to lay out last
	blockOf []*block // by index of the SSA block
	entry   *block
	recover *block
}

// The registers are virtual ones, and what of the function they hold.
type registers struct {
	vregs    []vreg
	vals     map[ssa.Value]reg
	tuples   map[ssa.Value][]reg // registers of components
	resident map[*ssa.Alloc]reg  // variables in registers
	closure  reg
	kept     []ref // parameters that are live until the function returns
}

// A lowering is where in the function the lowering is.
type lowering struct {
	cur   *block
	pos   token.Pos
	at    int    // index of the instruction that is lowered
	skips []bool // instructions of the block that an image stands for, see image
	calls int    // how many there are so far
}

// The facts are what was found out about the SSA form of the function.
type facts struct {
	folds    map[ssa.Value]bool           // addresses and loads that their uses take over
	gathered map[*ssa.Alloc]*vararg       // arrays of variable arguments, nil if not
	counters map[*ssa.BasicBlock]*ssa.Phi // see counter
	wild     wildness
	lends    int8                     // see lendsDefers
	needed   map[ssa.Instruction]bool // see initFunc; nil: all
	literals *literals                // that are data of the program
	indexed  *ssa.BasicBlock          // the long block that indices is about
	indices  map[ssa.Instruction]int
}

// newReg makes a virtual register of some words, none of which holds a pointer.
func (g *gen) newReg(words int) reg {
	if words == 0 {
		return reg{}
	}
	return g.newPtrReg(words, nil)
}

// newPtrReg makes a virtual register, which may have no words: the anchor of a
// group.
func (g *gen) newPtrReg(words int, ptrs []uint64) reg {
	g.vregs = append(g.vregs, vreg{words: int32(words), ptrs: ptrs, block: noBlock})
	return reg{v: int32(len(g.vregs))}
}

// regFor makes a virtual register for a value of type t.
func (g *gen) regFor(t *bytecode.Type) reg {
	if t.Words == 0 {
		return reg{}
	}
	return g.newPtrReg(int(t.Words), t.Ptrs)
}

func (g *gen) regOf(typ types.Type) reg { return g.regFor(g.typ(typ)) }

// typ is the machine's view of a type. A type whose registers do not fit a
// frame is refused.
func (g *gen) typ(typ types.Type) *bytecode.Type { return g.c.types.of(typ) }

// words is how many words a register of the type takes. It refuses what does
// not fit a frame.
func (g *gen) words(typ types.Type) int {
	t := g.typ(typ)
	if (t.Size+7)/8 > maxFrame {
		g.fail("a value of type %s in registers (%d bytes)", typ, t.Size)
	}
	return int(t.Words)
}

// maxFrame is how many words a frame may have.
const maxFrame = 65000

// bail is the panic that ends the lowering of a function.
type bail struct{ err *diag.Error }

// fail refuses the function.
func (g *gen) fail(format string, args ...any) {
	pos := g.pos
	if !pos.IsValid() && g.fn != nil {
		pos = g.fn.Pos()
	}
	panic(bail{diag.Unsupportedf(g.c.position(pos), format, args...)})
}

// emit appends an instruction to the current block.
func (g *gen) emit(i ins) {
	i.pos, i.nth = g.pos, g.nth
	g.cur.ins = append(g.cur.ins, i)
}

// op appends an instruction whose operands have the widths that the table of
// opcodes gives.
func (g *gen) op(op bytecode.Op, a, b, c reg, imm int64) {
	w := &bytecode.Operands[op]
	g.emit(ins{
		op: op, a: a, b: b, c: c, imm: imm,
		wa: uint16(w[0].Words), wb: uint16(w[1].Words), wc: uint16(w[2].Words),
	})
}

// opw appends an instruction with operands of given widths.
func (g *gen) opw(op bytecode.Op, a reg, wa int, b reg, wb int, c reg, wc int, imm int64) {
	g.emit(ins{op: op, a: a, b: b, c: c, imm: imm, wa: uint16(wa), wb: uint16(wb), wc: uint16(wc)})
}

// move copies words between registers.
func (g *gen) move(dst, src reg, words int) {
	if words == 0 || dst == src {
		return
	}
	op := bytecode.OpMovn
	switch words {
	case 1:
		op = bytecode.OpMov
	case 2:
		op = bytecode.OpMov2
	case 3:
		op = bytecode.OpMov3
	}
	imm := int64(0)
	if op == bytecode.OpMovn {
		imm = int64(words)
	}
	g.opw(op, dst, words, src, words, reg{}, 0, imm)
}

// constant sets a word.
func (g *gen) constant(dst reg, v int64) { g.op(bytecode.OpConst, dst, reg{}, reg{}, v) }

// word is a new register that holds a constant.
func (g *gen) word(v int64) reg {
	r := g.newReg(1)
	g.constant(r, v)
	return r
}

// zero clears words.
func (g *gen) zero(dst reg, words int) {
	switch words {
	case 0:
	case 1:
		g.constant(dst, 0)
	default:
		g.opw(bytecode.OpZero, dst, words, reg{}, 0, reg{}, 0, int64(words))
	}
}

// jump ends the current block with a jump.
func (g *gen) jump(to *block) { g.cur.term = term{op: bytecode.OpJmp, then: to, pos: g.pos} }

// branch ends the current block with a conditional jump and continues in els,
// which the caller has just made.
func (g *gen) branch(op bytecode.Op, b, c reg, imm int32, then, els *block) {
	g.cur.term = term{op: op, b: b, c: c, imm: imm, then: then, els: els, pos: g.pos}
}

// tie asks for register r to begin off words after the anchor.
func (g *gen) tie(anchor, r reg, off int) {
	if r.ok() {
		g.al.ties = append(g.al.ties, tie{anchor.v - 1, r.v - 1, int32(off)})
	}
}
