package evalorder

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"sync"
)

// aValue is what the type checker says of an expression that is a value. Package types has no way to make one.
var aValue = sync.OnceValue(func() types.TypeAndValue {
	fset := token.NewFileSet()
	x, err := parser.ParseExprFrom(fset, "", "func() int { return 1 }()", 0)
	if err != nil {
		panic(err)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
	if err := types.CheckExpr(fset, nil, token.NoPos, x, info); err != nil {
		panic(err)
	}
	return info.Types[x]
})

// valued notes that a new expression is a value of a type.
func (p *pass) valued(x ast.Expr, typ types.Type) ast.Expr {
	tv := aValue()
	tv.Type = typ
	p.info.Types[x] = tv
	return x
}

// newVar makes a variable and the name that defines it.
func (p *pass) newVar(pos token.Pos, typ types.Type) (*types.Var, *ast.Ident) {
	p.made++
	v := types.NewVar(pos, p.pkg, "t"+strconv.Itoa(p.made), types.Default(typ))
	v.SetKind(types.LocalVar)
	id := &ast.Ident{NamePos: pos, Name: v.Name()}
	p.info.Defs[id] = v
	return v, id
}

// use makes an expression that is a variable.
func (p *pass) use(v *types.Var, pos token.Pos) ast.Expr {
	id := &ast.Ident{NamePos: pos, Name: v.Name()}
	p.info.Uses[id] = v
	return p.valued(id, v.Type())
}

// define puts out the definition of a variable that has the value of an expression.
func (p *pass) define(x ast.Expr) *types.Var { return p.defineAs(x, p.info.TypeOf(x)) }

// defineAs is define for a variable of another type.
func (p *pass) defineAs(x ast.Expr, typ types.Type) *types.Var {
	v, id := p.newVar(x.Pos(), typ)
	p.out = append(p.out, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: x.Pos(), Tok: token.VAR, Specs: []ast.Spec{
		&ast.ValueSpec{Names: []*ast.Ident{id}, Values: []ast.Expr{x}},
	}}})
	return v
}

// defineAll defines a variable for each of the values of an expression.
func (p *pass) defineAll(x ast.Expr) []*types.Var {
	var vars []*types.Var
	spec := &ast.ValueSpec{Values: []ast.Expr{x}}
	for result := range p.info.TypeOf(x).(*types.Tuple).Variables() {
		v, id := p.newVar(x.Pos(), result.Type())
		vars = append(vars, v)
		spec.Names = append(spec.Names, id)
	}
	p.out = append(p.out, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: x.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}}})
	return vars
}

// temp puts out the evaluation of an expression, and returns the variable that has its value.
func (p *pass) temp(x ast.Expr) ast.Expr { return p.use(p.define(x), x.Pos()) }

// set makes the statement that assigns to a variable of ours.
func (p *pass) set(v *types.Var, x ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{p.use(v, x.Pos())}, TokPos: x.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{x}}
}

// number makes a constant.
func (p *pass) number(pos token.Pos, n int) ast.Expr {
	x := &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.Itoa(n)}
	tv := aValue()
	tv.Type, tv.Value = types.Typ[types.Int], constant.MakeInt64(int64(n))
	p.info.Types[x] = tv
	return x
}

// equal makes a comparison.
func (p *pass) equal(x, y ast.Expr) ast.Expr {
	return p.valued(&ast.BinaryExpr{X: x, OpPos: y.Pos(), Op: token.EQL, Y: y}, types.Typ[types.Bool])
}

func block(list ...ast.Stmt) *ast.BlockStmt { return &ast.BlockStmt{List: list} }

// inLiteral makes the call of a func literal that returns what an expression is.
func (p *pass) inLiteral(x ast.Expr) ast.Expr {
	typ := p.info.TypeOf(x)
	results, ok := typ.(*types.Tuple)
	if !ok {
		typ = types.Default(typ)
		results = types.NewTuple(types.NewVar(x.Pos(), p.pkg, "", typ))
	}
	sig := types.NewSignatureType(nil, nil, nil, nil, results, false)
	list := &ast.FieldList{}
	for v := range results.Variables() {
		name := &ast.Ident{NamePos: x.Pos(), Name: "result"}
		p.valued(name, v.Type())
		list.List = append(list.List, &ast.Field{Type: name})
	}
	head := &ast.FuncType{Func: x.Pos(), Params: &ast.FieldList{}, Results: list}
	p.valued(head, sig)
	lit := &ast.FuncLit{Type: head, Body: &ast.BlockStmt{
		Lbrace: x.Pos(), List: []ast.Stmt{&ast.ReturnStmt{Return: x.Pos(), Results: []ast.Expr{x}}}, Rbrace: x.End(),
	}}
	p.valued(lit, sig)
	return p.valued(&ast.CallExpr{Fun: lit, Lparen: x.Pos(), Rparen: x.End()}, typ)
}
