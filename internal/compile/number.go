package compile

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/load"
)

// A pointer that becomes a number is a plain move if the number is gone before anything else can happen: it becomes a pointer again, goes to a
// system call, or is compared for being equal with another pointer. Otherwise the program may keep it, in a register at least while it waits,
// and the number becomes a part of the state.

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

// insideLibrary is who gets to know the numbers of this function: nobody but the standard library, or others.
func (g *gen) insideLibrary() int64 {
	if path, ok := g.standard(); ok && path == "sync" {
		return bytecode.NumberInside
	}
	return bytecode.NumberKept
}

// asksAlignment reports whether the user's code asks by the number v of a pointer, which it does not keep, whether that is aligned.
func (g *gen) asksAlignment(v ssa.Value) bool {
	if _, library := g.standard(); library {
		return false
	}
	if number, ok := v.(*ssa.Convert); ok {
		if c, ok := number.X.(*ssa.Convert); ok {
			if p, ok := c.X.Type().Underlying().(*types.Pointer); ok && g.c.types.sizes.Alignof(p.Elem()) >= wordBytes {
				return false // it points to a type that is always aligned
			}
		}
	}
	return asksLowBits(v, make(map[ssa.Value]bool))
}

func asksLowBits(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(*v.Referrers(), func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.BinOp:
			return lowBits(use) || asksLowBits(use, seen)
		case *ssa.Convert:
			return asksLowBits(use, seen)
		case *ssa.ChangeType:
			return asksLowBits(use, seen)
		case *ssa.UnOp:
			return asksLowBits(use, seen)
		}
		return false
	})
}

// keepsNumber reports whether a pointer that has become the number v may be kept as one.
func (g *gen) keepsNumber(v ssa.Value) bool {
	path, library := g.standard()
	if library && !slices.Contains(libraryNumbers[path], g.fn.Name()) {
		return false
	}
	if !library {
		return !momentary(v)
	}
	return g.spreads(v, make(map[ssa.Value]bool))
}

// momentary reports whether nothing can happen between the instruction that makes the number v of a pointer and the last use of v, and of
// what is computed from it, and whether those uses tell nothing of the number.
func momentary(v ssa.Value) bool {
	block := v.(ssa.Instruction).Block()
	numbers, later := map[ssa.Value]bool{v: true}, false
	for _, in := range block.Instrs[slices.Index(block.Instrs, v.(ssa.Instruction))+1:] {
		if _, ok := in.(*ssa.DebugRef); ok {
			continue
		}
		uses := usesAny(in, numbers)
		if uses && later {
			return false
		}
		switch in := in.(type) {
		case *ssa.BinOp:
			switch {
			case !uses || lowBits(in):
			case in.Op == token.EQL || in.Op == token.NEQ:
				if !pointerOrZero(in.X) || !pointerOrZero(in.Y) {
					return false
				}
			case in.Op == token.LSS || in.Op == token.LEQ || in.Op == token.GTR || in.Op == token.GEQ:
				return false
			default:
				numbers[in] = true
			}
		case *ssa.Convert:
			if b, ok := in.Type().Underlying().(*types.Basic); uses && !(ok && b.Kind() == types.UnsafePointer) {
				numbers[in] = true
			}
		case *ssa.ChangeType:
			if uses {
				numbers[in] = true
			}
		case *ssa.UnOp:
			if in.Op == token.MUL || in.Op == token.ARROW {
				later = true
			} else if uses {
				numbers[in] = true
			}
		case *ssa.FieldAddr, *ssa.IndexAddr:
			if uses {
				return false
			}
		case *ssa.Call:
			b, builtin := in.Call.Value.(*ssa.Builtin)
			switch fn := in.Call.StaticCallee(); {
			case builtin && (b.Name() == "len" || b.Name() == "cap" || b.Name() == "print" || b.Name() == "println"):
			case uses && !(fn != nil && systemCall(fn)):
				return false
			default:
				later = true
			}
		default:
			if uses {
				return false
			}
			later = true
		}
	}
	for x := range numbers {
		for _, use := range *x.Referrers() {
			if use.Block() != block {
				if _, ok := use.(*ssa.DebugRef); !ok {
					return false
				}
			}
		}
	}
	return true
}

// usesAny reports whether an instruction uses one of some values.
func usesAny(in ssa.Instruction, values map[ssa.Value]bool) bool {
	var room [8]*ssa.Value
	return slices.ContainsFunc(in.Operands(room[:0]), func(x *ssa.Value) bool { return *x != nil && values[*x] })
}

// pointerOrZero reports whether a value is a pointer that has just become a number, or 0.
func pointerOrZero(v ssa.Value) bool {
	if c, ok := v.(*ssa.Const); ok {
		return c.Value != nil && constant.Sign(c.Value) == 0
	}
	c, ok := v.(*ssa.Convert)
	if !ok {
		return false
	}
	b, ok := c.X.Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// spreads reports whether a number that a function of the standard library has made of a pointer, or what is computed from it, may get out
// of the function.
func (g *gen) spreads(v ssa.Value, seen map[ssa.Value]bool) bool {
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
			case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
				continue
			}
			if lowBits(use) || !g.spreads(use, seen) {
				continue
			}
		case *ssa.UnOp, *ssa.ChangeType, *ssa.Phi:
			if !g.spreads(use.(ssa.Value), seen) {
				continue
			}
		case *ssa.Convert:
			if b, ok := use.Type().Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer ||
				ok && b.Info()&types.IsInteger != 0 && !g.spreads(use, seen) {
				continue
			}
		case *ssa.Call:
			if fn := use.Call.StaticCallee(); fn != nil && keepsAlive(fn) {
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

// systemCall reports whether a function makes a system call and nothing else: one of package syscall, or one that has no body, as those of
// golang.org/x/sys/unix.
func systemCall(fn *ssa.Function) bool {
	named := strings.HasPrefix(fn.Name(), "Syscall") || strings.HasPrefix(fn.Name(), "RawSyscall") || strings.HasPrefix(fn.Name(), "AllThreadsSyscall")
	return named && (len(fn.Blocks) == 0 || fn.Pkg != nil && fn.Pkg.Pkg.Path() == "syscall")
}

// wordBytes is the size of a word, to which objects are aligned here.
const wordBytes = 8

// lowBits reports whether an operation keeps only bits that tell nothing of the object: whether a pointer is aligned.
func lowBits(v *ssa.BinOp) bool {
	c, ok := v.Y.(*ssa.Const)
	if !ok || c.Value == nil {
		return false
	}
	k := uint64(intConst(c.Value))
	switch v.Op {
	case token.AND:
		return k < wordBytes
	case token.REM:
		return k == 1 || k == 2 || k == 4 || k == wordBytes
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
	if path, library := g.standard(); library && !(path == "reflect" && g.fn.Name() == "InterfaceData") {
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
