package compile

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/load"
)

// A pointer that becomes a number is a plain move if the number becomes a pointer again, goes to a system call, or is compared with
// another one for being equal, all in the same function. Otherwise the program may keep it, and the number becomes a part of
// the state.

// libraryNumbers are the functions of the standard library that hand out pointers as numbers, or keep them. Those of others
// it compares at once, to see whether two slices overlap.
var libraryNumbers = map[string][]string{
	"reflect": {"Pointer", "UnsafeAddr"},
	"fmt":     {"fmtPointer"},
	"sync":    {"check"}, // of copyChecker
}

// standard reports whether the function belongs to the standard library, and to which package.
func (g *gen) standard() (path string, ok bool) {
	fn := g.fn
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil {
		return "", false
	}
	return fn.Pkg.Pkg.Path(), g.c.library[fn.Pkg]
}

// libraryPackages are those of the standard library.
func libraryPackages(all []*load.Package) map[*ssa.Package]bool {
	library := make(map[*ssa.Package]bool)
	for _, p := range all {
		if p.Standard {
			library[p.SSA] = true
		}
	}
	return library
}

// insideLibrary is 1 if nobody but the standard library gets to know the numbers of this function.
func (g *gen) insideLibrary() int64 {
	if path, ok := g.standard(); ok && path == "sync" {
		return 1
	}
	return 0
}

// keepsNumber reports whether a pointer that has become the number v may be kept as one.
func (g *gen) keepsNumber(v ssa.Value) bool {
	path, library := g.standard()
	if library && !slices.Contains(libraryNumbers[path], g.fn.Name()) {
		return false
	}
	return g.spreads(v, library, make(map[ssa.Value]bool))
}

// spreads reports whether a number made of a pointer, or what is computed from it, may get out of the function.
func (g *gen) spreads(v ssa.Value, library bool, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, use := range *v.Referrers() {
		switch use := use.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.BinOp:
			switch use.Op {
			case token.EQL, token.NEQ:
				continue
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				if library {
					continue
				}
				return true
			}
			if lowBits(use) || !g.spreads(use, library, seen) {
				continue
			}
		case *ssa.UnOp, *ssa.ChangeType, *ssa.Phi:
			if !g.spreads(use.(ssa.Value), library, seen) {
				continue
			}
		case *ssa.Convert:
			if b, ok := use.Type().Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer ||
				ok && b.Info()&types.IsInteger != 0 && !g.spreads(use, library, seen) {
				continue
			}
		case *ssa.Call:
			if b, ok := use.Call.Value.(*ssa.Builtin); ok && (b.Name() == "print" || b.Name() == "println") {
				continue
			}
			if fn := use.Call.StaticCallee(); fn != nil && (keepsAlive(fn) || systemCall(fn)) {
				continue
			}
		case *ssa.Store:
			if e, ok := use.Addr.(*ssa.IndexAddr); ok && use.Val == v {
				if a, ok := e.X.(*ssa.Alloc); ok && !types.Identical(g.allocated(a), pointee(a)) {
					continue // a variable argument of a system call
				}
			}
		}
		return true
	}
	return false
}

// systemCall reports whether a function makes a system call and nothing else: it has no body, as those of golang.org/x/sys/unix.
func systemCall(fn *ssa.Function) bool {
	return len(fn.Blocks) == 0 && (strings.HasPrefix(fn.Name(), "Syscall") || strings.HasPrefix(fn.Name(), "RawSyscall"))
}

// lowBits reports whether an operation keeps only bits that tell nothing of the object: whether a pointer is aligned.
func lowBits(v *ssa.BinOp) bool {
	c, ok := v.Y.(*ssa.Const)
	if !ok || c.Value == nil {
		return false
	}
	k := uint64(intConst(c.Value))
	switch v.Op {
	case token.AND:
		return k < 1<<32
	case token.REM:
		return k != 0 && k <= 1<<32 && k&(k-1) == 0
	}
	return false
}

// pun has the machine look, where an unsafe.Pointer becomes a pointer to a type with numbers in it, whether they
// are pointers in truth. The standard library knows what it does.
func (g *gen) pun(x ssa.Value, to types.Type) {
	b, ok := x.Type().Underlying().(*types.Basic)
	p, isPtr := to.Underlying().(*types.Pointer)
	if !ok || b.Kind() != types.UnsafePointer || !isPtr {
		return
	}
	if _, library := g.standard(); library {
		return
	}
	t := g.typ(p.Elem())
	if t.Size == 0 || allPtrs(t) {
		return
	}
	g.op(bytecode.OpPun, reg{}, g.use(x), reg{}, int64(g.c.types.index(p.Elem())))
}

// allPtrs reports whether all words of a type are pointers.
func allPtrs(t *bytecode.Type) bool {
	for w := range t.Size / 8 {
		if int(w/64) >= len(t.Ptrs) || t.Ptrs[w/64]>>(w%64)&1 == 0 {
			return false
		}
	}
	return t.Size%8 == 0
}
