package report

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A cutter finds the pieces of a file: runs of statements that are executed
// together, if nothing panics.
type cutter struct {
	src    []byte
	file   *token.File
	pieces []piece
}

// A piece is a block before it is counted.
type piece struct {
	start, end token.Pos
	units      []unit
}

// A unit is a statement, as far as its piece goes: the header of a loop, a
// call up to the body of the function literal among its arguments.
type unit struct {
	start, end token.Pos
	ends       bool // its piece ends with it
}

func (c *cutter) position(p token.Pos) token.Position { return c.file.PositionFor(p, false) }

// cut adds the pieces of a part of the file.
func (c *cutter) cut(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return n.Name.Name != "_" && n.Body != nil // nobody can call _
		case *ast.SwitchStmt:
			return c.cutSwitch(n.Body, n.Init, n.Tag)
		case *ast.TypeSwitchStmt:
			return c.cutSwitch(n.Body, n.Init, n.Assign)
		case *ast.SelectStmt:
			return len(n.Body.List) > 0
		case *ast.CaseClause:
			c.list(n.Colon+1, n.End(), n.Body, false)
		case *ast.CommClause:
			c.list(n.Colon+1, n.End(), n.Body, false)
		case *ast.BlockStmt:
			if !hasClauses(n) {
				c.braces(n.Lbrace, n)
			}
		case *ast.IfStmt:
			if n.Else != nil {
				c.cutElse(n)
				return false
			}
		}
		return true
	})
}

// cutSwitch cuts the header of a switch without clauses, whose body is no block,
// and reports whether to go into it as usual.
func (c *cutter) cutSwitch(body *ast.BlockStmt, header ...ast.Node) bool {
	if len(body.List) > 0 {
		return true
	}
	for _, n := range header {
		if n != nil {
			c.cut(n)
		}
	}
	return false
}

func hasClauses(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[0].(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// cutElse cuts an if statement with else. What follows the keyword is a block
// that begins right behind it, also for "else if".
func (c *cutter) cutElse(n *ast.IfStmt) {
	if n.Init != nil {
		c.cut(n.Init)
	}
	c.cut(n.Cond)
	c.cut(n.Body)
	start := c.behindElse(n.Body.End())
	if block, ok := n.Else.(*ast.BlockStmt); ok {
		c.braces(start, block)
		for _, s := range block.List {
			c.cut(s)
		}
		return
	}
	c.list(start, n.Else.End(), []ast.Stmt{n.Else}, true)
	c.cut(n.Else)
}

// behindElse returns the position behind the keyword else that follows p.
func (c *cutter) behindElse(p token.Pos) token.Pos {
	rest := c.src[c.file.Offset(p):]
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(rest))
	var s scanner.Scanner
	s.Init(file, rest, nil, 0)
	for {
		pos, tok, _ := s.Scan()
		switch tok {
		case token.ELSE:
			return p + token.Pos(file.Offset(pos)+len("else"))
		case token.EOF:
			panic(diag.Bugf("%v: an if statement lost its else", c.position(p)))
		}
	}
}

// braces cuts the statements of a block that begins at start.
func (c *cutter) braces(start token.Pos, b *ast.BlockStmt) {
	if len(b.List) == 0 {
		start++ // an empty block begins behind its brace
	}
	c.list(start, b.Rbrace+1, b.List, true)
}

// list cuts a list of statements. If nothing in it ends a piece, the piece goes
// up to the closing brace, if there is one.
func (c *cutter) list(start, end token.Pos, stmts []ast.Stmt, braced bool) {
	if len(stmts) == 0 {
		c.pieces = append(c.pieces, piece{start: start, end: end})
		return
	}
	var units []unit
	for _, s := range stmts {
		units = appendUnits(units, s)
	}
	whole := braced && !slices.ContainsFunc(units, func(u unit) bool { return u.ends })
	from := 0
	for i, u := range units {
		if !u.ends && i < len(units)-1 {
			continue
		}
		p := piece{start, u.end, units[from : i+1]}
		if whole {
			p.end = end
		}
		if p.start != p.end {
			c.pieces = append(c.pieces, p)
		}
		if from = i + 1; from < len(units) {
			start = units[from].start
		}
	}
}

// appendUnits appends the units of a statement. A label is a unit of its own,
// because a goto leads behind it, unless it belongs to a statement that needs it.
func appendUnits(dst []unit, s ast.Stmt) []unit {
	l, ok := s.(*ast.LabeledStmt)
	if !ok {
		end, ends := reach(s)
		return append(dst, unit{s.Pos(), end, ends})
	}
	switch l.Stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		end, _ := reach(l.Stmt)
		return append(dst, unit{l.Pos(), end, true})
	}
	return appendUnits(append(dst, unit{l.Pos(), l.Pos(), true}), l.Stmt)
}

// reach returns where the piece of a statement goes to at most, and whether it
// ends there: at a body, also that of a function literal, and at a jump.
func reach(s ast.Stmt) (end token.Pos, ends bool) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return s.Lbrace, true
	case *ast.IfStmt:
		return header(s.Body, s.Init, s.Cond), true
	case *ast.ForStmt:
		return header(s.Body, s.Init, s.Cond, s.Post), true
	case *ast.RangeStmt:
		return header(s.Body, s.X), true
	case *ast.SwitchStmt:
		return header(s.Body, s.Init, s.Tag), true
	case *ast.TypeSwitchStmt:
		return header(s.Body, s.Init), true
	case *ast.SelectStmt:
		return s.Body.Lbrace, true
	}
	if p := literal(s); p.IsValid() {
		return p, true
	}
	switch s := s.(type) {
	case *ast.BranchStmt:
		return s.End(), true
	case *ast.ExprStmt:
		return s.End(), isPanic(s.X)
	}
	return s.End(), false
}

// header returns the end of the header of a statement: at the first function
// literal in its parts, or at its body.
func header(body *ast.BlockStmt, parts ...ast.Node) token.Pos {
	for _, n := range parts {
		if n == nil {
			continue
		}
		if p := literal(n); p.IsValid() {
			return p
		}
	}
	return body.Lbrace
}

// literal returns where the body of the first function literal in n begins, if
// there is one.
func literal(n ast.Node) token.Pos {
	var at token.Pos
	ast.Inspect(n, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok && !at.IsValid() {
			at = f.Body.Lbrace
		}
		return !at.IsValid()
	})
	return at
}

// isPanic reports whether an expression calls what is called panic.
func isPanic(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "panic"
}
