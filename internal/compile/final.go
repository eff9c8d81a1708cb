package compile

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A variable that a function literal uses lives in the heap, and the literal has
// its address. Most of them get a value before there is a literal and never
// another one:
//
//	conn, err := l.Accept()
//	go func() { serve(conn) }()
//
// That one of these is read depends on nothing that others do, which a search
// wants to know. (The Go compiler copies the value into the closure instead.)

// final reports whether a variable is assigned at most once, not only in the text, and
// that before any literal has its address and before it is read.
func final(a *ssa.Alloc) bool {
	var store *ssa.Store
	captured := false
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != ssa.Value(a) || r.Val == ssa.Value(a) || store != nil {
				return false
			}
			store = r
		case *ssa.MakeClosure:
			captured = true
			if !capturedToRead(r, a) {
				return false
			}
		case *ssa.UnOp:
			if r.Op != token.MUL {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	if !captured || store == nil {
		return captured
	}
	if again(store, a) {
		return false
	}
	for _, r := range *a.Referrers() {
		if _, note := r.(*ssa.DebugRef); !note && r != ssa.Instruction(store) && !before(store, r) {
			return false
		}
	}
	return true
}

// again reports whether a store may be executed twice for one variable: it is in a
// loop, and the variable is declared outside.
func again(store *ssa.Store, a *ssa.Alloc) bool {
	seen := map[*ssa.BasicBlock]bool{a.Block(): true}
	var reaches func(b *ssa.BasicBlock) bool
	reaches = func(b *ssa.BasicBlock) bool {
		for _, s := range b.Succs {
			if s == store.Block() && s != a.Block() {
				return true
			}
			if !seen[s] {
				seen[s] = true
				if reaches(s) {
					return true
				}
			}
		}
		return false
	}
	return reaches(store.Block())
}

// capturedToRead reports whether a literal that has captured an address only reads
// what is there, and so do the literals to which it hands the address on.
func capturedToRead(c *ssa.MakeClosure, addr ssa.Value) bool {
	fn := c.Fn.(*ssa.Function)
	for i, b := range c.Bindings {
		if b == addr && !onlyRead(fn.FreeVars[i]) {
			return false
		}
	}
	return true
}

func onlyRead(v *ssa.FreeVar) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			if r.Op != token.MUL {
				return false
			}
		case *ssa.MakeClosure:
			if !capturedToRead(r, v) {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// before reports whether an instruction is executed before another one whenever
// that is.
func before(first, then ssa.Instruction) bool {
	b, c := first.Block(), then.Block()
	if b != c {
		return b.Dominates(c)
	}
	for _, instr := range b.Instrs {
		switch instr {
		case first:
			return true
		case then:
			return false
		}
	}
	return false
}
