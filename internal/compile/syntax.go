package compile

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A few constructs of the language are not evaluated, which SSA form does not
// tell: the questions here are answered by the syntax tree.

// assignsItself says whether the identifier at a position is the right side of x = x,
// or the operand of a return statement. By way of another variable, as in
// y := x; x = y, x is read and written.
func (g *gen) assignsItself(pos token.Pos) bool {
	return pos.IsValid() && g.contains(func(n ast.Node) bool {
		var from []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN {
				from = n.Rhs
			}
		case *ast.ReturnStmt:
			from = n.Results
		}
		for _, x := range from {
			if x = ast.Unparen(x); x.Pos() == pos {
				_, ok := x.(*ast.Ident)
				return ok
			}
		}
		return false
	})
}

// contains says whether some node of the function's syntax has a property.
func (g *gen) contains(is func(ast.Node) bool) bool {
	if g.fn == nil || g.fn.Syntax() == nil {
		return false
	}
	found := false
	ast.Inspect(g.fn.Syntax(), func(n ast.Node) bool {
		found = found || n != nil && is(n)
		return !found
	})
	return found
}

// selectsVariable says whether the operand of the unsafe.Offsetof call at a
// position is a field of a variable, x.f, so that all selections on the way to f
// are those of embedded structs.
func (g *gen) selectsVariable(lparen token.Pos) bool {
	return g.contains(func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Lparen != lparen || len(call.Args) != 1 {
			return false
		}
		sel, ok := ast.Unparen(call.Args[0]).(*ast.SelectorExpr)
		if !ok {
			return false
		}
		_, ok = ast.Unparen(sel.X).(*ast.Ident)
		return ok
	})
}

// onlyMeasured says whether a value is only the operand of unsafe.Sizeof and the
// like, which do not evaluate it.
func onlyMeasured(v ssa.Value) bool {
	refs := *v.Referrers()
	for _, ref := range refs {
		call, ok := ref.(*ssa.Call)
		if !ok {
			return false
		}
		b, ok := call.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "Sizeof" && b.Name() != "Alignof" && b.Name() != "Offsetof" {
			return false
		}
	}
	return len(refs) > 0
}
