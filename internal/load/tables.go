package load

import (
	"go/ast"
	"go/token"
)

// A table is a variable of the standard library whose initialiser does nothing but to make a
// composite value, as the ranges of package unicode, or to copy such a variable. If no code mentions it that may be executed,
// its value is left out; the variable stays, with its type.

// isTable reports whether a declaration of variables is one of a table.
func (t *trimmer) isTable(n *names, spec *ast.ValueSpec) bool {
	if len(spec.Names) != 1 || len(spec.Values) != 1 || t.linked[n.p.Path+"."+spec.Names[0].Name] {
		return false
	}
	return n.typeOfTable(spec) != nil && makesOnly(spec.Values[0])
}

// typeOfTable returns the type that a declaration says the variable has, nil if it has to be found out.
func (n *names) typeOfTable(spec *ast.ValueSpec) ast.Expr {
	if spec.Type != nil {
		return spec.Type
	}
	if id, ok := spec.Values[0].(*ast.Ident); ok {
		return n.typeOfCopied(id)
	}
	value, pointer := spec.Values[0], false
	if unary, ok := value.(*ast.UnaryExpr); ok && unary.Op == token.AND {
		value, pointer = unary.X, true
	}
	lit, ok := value.(*ast.CompositeLit)
	if !ok || lit.Type == nil {
		return nil
	}
	if array, ok := lit.Type.(*ast.ArrayType); ok {
		if _, counted := array.Len.(*ast.Ellipsis); counted {
			return nil
		}
	}
	if pointer {
		return &ast.StarExpr{Star: value.Pos(), X: lit.Type}
	}
	return lit.Type
}

// typeOfCopied returns the type of the table with a name, if it means the same in all files of the package.
func (n *names) typeOfCopied(id *ast.Ident) ast.Expr {
	if len(n.specs[id.Name]) != 1 {
		return nil
	}
	spec, ok := n.specs[id.Name][0].node.(*ast.ValueSpec)
	if !ok || len(spec.Names) != 1 {
		return nil
	}
	if spec.Type == nil {
		if len(spec.Values) != 1 {
			return nil
		}
		if _, copies := spec.Values[0].(*ast.Ident); copies {
			return nil // there is no end if they are copies of each other
		}
	}
	typ := n.typeOfTable(spec)
	named := typ
	if ptr, ok := typ.(*ast.StarExpr); ok {
		named = ptr.X
	}
	if _, ok := named.(*ast.Ident); !ok {
		return nil
	}
	return typ
}

// makesOnly reports whether to evaluate an expression has no effect, and does not fail.
func makesOnly(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit, *ast.Ident: // no functions without name: they have numbers
		return true
	case *ast.SelectorExpr: // of a package, or of a variable that is there
		_, ok := e.X.(*ast.Ident)
		return ok
	case *ast.ParenExpr:
		return makesOnly(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && makesOnly(e.X)
	case *ast.BinaryExpr:
		return e.Op != token.QUO && e.Op != token.REM && makesOnly(e.X) && makesOnly(e.Y)
	case *ast.KeyValueExpr:
		return makesOnly(e.Key) && makesOnly(e.Value)
	case *ast.CompositeLit:
		for _, elt := range e.Elts {
			if !makesOnly(elt) {
				return false
			}
		}
		return true
	}
	return false
}

// emptyTables takes the values out of the tables of a package that nobody mentions. One that has elements keeps
// them, the shortest: without any value to initialise the package would not be initialised at all, and
// what a program is compiled to must not depend on what is left out.
func (t *trimmer) emptyTables(n *names) {
	var empty []*ast.ValueSpec
	var left *ast.ValueSpec
	for _, f := range n.p.files {
		for _, decl := range f.Decls {
			decl, ok := decl.(*ast.GenDecl)
			if !ok || decl.Tok != token.VAR {
				continue
			}
			for _, spec := range decl.Specs {
				spec := spec.(*ast.ValueSpec)
				if !t.isTable(n, spec) || n.mentioned[spec.Names[0].Name] {
					continue
				}
				empty = append(empty, spec)
				if hasElements(spec) && (left == nil || spec.End()-spec.Pos() < left.End()-left.Pos()) {
					left = spec
				}
			}
		}
	}
	if left == nil {
		return
	}
	for _, spec := range empty {
		if spec != left {
			spec.Type, spec.Values = n.typeOfTable(spec), nil
		}
	}
}

// hasElements reports whether a table has a name, and a value with elements.
func hasElements(spec *ast.ValueSpec) bool {
	value := spec.Values[0]
	if unary, ok := value.(*ast.UnaryExpr); ok {
		value = unary.X
	}
	lit, ok := value.(*ast.CompositeLit)
	return ok && len(lit.Elts) > 0 && spec.Names[0].Name != "_"
}
