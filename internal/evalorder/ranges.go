package evalorder

import (
	"go/ast"
	"go/token"
	"go/types"
)

// constantLength returns how often a loop over an array goes around that does not evaluate what it ranges over: at most one variable gets values,
// and the length of the array is a constant, since there are no calls and receives in the expression. Whether a pointer in it is nil, or an index out of range, makes
// no difference, and nothing of it is read.
func (p *pass) constantLength(s *ast.RangeStmt) (n int, ok bool) {
	if s.Value != nil {
		if id, ok := ast.Unparen(s.Value).(*ast.Ident); !ok || id.Name != "_" {
			return 0, false
		}
	}
	typ := types.Unalias(p.info.TypeOf(s.X))
	if _, param := typ.(*types.TypeParam); param {
		return 0, false
	}
	under := typ.Underlying()
	if ptr, ok := under.(*types.Pointer); ok {
		if under, ok = ptr.Elem().Underlying().(*types.Array); !ok {
			return 0, false
		}
		if _, param := types.Unalias(ptr.Elem()).(*types.TypeParam); param {
			return 0, false
		}
	}
	array, ok := under.(*types.Array)
	if !ok || p.callsOrReceives(s.X) {
		return 0, false
	}
	return int(array.Len()), true
}

// callsOrReceives reports whether an expression calls a function or receives from a channel, as the language has it for lengths of arrays: a conversion is no call, and neither is
// a call that is a constant.
func (p *pass) callsOrReceives(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || !p.info.Types[n.Fun].IsType() && p.info.Types[n].Value == nil
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}
