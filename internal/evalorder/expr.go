package evalorder

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A class says when an expression is evaluated, once its operands are.
type class uint8

const (
	pure    class = iota // at any time: it looks at its operands alone
	late                 // at the end, with the statement: it reads memory or may panic
	early                // in its turn, but nothing depends on that
	effect               // in its turn: it runs code, waits, or changes memory
	logical              // && and ||: in its turn, and the second operand perhaps not at all
	mapLit               // a literal of a map, one entry after the other
)

// needs says whether the order in which expressions, from left to right, are evaluated matters.
func (p *pass) needs(exprs ...*ast.Expr) bool {
	return p.ask(func() { p.scanAll(exprs) })
}

// needsPlaces says so of the places of an assignment and the values that are assigned.
func (p *pass) needsPlaces(places []ast.Expr, values ...ast.Expr) bool {
	return p.ask(func() {
		for i := range places {
			operands, class := p.placeOperands(&places[i])
			p.scanAll(operands)
			p.pending = p.pending || class == late
		}
		for _, x := range values {
			p.scan(x)
		}
	})
}

// needsOperands says so of the operands of a call that comes later, by go or defer.
func (p *pass) needsOperands(call *ast.CallExpr) bool {
	return p.ask(func() {
		operands, _ := p.operands(call)
		p.scanAll(operands)
	})
}

// ask says what a scan finds that begins with nothing to the left. As long as nobody has looked at the declaration calls are taken to
// change all variables: only if the order would matter then, which is rare, is it looked which of them they change.
func (p *pass) ask(scan func()) bool {
	p.need, p.pending = false, false
	scan()
	if p.need && p.known == nil {
		p.known = look(p.decl, p.info)
		p.need, p.pending = false, false
		scan()
	}
	return p.need
}

// scan goes through an expression as it is evaluated. In pending it keeps whether something to the left is left to be read late, and
// notes in need that something that may change it comes before.
func (p *pass) scan(x ast.Expr) {
	pending := p.pending
	operands, class := p.operands(x)
	switch class {
	case logical:
		for _, operand := range operands {
			p.scan(*operand)
			p.pending = pending
		}
		return
	case mapLit:
		dynamic := false
		for i := 0; i < len(operands); i += 2 {
			if !p.settled(*operands[i]) || !p.settled(*operands[i+1]) {
				dynamic = dynamic || p.info.Types[*operands[i]].Value == nil
			} else if dynamic { // constant entries come first
				p.need = true
			}
			p.scanAll(operands[i : i+2])
			p.pending = pending
		}
		return
	}
	effects := p.effects
	for i, operand := range operands {
		if i == 1 && p.effects > effects && p.indexFirst(x) {
			p.need = true
		}
		p.scan(*operand)
	}
	switch class {
	case late:
		p.pending = true
	case effect:
		p.effects++
		p.need = p.need || pending
		p.pending = pending
	case early:
		p.pending = pending
	}
}

// indexFirst says whether package ssa computes the index before what is indexed, which is wrong.
func (p *pass) indexFirst(x ast.Expr) bool {
	index, ok := ast.Unparen(x).(*ast.IndexExpr)
	return ok && p.info.Types[index.Index].Value == nil && (isArray(p.info.TypeOf(index.X)) || isString(p.info.TypeOf(index.X)))
}

func (p *pass) scanAll(exprs []*ast.Expr) {
	for _, x := range exprs {
		p.scan(*x)
	}
}

// expr puts out what comes before an expression, and returns what is left of it.
func (p *pass) expr(x ast.Expr) ast.Expr {
	operands, class := p.operands(x)
	switch class {
	case logical:
		return p.logical(ast.Unparen(x).(*ast.BinaryExpr))
	case mapLit:
		return p.mapLit(ast.Unparen(x).(*ast.CompositeLit))
	}
	p.rewrite(x, operands)
	if class == early || class == effect {
		return p.temp(x)
	}
	return x
}

// kept is like expr, but the expression itself stays where it is.
func (p *pass) kept(x ast.Expr) ast.Expr {
	operands, class := p.operands(x)
	if class == logical || class == mapLit {
		return p.expr(x)
	}
	p.rewrite(x, operands)
	return x
}

// rewrite rewrites the operands of an expression.
func (p *pass) rewrite(x ast.Expr, operands []*ast.Expr) {
	for _, operand := range operands {
		if _, ok := p.info.TypeOf(*operand).(*types.Tuple); ok {
			// f(g()), where g has several results.
			inner := p.kept(*operand)
			call := ast.Unparen(x).(*ast.CallExpr)
			call.Args = nil
			for _, v := range p.defineAll(inner) {
				call.Args = append(call.Args, p.use(v, inner.Pos()))
			}
			return
		}
		*operand = p.expr(*operand)
	}
}

func (p *pass) exprs(list []ast.Expr) {
	for i := range list {
		list[i] = p.expr(list[i])
	}
}

// place puts out what comes before an expression that is assigned to.
func (p *pass) place(x *ast.Expr) {
	operands, _ := p.placeOperands(x)
	p.rewrite(*x, operands)
}

// logical puts out the evaluation of x && y as
//
//	r := x
//	if r { r = y }
func (p *pass) logical(x *ast.BinaryExpr) ast.Expr {
	r := p.defineAs(p.expr(x.X), p.info.TypeOf(x))
	outer := p.out
	p.out = nil
	y := p.expr(x.Y)
	then := block(append(p.out, p.set(r, y))...)
	p.out = outer
	branch := &ast.IfStmt{If: x.OpPos, Cond: p.use(r, x.OpPos), Body: then}
	if x.Op == token.LOR {
		branch.Body, branch.Else = block(), then
	}
	p.out = append(p.out, branch)
	return p.use(r, x.Pos())
}

// mapLit puts out a literal of a map that gets its entries one after the other.
func (p *pass) mapLit(x *ast.CompositeLit) ast.Expr {
	var later []*ast.KeyValueExpr
	var now []ast.Expr
	for _, e := range x.Elts {
		if kv := e.(*ast.KeyValueExpr); p.settled(kv.Key) && p.settled(kv.Value) {
			now = append(now, kv)
		} else {
			later = append(later, kv)
		}
	}
	x.Elts = now
	m := p.define(x)
	for _, kv := range later {
		at := p.valued(&ast.IndexExpr{X: p.use(m, kv.Pos()), Lbrack: kv.Pos(), Index: p.expr(kv.Key)}, mapOf(m).Elem())
		p.out = append(p.out, &ast.AssignStmt{Lhs: []ast.Expr{at}, TokPos: kv.Colon, Tok: token.ASSIGN, Rhs: []ast.Expr{p.expr(kv.Value)}})
	}
	return p.use(m, x.Pos())
}

// settled says whether a value is a constant or nil.
func (p *pass) settled(x ast.Expr) bool {
	tv := p.info.Types[x]
	return tv.Value != nil || tv.IsNil()
}

// operands returns the operands that an expression evaluates, in that order, and its class.
func (p *pass) operands(x ast.Expr) ([]*ast.Expr, class) {
	operands, class := p.operandsOf(x)
	if p.copied[x] && class < early {
		class = early
	}
	return operands, class
}

func (p *pass) operandsOf(x ast.Expr) ([]*ast.Expr, class) {
	tv := p.info.Types[x]
	if tv.Value != nil || tv.IsType() || tv.IsNil() {
		return nil, pure
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return p.operands(x.X)
	case *ast.Ident:
		if v, ok := p.info.Uses[x].(*types.Var); ok && p.changes(v) {
			return nil, late
		}
	case *ast.SelectorExpr:
		return p.selected(x)
	case *ast.StarExpr:
		return []*ast.Expr{&x.X}, late
	case *ast.IndexExpr:
		if p.info.Types[x.Index].IsType() {
			return nil, pure // a function of certain types
		}
		if p.isBytes(x.Index) && isMap(p.info.TypeOf(x.X)) {
			return []*ast.Expr{&x.X, &x.Index}, early // m[string(b)] looks at b itself
		}
		return []*ast.Expr{&x.X, &x.Index}, late
	case *ast.SliceExpr:
		operands := []*ast.Expr{&x.X}
		if isArray(p.info.TypeOf(x.X)) {
			operands, _ = p.placeOperands(&x.X)
		}
		for _, i := range []*ast.Expr{&x.Low, &x.High, &x.Max} {
			if *i != nil {
				operands = append(operands, i)
				if _, ok := ast.Unparen(*i).(*ast.Ident); !ok {
					p.copied[*i] = true
				}
			}
		}
		return operands, early
	case *ast.TypeAssertExpr:
		if isPointerShaped(p.info.TypeOf(x)) {
			return []*ast.Expr{&x.X}, late
		}
		return []*ast.Expr{&x.X}, early
	case *ast.UnaryExpr:
		switch x.Op {
		case token.ARROW:
			return []*ast.Expr{&x.X}, effect
		case token.AND:
			return p.placeOperands(&x.X)
		}
		return []*ast.Expr{&x.X}, pure
	case *ast.BinaryExpr:
		operands := []*ast.Expr{&x.X, &x.Y}
		switch x.Op {
		case token.LAND, token.LOR:
			return operands, logical
		}
		if p.mayPanic(x) {
			return operands, late
		}
		return operands, pure
	case *ast.CompositeLit:
		return p.parts(x)
	case *ast.CallExpr:
		return p.called(x)
	}
	return nil, pure
}

// mayPanic says whether an operator may panic.
func (p *pass) mayPanic(x *ast.BinaryExpr) bool {
	switch x.Op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		return p.info.Types[x.Y].Value == nil
	case token.EQL, token.NEQ:
		switch p.info.TypeOf(x.X).Underlying().(type) {
		case *types.Basic, *types.Pointer, *types.Chan:
			return false
		}
		return !p.settled(x.X) && !p.settled(x.Y)
	}
	return false
}

// selected returns the operands and the class of x.f, which is a field, a method value or something of another package.
func (p *pass) selected(x *ast.SelectorExpr) ([]*ast.Expr, class) {
	sel := p.info.Selections[x]
	if sel == nil {
		if _, ok := p.info.Uses[x.Sel].(*types.Var); ok {
			return nil, late
		}
		return nil, pure
	}
	switch sel.Kind() {
	case types.MethodExpr:
		return nil, pure
	case types.MethodVal:
		operands, class := p.receiver(x, sel)
		if types.IsInterface(sel.Recv()) && !isTypeParam(sel.Recv()) {
			class = late // it panics if there is none
		}
		return operands, class
	}
	if sel.Indirect() {
		return []*ast.Expr{&x.X}, late
	}
	return []*ast.Expr{&x.X}, pure
}

// receiver returns the operands that make the receiver of a method.
func (p *pass) receiver(x *ast.SelectorExpr, sel *types.Selection) ([]*ast.Expr, class) {
	if takesAddress(sel) {
		operands, class := p.placeOperands(&x.X)
		if sel.Indirect() {
			class = late
		}
		return operands, class
	}
	if sel.Indirect() {
		return []*ast.Expr{&x.X}, late
	}
	return []*ast.Expr{&x.X}, pure
}

// takesAddress says whether a method gets the address of the operand, which is no pointer.
func takesAddress(sel *types.Selection) bool {
	if isPointer(sel.Recv()) || types.IsInterface(sel.Recv()) && !isTypeParam(sel.Recv()) {
		return false
	}
	recv := sel.Obj().(*types.Func).Signature().Recv()
	return recv != nil && isPointer(recv.Type()) || isTypeParam(sel.Recv())
}

// placeOperands returns what is evaluated to know where an expression lies that is assigned to, or whose address is taken. The class is late if
// there is a pointer or an index on the way.
func (p *pass) placeOperands(at *ast.Expr) ([]*ast.Expr, class) {
	switch x := (*at).(type) {
	case *ast.ParenExpr:
		return p.placeOperands(&x.X)
	case *ast.Ident:
		return nil, pure
	case *ast.SelectorExpr:
		sel := p.info.Selections[x]
		if sel == nil {
			return nil, pure // a variable of another package
		}
		if isPointer(p.info.TypeOf(x.X)) {
			return []*ast.Expr{&x.X}, late
		}
		operands, class := p.placeOperands(&x.X)
		if sel.Indirect() {
			class = late
		}
		return operands, class
	case *ast.IndexExpr:
		if isArray(p.info.TypeOf(x.X)) {
			operands, _ := p.placeOperands(&x.X)
			return append(operands, &x.Index), late
		}
		return []*ast.Expr{&x.X, &x.Index}, late
	case *ast.StarExpr:
		return []*ast.Expr{&x.X}, late
	case *ast.CompositeLit:
		if operands, class := p.operands(x); class != mapLit {
			return operands, class
		}
	}
	return []*ast.Expr{at}, pure // a value
}

// isBytes says whether an expression is a conversion of bytes to a string.
func (p *pass) isBytes(x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	return ok && p.info.Types[call.Fun].IsType() && isString(p.info.TypeOf(call)) && isSlice(p.info.TypeOf(call.Args[0]))
}

// parts returns the operands of a composite literal.
func (p *pass) parts(x *ast.CompositeLit) ([]*ast.Expr, class) {
	var operands []*ast.Expr
	if isMap(pointee(p.info.TypeOf(x))) {
		class := pure
		for _, e := range x.Elts {
			kv := e.(*ast.KeyValueExpr)
			operands = append(operands, &kv.Key, &kv.Value)
			if !p.settled(kv.Key) || !p.settled(kv.Value) {
				class = mapLit
			}
		}
		if class == mapLit && !isMap(p.info.TypeOf(x)) {
			class = early // {k: v} that stands for a pointer
		}
		return operands, class
	}
	for i, e := range x.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			operands = append(operands, &kv.Value)
		} else {
			operands = append(operands, &x.Elts[i])
		}
	}
	return operands, pure
}

// called returns the operands and the class of a call or a conversion.
func (p *pass) called(x *ast.CallExpr) ([]*ast.Expr, class) {
	args := pointers(x.Args)
	fun := ast.Unparen(x.Fun)
	if p.info.Types[fun].IsType() {
		if p.boxes(x.Args[0], p.info.TypeOf(fun)) {
			p.copied[x.Args[0]] = true
		}
		if isString(p.info.TypeOf(x.Args[0])) && isSlice(p.info.TypeOf(fun)) {
			return args, early
		}
		return args, pure
	}
	if p.info.Types[fun].IsBuiltin() {
		switch name := builtinName(fun); name {
		case "len", "cap", "make", "new", "min", "max", "complex", "real", "imag":
			return args, early
		case "append", "copy", "recover":
			return args, effect
		case "Add", "Slice", "SliceData", "String", "StringData":
			return args, late
		}
		return args, effect
	}
	if sig, ok := core(p.info.TypeOf(fun)).(*types.Signature); ok {
		for i, arg := range x.Args {
			if p.boxes(arg, paramType(sig, i, x.Ellipsis.IsValid())) {
				p.copied[arg] = true
			}
		}
	}
	return append([]*ast.Expr{&x.Fun}, args...), effect
}

// boxes says whether the compiler makes a copy of a value that becomes one of an interface type, since a function of the runtime needs its address.
func (p *pass) boxes(x ast.Expr, to types.Type) bool {
	from := p.info.Types[x]
	if _, several := from.Type.(*types.Tuple); several {
		return false
	}
	if !types.IsInterface(to) || isTypeParam(to) || from.Type == nil || types.IsInterface(from.Type) || from.Addressable() || p.settled(x) {
		return false
	}
	return needsAddress(from.Type)
}

// paramType is the type of a parameter, by the number of the argument.
func paramType(sig *types.Signature, i int, spread bool) types.Type {
	if last := sig.Params().Len() - 1; sig.Variadic() && i >= last && !spread {
		return core(sig.Params().At(last).Type()).(*types.Slice).Elem()
	}
	return sig.Params().At(i).Type()
}

func builtinName(fun ast.Expr) string {
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		return sel.Sel.Name
	}
	return fun.(*ast.Ident).Name
}

func pointers(list []ast.Expr) []*ast.Expr {
	all := make([]*ast.Expr, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}
