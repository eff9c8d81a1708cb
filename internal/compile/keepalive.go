package compile

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Functions with the directive go:uintptrescapes or go:uintptrkeepalive may get
// pointers as numbers of type uintptr, and what they point to lives until the
// function returns. So these parameters count as pointers and are live until
// then; the array behind variable arguments is one of pointers.

// keepsAlive says whether a function has one of the directives.
func keepsAlive(fn *ssa.Function) bool {
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || decl.Doc == nil {
		return false
	}
	for _, c := range decl.Doc.List {
		if c.Text == "//go:uintptrescapes" || c.Text == "//go:uintptrkeepalive" {
			return true
		}
	}
	return false
}

func isUintptr(typ types.Type) bool {
	b, ok := typ.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uintptr
}

// paramType is the type of a parameter that counts for the collector.
func (c *compiler) paramType(fn *ssa.Function, typ types.Type) types.Type {
	if isUintptr(typ) && keepsAlive(fn) {
		return types.Typ[types.UnsafePointer]
	}
	return typ
}

// keepParams makes the parameters of such a function live until it returns.
func (g *gen) keepParams() {
	if !keepsAlive(g.fn) {
		return
	}
	for _, p := range g.fn.Params {
		r := g.vals[p]
		if isUintptr(p.Type()) {
			g.vregs[r.v-1].ptrs = []uint64{1}
			g.kept = append(g.kept, ref{r, 1})
		} else if s, ok := p.Type().Underlying().(*types.Slice); ok && isUintptr(s.Elem()) {
			g.kept = append(g.kept, ref{r, 1})
		}
	}
}

// keep notes that a return uses the parameters that are kept.
func (g *gen) keep(x *extra) *extra {
	if len(g.kept) == 0 {
		return x
	}
	if x == nil {
		x = &extra{}
	}
	x.uses = append(x.uses, g.kept...)
	return x
}

// allocated is the type of the memory of a variable.
func (g *gen) allocated(v *ssa.Alloc) types.Type {
	typ := pointee(v)
	arr, ok := typ.Underlying().(*types.Array)
	if !ok || v.Comment != "varargs" || !isUintptr(arr.Elem()) {
		return typ
	}
	for _, ref := range *v.Referrers() {
		s, ok := ref.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, use := range *s.Referrers() {
			if call, ok := use.(ssa.CallInstruction); ok {
				if fn := call.Common().StaticCallee(); fn != nil && keepsAlive(fn) {
					return types.NewArray(types.Typ[types.UnsafePointer], arr.Len())
				}
			}
		}
	}
	return typ
}
