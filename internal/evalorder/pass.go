package evalorder

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Apply rewrites the files of a package, and adds to info what it must say about the new nodes.
func Apply(files []*ast.File, pkg *types.Package, info *types.Info) {
	for _, file := range files {
		p := &pass{pkg: pkg, info: info, copied: make(map[ast.Expr]bool)}
		for _, decl := range file.Decls {
			p.decl, p.known = decl, nil
			p.initialisers(decl)
			ast.Inspect(decl, p.visit)
		}
	}
}

// A pass rewrites one file.
type pass struct {
	pkg    *types.Package
	info   *types.Info
	decl   ast.Decl          // that is rewritten
	*known                   // of decl, nil as long as nothing of it was rewritten: see ask
	copied map[ast.Expr]bool // values that are copied in their turn: bounds of slices, and what becomes a value of an interface type
	out    []ast.Stmt        // what comes before the statement that is rewritten
	made   int               // variables

	// While a statement is looked at: see scan.
	pending bool
	need    bool
	effects int // how many were seen
}

// visit rewrites what a node has of its own. Lists of statements are rewritten before what is in them is visited.
func (p *pass) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		n.List = p.list(n.List)
	case *ast.CaseClause:
		n.Body = p.list(n.Body)
	case *ast.CommClause:
		n.Body = p.list(n.Body)
	case *ast.IfStmt:
		n.Init = p.inner(n.Init)
		if p.needs(&n.Cond) {
			n.Cond = p.expr(n.Cond)
			n.Init = p.before(n.Init)
		}
	case *ast.ForStmt:
		p.forStmt(n)
	case *ast.SwitchStmt:
		n.Init = p.inner(n.Init)
		p.switchStmt(n)
	case *ast.TypeSwitchStmt:
		n.Init = p.inner(n.Init)
		x := switched(n)
		if p.needs(x) {
			*x = p.expr(*x)
			n.Init = p.before(n.Init)
		}
	}
	return true
}

// switched is the expression whose type is looked at.
func switched(n *ast.TypeSwitchStmt) *ast.Expr {
	var x ast.Expr
	switch s := n.Assign.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		x = s.Rhs[0]
	}
	return &ast.Unparen(x).(*ast.TypeAssertExpr).X
}

// before takes what was put out, to stand behind the first part of a statement and before the next one.
func (p *pass) before(init ast.Stmt) ast.Stmt {
	list := p.out
	p.out = nil
	if init != nil {
		list = append([]ast.Stmt{init}, list...)
	}
	return block(list...)
}

// forStmt rewrites the condition and the last part of a loop. The condition moves into the body, since it is evaluated each time.
func (p *pass) forStmt(n *ast.ForStmt) {
	if n.Cond != nil && p.needs(&n.Cond) {
		cond := p.expr(n.Cond)
		leave := &ast.IfStmt{If: n.Cond.Pos(), Cond: cond, Body: block(), Else: &ast.BranchStmt{TokPos: n.Cond.Pos(), Tok: token.BREAK}}
		n.Body.List = append(append(p.out, leave), n.Body.List...)
		n.Cond, p.out = nil, nil
	}
	if n.Post != nil {
		post := p.stmt(n.Post)
		if len(p.out) > 0 {
			n.Post = block(append(p.out, post)...)
			p.out = nil
		}
	}
}

// switchStmt rewrites the operand of a switch and the values of its cases. If one of the cases needs it, the number of the case is computed
// first, one comparison after the other:
//
//	n := 0
//	t := f()
//	if tag == x+t { n = 1 } else if …
//	switch n { case 1: … }
func (p *pass) switchStmt(n *ast.SwitchStmt) {
	cases := false
	for _, c := range n.Body.List {
		for i := range c.(*ast.CaseClause).List {
			cases = cases || p.needs(&c.(*ast.CaseClause).List[i])
		}
	}
	if !cases {
		if n.Tag != nil && p.needs(&n.Tag) {
			n.Tag = p.expr(n.Tag)
			n.Init = p.before(n.Init)
		}
		return
	}
	var tag *types.Var
	if n.Tag != nil {
		tag = p.define(p.expr(n.Tag))
	}
	chosen := p.define(p.number(n.Pos(), 0))
	outer := p.out
	at := &outer // where the next comparison stands
	for i, c := range n.Body.List {
		clause := c.(*ast.CaseClause)
		if clause.List == nil {
			continue
		}
		number := p.number(clause.Pos(), i+1)
		for _, value := range clause.List {
			p.out = nil
			cond := p.expr(value)
			if tag != nil {
				cond = p.equal(p.use(tag, value.Pos()), cond)
			}
			rest := &ast.BlockStmt{}
			*at = append(append(*at, p.out...), &ast.IfStmt{
				If: value.Pos(), Cond: cond, Body: block(p.set(chosen, number)), Else: rest,
			})
			at = &rest.List
		}
		clause.List = []ast.Expr{number}
	}
	p.out = outer
	n.Init = p.before(n.Init)
	n.Tag = p.use(chosen, n.Pos())
}

// list rewrites the statements of a list.
func (p *pass) list(stmts []ast.Stmt) []ast.Stmt {
	var list []ast.Stmt // nil as long as nothing has changed
	for i, s := range stmts {
		s = p.stmt(s)
		if len(p.out) > 0 && list == nil {
			list = append(list, stmts[:i]...)
		}
		if len(p.out) > 0 || list != nil {
			list = append(append(list, p.out...), s)
			p.out = nil
		}
	}
	if list == nil {
		return stmts
	}
	return list
}

// stmt rewrites what a statement evaluates when it begins, and puts out what comes before it.
func (p *pass) stmt(s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return p.labeled(s)
	case *ast.ExprStmt:
		if p.needs(&s.X) {
			s.X = p.kept(s.X)
		}
	case *ast.SendStmt:
		if p.needs(&s.Chan, &s.Value) {
			s.Chan, s.Value = p.expr(s.Chan), p.expr(s.Value)
		}
	case *ast.IncDecStmt:
		if p.needsPlaces([]ast.Expr{s.X}) {
			p.place(&s.X)
		}
	case *ast.AssignStmt:
		p.assignment(s)
	case *ast.GoStmt:
		if p.needsOperands(s.Call) {
			p.kept(s.Call)
		}
	case *ast.DeferStmt:
		if p.needsOperands(s.Call) {
			p.kept(s.Call)
		}
	case *ast.ReturnStmt:
		if p.needs(pointers(s.Results)...) {
			if _, ok := p.info.TypeOf(s.Results[0]).(*types.Tuple); ok {
				s.Results[0] = p.kept(s.Results[0])
			} else {
				p.exprs(s.Results)
			}
		}
	case *ast.DeclStmt:
		if d := s.Decl.(*ast.GenDecl); d.Tok == token.VAR {
			for _, spec := range d.Specs {
				if v := spec.(*ast.ValueSpec); p.needs(pointers(v.Values)...) {
					return p.varDecl(s, d)
				}
			}
		}
	case *ast.ForStmt:
		if s.Init != nil {
			s.Init = p.stmt(s.Init)
		}
	case *ast.RangeStmt:
		if n, ok := p.constantLength(s); ok {
			s.X, s.Value = p.number(s.X.Pos(), n), nil
		} else if p.needs(&s.X) {
			s.X = p.expr(s.X)
		}
	case *ast.SelectStmt:
		p.selectStmt(s)
	}
	return s
}

// inner rewrites the first part of a statement in its place.
func (p *pass) inner(init ast.Stmt) ast.Stmt {
	if init == nil {
		return nil
	}
	outer := p.out
	p.out = nil
	init = p.stmt(init)
	if len(p.out) > 0 {
		init = block(append(p.out, init)...)
	}
	p.out = outer
	return init
}

// labeled rewrites a statement with a label. A loop, switch or select stays the one that has the label, for break and continue;
// what comes before it gets a label of its own, to which goto goes.
func (p *pass) labeled(s *ast.LabeledStmt) ast.Stmt {
	outer := p.out
	p.out = nil
	s.Stmt = p.stmt(s.Stmt)
	before := p.out
	p.out = outer
	if len(before) == 0 {
		return s
	}
	name := &ast.Ident{NamePos: s.Pos(), Name: s.Label.Name}
	first := types.NewLabel(s.Pos(), p.pkg, name.Name)
	p.info.Defs[name] = first
	for _, id := range p.jumps[p.info.Defs[s.Label]] {
		p.info.Uses[id] = first
	}
	p.out = append(p.out, &ast.LabeledStmt{Label: name, Colon: s.Colon, Stmt: block(before...)})
	return s
}

// varDecl rewrites a declaration of variables: each of its lines becomes a declaration of its own.
func (p *pass) varDecl(s *ast.DeclStmt, d *ast.GenDecl) ast.Stmt {
	for i, spec := range d.Specs {
		if v := spec.(*ast.ValueSpec); p.needs(pointers(v.Values)...) {
			if len(v.Values) == len(v.Names) {
				p.exprs(v.Values)
			} else {
				v.Values[0] = p.kept(v.Values[0])
			}
		}
		s = &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: spec.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}}}
		if i < len(d.Specs)-1 {
			p.out = append(p.out, s)
		}
	}
	return s
}

// assignment rewrites an assignment or a short declaration.
func (p *pass) assignment(s *ast.AssignStmt) {
	places := s.Lhs
	if s.Tok == token.DEFINE {
		places = nil
	}
	if !p.needsPlaces(places, s.Rhs...) {
		return
	}
	for i := range places {
		p.place(&places[i])
	}
	switch {
	case len(s.Lhs) != len(s.Rhs):
		s.Rhs[0] = p.kept(s.Rhs[0])
		if s.Tok == token.DEFINE || allNames(s.Lhs) {
			return
		}
		vars := p.defineAll(s.Rhs[0])
		s.Rhs = nil
		for _, v := range vars {
			s.Rhs = append(s.Rhs, p.use(v, s.TokPos))
		}
	case len(s.Lhs) == 1 && allNames(s.Lhs):
		s.Rhs[0] = p.kept(s.Rhs[0])
	default:
		p.exprs(s.Rhs)
	}
}

func allNames(exprs []ast.Expr) bool {
	for _, x := range exprs {
		if _, ok := ast.Unparen(x).(*ast.Ident); !ok {
			return false
		}
	}
	return true
}

// selectStmt rewrites the channels of a select, and the values that it sends. If one of them needs it, all of them get variables,
// since they are evaluated one after the other.
func (p *pass) selectStmt(s *ast.SelectStmt) {
	var all []*ast.Expr
	for _, c := range s.Body.List {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case *ast.SendStmt:
			all = append(all, &comm.Chan, &comm.Value)
		case *ast.ExprStmt:
			all = append(all, &ast.Unparen(comm.X).(*ast.UnaryExpr).X)
		case *ast.AssignStmt:
			all = append(all, &ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X)
		}
	}
	needs := false
	for _, x := range all {
		needs = needs || p.needs(x)
	}
	if !needs {
		return
	}
	for _, x := range all {
		if *x = p.expr(*x); !p.settled(*x) {
			*x = p.temp(*x)
		}
	}
}

// initialisers rewrites those of package variables that need it, as a call of a func literal, whose body is rewritten then.
func (p *pass) initialisers(decl ast.Decl) {
	d, ok := decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		for i, x := range v.Values {
			if p.initialiser(&v.Values[i]); v.Values[i] == x {
				continue
			}
			for _, init := range p.info.InitOrder {
				if init.Rhs == x {
					init.Rhs = v.Values[i]
				}
			}
		}
	}
}

// initialiser rewrites the value of a package variable, or of a part of it: what is in a literal is assigned one after the other, but for maps.
func (p *pass) initialiser(at *ast.Expr) {
	switch x := ast.Unparen(*at).(type) {
	case *ast.CompositeLit:
		if operands, class := p.operands(x); class != mapLit && class != early {
			for _, part := range operands {
				p.initialiser(part)
			}
			return
		}
	case *ast.UnaryExpr:
		if _, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok && x.Op == token.AND {
			p.initialiser(&x.X)
			return
		}
	}
	if p.needs(at) {
		*at = p.inLiteral(*at)
	}
}
