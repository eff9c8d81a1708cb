package compile

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A search must notice when a goroutine may come to the same place in the same
// state again, which takes a jump back. Most loops count: each turn adds a
// constant to a variable, so no two turns are in the same state. Their jumps back
// are marked.
//
//	for i := range n { … }   i' = i + 1: counted
//	for !done { … }          not counted
//
// So are those of loops in which no goroutine can be stopped, since all of a turn
// is then inside of one step.
//
// Why that is enough: a state that comes again closes a cycle of jumps in some
// frame. In a graph without gotos into loops there is one head on it that
// dominates the cycle. If all of the cycle's jumps to this head added to one and
// the same variable, it would not have its value again; and the variable is part
// of the state, since the next addition needs it. And between two of them there is
// a place where the goroutine stands in one of the states, unless they close the cycle alone. So one of the jumps is not
// marked. A goroutine that another one follows, as in func f() { …; go f() }, is
// no frame's business: see vm.launched.

// A turn says what an edge is to the loops of a function.
type turn uint8

const (
	noTurn  turn = iota // it does not lead back to the head of a loop
	counted             // it does, and adds to the variable that the loop counts by
	endless             // it does, and may not
)

// join is what two edges are together, of which one follows the other.
func (t turn) join(u turn) turn { return max(t, u) }

// turnOf returns what the edge between two blocks is. With two edges between
// them, both are the same.
func (g *gen) turnOf(from, to *ssa.BasicBlock) turn {
	if !to.Dominates(from) {
		return noTurn
	}
	if g.wild == unknownWild {
		g.wild = tame
		if irreducible(from.Parent()) {
			g.wild = isWild
		}
	}
	if g.wild == isWild {
		return endless
	}
	if !g.c.opts.AccessPoints && !stopsIn(from, to) {
		return counted
	}
	p := g.counter(to)
	if p == nil {
		return endless
	}
	for i, pred := range to.Preds {
		if pred == from && step(p, i) == 0 {
			return endless
		}
	}
	return counted
}

// counter returns the variable that the loop of a head counts by, or nil: the one
// that most of the edges back to it add to, and none subtracts from.
func (g *gen) counter(head *ssa.BasicBlock) *ssa.Phi {
	if p, ok := g.counters[head]; ok {
		return p
	}
	var best *ssa.Phi
	most := 0
	for _, instr := range head.Instrs {
		p, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if faint(p, make(map[ssa.Value]bool)) {
			continue // it is no part of the state, see dropFaint
		}
		n, sign := 0, 0
		for i, pred := range head.Preds {
			if !head.Dominates(pred) {
				continue
			}
			if s := step(p, i); s != 0 && (sign == 0 || s == sign) {
				sign = s
				n++
			} else if s != 0 {
				n, sign = -len(head.Preds), s
			}
		}
		if n > most {
			best, most = p, n
		}
	}
	if g.counters == nil {
		g.counters = make(map[*ssa.BasicBlock]*ssa.Phi)
	}
	g.counters[head] = best
	return best
}

// faint reports whether an integer is used for others only that are used for nothing else, and for itself.
func faint(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	for _, user := range *v.Referrers() {
		switch user := user.(type) {
		case *ssa.DebugRef:
		case *ssa.Phi:
			if !faint(user, seen) {
				return false
			}
		case *ssa.BinOp:
			switch user.Op {
			case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT: // which cannot panic
			default:
				return false
			}
			if !faint(user, seen) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// maxStep bounds what a loop counts by. With 64 bits and steps of at most 2^20,
// a variable has its value again after 2^44 turns at the earliest.
const maxStep = 1 << 20

// step returns the sign of the constant that an edge of a phi adds to it, 0 if it
// does something else. Integers of fewer than 64 bits are left out, and so are
// large constants: they come around soon.
func step(p *ssa.Phi, edge int) int {
	basic, ok := p.Type().Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 {
		return 0
	}
	switch basic.Kind() {
	case types.Int8, types.Uint8, types.Int16, types.Uint16, types.Int32, types.Uint32:
		return 0
	}
	sum, ok := p.Edges[edge].(*ssa.BinOp)
	if !ok || sum.X != ssa.Value(p) {
		return 0
	}
	c, ok := sum.Y.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0
	}
	if n, exact := constant.Int64Val(c.Value); !exact || n > maxStep || n < -maxStep {
		return 0
	}
	switch sum.Op {
	case token.ADD:
		return constant.Sign(c.Value)
	case token.SUB:
		return -constant.Sign(c.Value)
	}
	return 0
}

// irreducible reports whether a function has a cycle without a head that
// dominates it, as a goto into a loop makes one.
func irreducible(f *ssa.Function) bool {
	const (
		fresh = iota
		open
		done
	)
	state := make([]uint8, len(f.Blocks))
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		state[b.Index] = open
		for _, s := range b.Succs {
			if state[s.Index] == open && !s.Dominates(b) || state[s.Index] == fresh && visit(s) {
				return true
			}
		}
		state[b.Index] = done
		return false
	}
	return visit(f.Blocks[0]) || f.Recover != nil && state[f.Recover.Index] == fresh && visit(f.Recover)
}

// A wildness says whether a function is irreducible.
type wildness uint8

const (
	unknownWild wildness = iota
	tame
	isWild
)

// stopsIn reports whether a goroutine may be stopped in a turn that ends with an
// edge back to the head of a loop: at an operation of its own or of a function that
// is called there.
func stopsIn(from, head *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{head: true}
	if stopsAt(head) {
		return true
	}
	for todo := []*ssa.BasicBlock{from}; len(todo) > 0; {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if stopsAt(b) {
			return true
		}
		todo = append(todo, b.Preds...)
	}
	return false
}

// stopsAt reports whether a goroutine may be stopped in a block.
func stopsAt(b *ssa.BasicBlock) bool {
	for _, instr := range b.Instrs {
		switch instr := instr.(type) {
		case *ssa.Call:
			if fn, ok := instr.Call.Value.(*ssa.Builtin); !ok || !quietBuiltins[fn.Name()] {
				return true
			}
		case *ssa.Go, *ssa.Defer, *ssa.RunDefers, *ssa.Send, *ssa.Select:
			return true
		case *ssa.UnOp:
			if instr.Op == token.ARROW {
				return true
			}
		case *ssa.Next:
			if !instr.IsString {
				return true // the order of a map may be chosen
			}
		}
	}
	return false
}

// quietBuiltins are the builtin functions that call no others and do nothing that
// can be seen.
var quietBuiltins = map[string]bool{
	"append": true, "cap": true, "clear": true, "complex": true, "copy": true, "delete": true, "imag": true,
	"len": true, "max": true, "min": true, "real": true,
}
