package evalorder

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A known is what is known of a declaration before it is rewritten.
type known struct {
	shared map[*types.Var]bool           // variables that a call may change, although it does not name them
	jumps  map[types.Object][]*ast.Ident // the labels of goto statements
}

// look finds the variables of a declaration whose address is taken or that a func literal uses that is inside of their function, and
// its goto statements.
func look(decl ast.Decl, info *types.Info) *known {
	k := &known{shared: make(map[*types.Var]bool), jumps: make(map[types.Object][]*ast.Ident)}
	home := make(map[types.Object]ast.Node)
	var funcs, nodes []ast.Node // those that are open
	ast.Inspect(decl, func(n ast.Node) bool {
		if n == nil {
			if last := len(nodes) - 1; last >= 0 {
				if isFunc(nodes[last]) {
					funcs = funcs[:len(funcs)-1]
				}
				nodes = nodes[:last]
			}
			return true
		}
		nodes = append(nodes, n)
		if isFunc(n) {
			funcs = append(funcs, n)
		}
		if len(funcs) == 0 {
			return true
		}
		current := funcs[len(funcs)-1]
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := info.Defs[n].(*types.Var); ok {
				home[v] = current
			} else if v, ok := info.Uses[n].(*types.Var); ok && !v.IsField() && home[v] != current {
				k.shared[v] = true
			}
		case *ast.CaseClause:
			if v := info.Implicits[n]; v != nil {
				home[v] = current
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				k.share(n.X, info)
			}
		case *ast.SliceExpr:
			if isArray(info.TypeOf(n.X)) {
				k.share(n.X, info)
			}
		case *ast.SelectorExpr:
			if sel := info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal && takesAddress(sel) {
				k.share(n.X, info)
			}
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				label := info.Uses[n.Label]
				k.jumps[label] = append(k.jumps[label], n.Label)
			}
		}
		return true
	})
	return k
}

func isFunc(n ast.Node) bool {
	switch n.(type) {
	case *ast.FuncDecl, *ast.FuncLit:
		return true
	}
	return false
}

// share notes that the address of an expression is taken.
func (k *known) share(x ast.Expr, info *types.Info) {
	for {
		switch e := x.(type) {
		case *ast.ParenExpr:
			x = e.X
		case *ast.SelectorExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.Ident:
			if v, ok := info.Uses[e].(*types.Var); ok {
				k.shared[v] = true
			}
			return
		default:
			return
		}
	}
}

// changes says whether a variable may be changed by a call that does not name it, as far as is known.
func (k *known) changes(v *types.Var) bool {
	return k == nil || k.shared[v] || v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}
