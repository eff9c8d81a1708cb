package compile

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// Locals say where the variables of functions are while they execute. They are no part of a program: who wants them has it compiled
// once more, from a load.Program with names, and gets the same code.
//
//	DebugRef x is t3 ─► before this instruction x is t3 ─► t3 is in word 5 ─► at pc 17, x is in word 5
//
// A variable that nothing reads any more may be gone: its word of the frame has another value then, and it is told as Gone. What is
// told is right, or not told.
type Locals struct {
	Funcs map[int][]Spot // by function number, in the order of PC
}

// A Spot is what is known of the variables of a function before an instruction.
type Spot struct {
	PC   int32
	Vars []Var
}

// At returns what is known at an instruction, nil if nothing is.
func (l *Locals) At(fn, pc int) []Var {
	if l == nil {
		return nil
	}
	spots := l.Funcs[fn]
	i, ok := slices.BinarySearchFunc(spots, int32(pc), func(s Spot, pc int32) int { return int(s.PC - pc) })
	if !ok {
		return nil
	}
	return spots[i].Vars
}

// A Var is where a variable is.
type Var struct {
	Name  string
	Type  int // of the variable, -1 if it is not known
	How   How
	Param bool
	Slot  int32  // word of the frame, unless it is a constant or gone
	Off   uint32 // Captured: where the pointer is in the closure
	Text  string // Constant: its value
	// Window says that the word is one of those that the function that is called here gets as its own.
	Window bool
}

// A How is how a variable is found.
type How uint8

// The ways.
const (
	Gone     How = iota // it has a value, which is not kept
	InFrame             // the word, and those behind it, is the variable
	Behind              // the word points to the variable
	Captured            // the word points to the closure, which has a pointer to the variable
	Constant            // it is a constant
)

// A mention is that a variable has a value from an instruction on.
type mention struct {
	at   int // index of the instruction in its block
	obj  types.Object
	what bound
}

// A bound is the value of a variable, or its address.
type bound struct {
	v    ssa.Value
	addr bool
}

// A scribe makes the locals of one function.
type scribe struct {
	g        *gen
	mentions [][]mention // by block
	starts   []int32     // by block: number of its first instruction
	before   []map[types.Object]bound
	list     []noted
	intact   map[kept]map[*block]bool // see keeps

	uses, defs []ref
}

// A noted is an instruction that was emitted.
type noted struct {
	pc    int32
	block *block
	index int32
}

// newScribe takes the notes about names out of a function, so that it is what it would be without them.
func newScribe(fn *ssa.Function) *scribe {
	s := &scribe{intact: make(map[kept]map[*block]bool), mentions: make([][]mention, len(fn.Blocks)), starts: make([]int32, len(fn.Blocks))}
	at := int32(1) // 0 is for what belongs to no instruction
	for i, b := range fn.Blocks {
		s.starts[i] = at
		kept := b.Instrs[:0]
		for _, instr := range b.Instrs {
			ref, ok := instr.(*ssa.DebugRef)
			if !ok {
				kept = append(kept, instr)
				continue
			}
			if users := ref.X.Referrers(); users != nil {
				*users = slices.DeleteFunc(*users, func(u ssa.Instruction) bool { return u == instr })
			}
			if v, ok := ref.Object().(*types.Var); ok && !v.IsField() && v.Name() != "_" {
				s.mentions[i] = append(s.mentions[i], mention{len(kept), v, bound{ref.X, ref.IsAddr}})
			}
		}
		b.Instrs = kept
		at += int32(len(kept))
	}
	s.mentionInMemory(fn)
	return s
}

// mentionInMemory finds the variables that are in memory. What is read from them or stored into them is not what they are later.
func (s *scribe) mentionInMemory(fn *ssa.Function) {
	vars := make(map[token.Pos]types.Object)
	for _, list := range s.mentions {
		for _, m := range list {
			vars[m.obj.Pos()] = m.obj
		}
	}
	for _, p := range fn.Params {
		if o, _ := p.Object().(*types.Var); o != nil {
			vars[o.Pos()] = o
		}
	}
	for v := range fn.Signature.Results().Variables() {
		vars[v.Pos()] = v
	}
	inMemory := make(map[types.Object]bool)
	for _, fv := range fn.FreeVars {
		inMemory[vars[fv.Pos()]] = true
	}
	found := make([][]mention, len(fn.Blocks))
	for n, b := range fn.Blocks {
		for i, instr := range b.Instrs {
			if a, ok := instr.(*ssa.Alloc); ok && a.Pos().IsValid() {
				if o := vars[a.Pos()]; o != nil && o.Name() == a.Comment && o.Name() != "_" && o.Name() != "" {
					found[n] = append(found[n], mention{i + 1, o, bound{a, true}})
					inMemory[o] = true
				}
			}
		}
	}
	for n := range s.mentions {
		list := slices.DeleteFunc(s.mentions[n], func(m mention) bool { return inMemory[m.obj] })
		s.mentions[n] = append(list, found[n]...)
		slices.SortStableFunc(s.mentions[n], func(a, b mention) int { return a.at - b.at })
	}
}

// tells says which instruction is lowered.
func (g *gen) tells(b *ssa.BasicBlock, i int) {
	if g.scribe != nil {
		g.nth = g.scribe.starts[b.Index] + int32(i)
	}
}

// note notes that an instruction is emitted next.
func (s *scribe) note(pc int32, b *block, index int) {
	if s != nil {
		s.list = append(s.list, noted{pc, b, int32(index)})
	}
}

// flow finds out what variables are at the beginning of each block. Where the ways to a block do not agree, and no phi says so,
// it is not known.
func (s *scribe) flow(fn *ssa.Function) {
	s.before = make([]map[types.Object]bound, len(fn.Blocks))
	s.before[0] = make(map[types.Object]bound)
	for _, p := range fn.Params {
		if o, _ := p.Object().(*types.Var); o != nil && o.Name() != "" && o.Name() != "_" {
			s.before[0][o] = bound{v: p}
		}
	}
	after := make([]map[types.Object]bound, len(fn.Blocks))
	for turn := 0; ; turn++ {
		changed := false
		for i, b := range fn.Blocks {
			if i > 0 && b != fn.Recover {
				now := s.meet(b, after, turn > 2*len(fn.Blocks))
				if now == nil {
					continue
				}
				s.before[i] = now
			}
			if s.before[i] == nil {
				continue
			}
			out := make(map[types.Object]bound, len(s.before[i]))
			for o, x := range s.before[i] {
				out[o] = x
			}
			for _, m := range s.mentions[i] {
				out[m.obj] = m.what
			}
			if !sameBounds(after[i], out) {
				after[i], changed = out, true
			}
		}
		if !changed || turn > 4*len(fn.Blocks) {
			return
		}
	}
}

func sameBounds(a, b map[types.Object]bound) bool {
	if a == nil || len(a) != len(b) {
		return false
	}
	for o, x := range a {
		if y, ok := b[o]; !ok || !x.is(y) {
			return false
		}
	}
	return true
}

// is reports whether two are the same value.
func (x bound) is(y bound) bool {
	if x == y {
		return true
	}
	a, ok := x.v.(*ssa.Const)
	b, ok2 := y.v.(*ssa.Const)
	return ok && ok2 && x.addr == y.addr && types.Identical(a.Type(), b.Type()) && (a.Value == nil && b.Value == nil ||
		a.Value != nil && b.Value != nil && a.Value.Kind() == b.Value.Kind() && constant.Compare(a.Value, token.EQL, b.Value))
}

// meet puts together what is known at the ends of the blocks before one, nil if none was reached yet. A value of nil is one that is not known.
func (s *scribe) meet(b *ssa.BasicBlock, after []map[types.Object]bound, strict bool) map[types.Object]bound {
	var out map[types.Object]bound
	for _, p := range b.Preds {
		if after[p.Index] == nil {
			continue
		}
		if out == nil {
			out = make(map[types.Object]bound)
		}
		for o := range after[p.Index] {
			out[o] = bound{}
		}
	}
	for o := range out {
		out[o] = s.agreed(b, after, o, strict)
	}
	return out
}

// agreed is what a variable is at the beginning of a block.
func (s *scribe) agreed(b *ssa.BasicBlock, after []map[types.Object]bound, o types.Object, strict bool) bound {
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		fits := phi.Comment == o.Name()
		for i, p := range b.Preds {
			if m := after[p.Index]; fits && m != nil {
				x, ok := m[o]
				fits = ok && !x.addr && x.is(bound{v: phi.Edges[i]})
			}
		}
		if fits {
			return bound{v: phi}
		}
	}
	var one bound
	first := true
	for _, p := range b.Preds {
		m := after[p.Index]
		if m == nil {
			if strict {
				return bound{}
			}
			continue
		}
		x := m[o]
		if !first && !x.is(one) {
			return bound{}
		}
		one, first = x, false
	}
	return one
}

// spots returns what is known at the instructions that matter: where a line begins, or a goroutine may stand.
func (s *scribe) spots() (list []Spot) {
	if s == nil || s.g == nil || s.g.fn == nil || len(s.g.fn.Blocks) == 0 {
		return nil
	}
	g := s.g
	s.flow(g.fn)
	wanted := make(map[int32]bool)
	for _, l := range g.out.Lines {
		wanted[l.PC] = true
	}
	for _, p := range g.out.Points {
		wanted[p.PC] = true
	}
	for _, n := range s.list {
		i := &n.block.ins[n.index]
		nth := i.nth
		if nth == 0 && n.block == g.entry {
			nth = 1 // what is loaded at the beginning
		}
		if !wanted[n.pc] || nth == 0 {
			continue
		}
		if vars := s.at(n, nth, i.pos); len(vars) > 0 {
			list = append(list, Spot{n.pc, vars})
		}
	}
	slices.SortStableFunc(list, func(a, b Spot) int { return int(a.PC - b.PC) })
	return slices.CompactFunc(list, func(a, b Spot) bool { return a.PC == b.PC })
}

// at lists the variables before an instruction: those that were captured, parameters, and others in the order of their declaration.
func (s *scribe) at(n noted, nth int32, pos token.Pos) (vars []Var) {
	g := s.g
	block, _ := slices.BinarySearch(s.starts, nth+1)
	block--
	if s.before[block] == nil {
		return nil
	}
	now := make(map[types.Object]bound)
	for o, x := range s.before[block] {
		now[o] = x
	}
	for _, m := range s.mentions[block] {
		if int32(m.at) <= nth-s.starts[block] {
			now[m.obj] = m.what
		}
	}
	var objs []types.Object
	for o := range now {
		scope := o.Parent()
		if strings.ContainsAny(o.Name(), "·$.") || scope != nil && pos.IsValid() && (!scope.Contains(pos) || o.Pos() > pos) {
			continue
		}
		objs = append(objs, o)
	}
	slices.SortFunc(objs, func(a, b types.Object) int {
		if a.Pos() != b.Pos() {
			return int(a.Pos() - b.Pos())
		}
		return strings.Compare(a.Name(), b.Name())
	})
	for _, fv := range g.fn.FreeVars {
		if _, ok := fv.Type().Underlying().(*types.Pointer); ok && g.fn.Synthetic == "" {
			vars = append(vars, s.captured(n, fv))
		}
	}
	for _, o := range objs {
		v := s.place(n, o, now[o])
		_, ok := slices.BinarySearchFunc(g.fn.Params, o.Pos(), func(p *ssa.Parameter, pos token.Pos) int { return int(p.Pos() - pos) })
		v.Param = ok
		vars = append(vars, v)
	}
	for k := len(vars) - 1; k > 0; k-- { // what is declared last hides others
		vars = slices.Concat(slices.DeleteFunc(slices.Clone(vars[:k]), func(v Var) bool { return v.Name == vars[k].Name }), vars[k:])
		k = min(k, len(vars)-1)
	}
	return vars
}

// captured is where a captured variable is.
func (s *scribe) captured(n noted, fv *ssa.FreeVar) Var {
	g := s.g
	v := Var{Name: fv.Name(), Type: g.c.types.index(pointee(fv))}
	if r, ok := g.vals[fv]; ok && s.holds(&v, n, r, 1) {
		v.How = Behind
		return v
	}
	if !s.holds(&v, n, g.closure, 1) {
		return v
	}
	v.How, v.Off = Captured, wordSize
	for _, o := range g.fn.FreeVars {
		if o == fv {
			break
		}
		v.Off += uint32(wordSize * g.words(o.Type()))
	}
	return v
}

// place is where a variable is.
func (s *scribe) place(n noted, o types.Object, x bound) Var {
	g := s.g
	if x.v == nil {
		return Var{Name: o.Name(), Type: -1}
	}
	typ := x.v.Type() // that of the object may be a type parameter
	if x.addr {
		typ = pointee(x.v)
	}
	v := Var{Name: o.Name(), Type: g.c.types.index(typ)}
	switch b := x.v.(type) {
	case *ssa.Const:
		v.How, v.Text = Constant, constText(b)
		return v
	case *ssa.Function:
		v.How, v.Text = Constant, b.Name()
		return v
	case *ssa.Alloc:
		if r, ok := g.resident[b]; ok && x.addr {
			if s.holds(&v, n, r, g.width(r)) {
				v.How = InFrame
			}
			return v
		}
	}
	r, ok := g.vals[x.v]
	switch {
	case !ok:
	case x.addr:
		if s.holds(&v, n, r, 1) {
			v.How = Behind
		}
	case s.holds(&v, n, r, int(g.typ(x.v.Type()).Words)):
		v.How = InFrame
	}
	return v
}

// constText writes a constant as Go prints it.
func constText(c *ssa.Const) string {
	if c.Value == nil {
		switch t := c.Type().Underlying().(type) {
		case *types.Basic:
			if t.Info()&types.IsString != 0 {
				return `""`
			}
			if t.Info()&types.IsBoolean != 0 {
				return "false"
			}
			if t.Info()&types.IsNumeric != 0 {
				return "0"
			}
		case *types.Struct, *types.Array:
			return types.TypeString(c.Type(), func(p *types.Package) string { return p.Name() }) + "{}"
		}
		return "nil"
	}
	if b, ok := c.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
		return strconv.FormatFloat(c.Float64(), 'g', -1, 64)
	}
	return c.Value.ExactString()
}

// holds reports whether a register still has its value before an instruction, and says where: nothing else was put into its words since,
// on whatever way the instruction is reached.
func (s *scribe) holds(v *Var, n noted, r reg, words int) bool {
	g := s.g
	if !r.ok() || words == 0 {
		return false
	}
	v.Slot = g.vregs[r.v-1].slot + r.w
	if c := s.window(&n.block.ins[n.index]); c >= 0 && v.Slot+int32(words) > c {
		v.Window = true
	}
	k := kept{r, int32(words)}
	in, ok := s.intact[k]
	if !ok {
		in = s.keeps(k)
		s.intact[k] = in
	}
	has := in[n.block]
	for i := range n.block.ins[:n.index] {
		has = s.passes(k, &n.block.ins[i], has)
	}
	return has
}

// A kept is some words of a register that are to keep their value.
type kept struct {
	reg
	words int32
}

// keeps finds out at the beginning of which blocks words have their value.
func (s *scribe) keeps(k kept) map[*block]bool {
	g := s.g
	in, out, preds := make(map[*block]bool), make(map[*block]bool), make(map[*block][]*block)
	for _, b := range g.blocks {
		if b.table != nil {
			return nil // where it goes to is not told here
		}
		out[b] = true
		n, succs := b.term.succs()
		for _, to := range succs[:n] {
			preds[to] = append(preds[to], b)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, b := range g.blocks {
			has := b != g.entry && b != g.recover && len(preds[b]) > 0
			for _, p := range preds[b] {
				has = has && out[p]
			}
			in[b] = has
			for i := range b.ins {
				has = s.passes(k, &b.ins[i], has)
			}
			if out[b] != has {
				out[b], changed = has, true
			}
		}
	}
	return in
}

// passes reports whether words have their value behind an instruction, if that is said of before it.
func (s *scribe) passes(k kept, i *ins, has bool) bool {
	lo := s.g.vregs[k.v-1].slot + k.w
	hi := lo + k.words
	if c := s.window(i); c >= 0 && hi > c {
		has = false
	}
	s.uses, s.defs = i.refs(s.uses[:0], s.defs[:0])
	own := false
	for _, d := range s.defs {
		switch from := s.g.vregs[d.v-1].slot + d.w; {
		case d.v == k.v && d.w <= k.w && k.w+k.words <= d.w+d.words:
			own = true
		case d.v == k.v: // a part of it, which is a new value of the variable
		case from < hi && lo < from+d.words:
			has = false
		}
	}
	return has || own
}

// window is the first word that belongs to the function that an instruction calls, -1 if it calls none.
func (s *scribe) window(i *ins) int32 {
	if i.x == nil || i.op >= bytecode.NumOps || bytecode.Ops[i.op].Flags&bytecode.Call == 0 {
		return -1
	}
	if i.op == bytecode.OpRundefers {
		return s.g.al.frame
	}
	a := &s.g.vregs[s.g.al.calls[i.x.call].anchor]
	return a.slot
}
