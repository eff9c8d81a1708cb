package spec

import "math/big"

// True returns the constant true.
func (l *Library) True() Expr { return l.Func(OpTrue, "true", l.Sorts.Basic(Bool)) }

// False returns the constant false.
func (l *Library) False() Expr { return l.Func(OpFalse, "false", l.Sorts.Basic(Bool)) }

// Bool returns true or false.
func (l *Library) Bool(b bool) Expr {
	if b {
		return l.True()
	}
	return l.False()
}

// Not returns !e. As in And, Or and Eq, constants are dealt with at once.
func (l *Library) Not(e Expr) Expr {
	if IsOp(e, OpTrue) {
		return l.False()
	}
	if IsOp(e, OpFalse) {
		return l.True()
	}
	if a, ok := e.(*Apply); ok && IsOp(a.Head, OpNot) {
		return a.Args[0]
	}
	b := l.Sorts.Basic(Bool)
	return &Apply{Head: l.Func(OpNot, "!", l.Sorts.Function([]*Sort{b}, b)), Args: []Expr{e}, At: e.Pos()}
}

// And returns d && e.
func (l *Library) And(d, e Expr) Expr {
	switch {
	case IsOp(d, OpTrue) || IsOp(e, OpFalse) || d == e:
		return e
	case IsOp(e, OpTrue) || IsOp(d, OpFalse):
		return d
	}
	return l.connective(OpAnd, "&&", d, e)
}

// Or returns d || e.
func (l *Library) Or(d, e Expr) Expr {
	switch {
	case IsOp(d, OpFalse) || IsOp(e, OpTrue) || d == e:
		return e
	case IsOp(e, OpFalse) || IsOp(d, OpTrue):
		return d
	}
	return l.connective(OpOr, "||", d, e)
}

func (l *Library) connective(op Op, name string, d, e Expr) Expr {
	b := l.Sorts.Basic(Bool)
	return &Apply{Head: l.Func(op, name, l.Sorts.Function([]*Sort{b, b}, b)), Args: []Expr{d, e}, At: d.Pos()}
}

// Eq returns d == e for expressions of one sort.
func (l *Library) Eq(d, e Expr) Expr {
	if d == e {
		return l.True()
	}
	if m, ok := d.(*Number); ok {
		if n, ok := e.(*Number); ok {
			return l.Bool(m.Value.Cmp(n.Value) == 0)
		}
	}
	if f, ok := d.(*Func); ok && f.Con && f.Of.Struct {
		if g, ok := e.(*Func); ok && g.Con {
			return l.Bool(f == g)
		}
	}
	of := l.Sorts.Function([]*Sort{d.Sort(), d.Sort()}, l.Sorts.Basic(Bool))
	return &Apply{Head: l.Func(OpEq, "==", of), Args: []Expr{d, e}, At: d.Pos()}
}

// If returns if(c, d, e).
func (l *Library) If(c, d, e Expr) Expr {
	switch {
	case IsOp(c, OpTrue) || d == e:
		return d
	case IsOp(c, OpFalse):
		return e
	}
	of := l.Sorts.Function([]*Sort{c.Sort(), d.Sort(), d.Sort()}, d.Sort())
	return &Apply{Head: l.Func(OpIf, "if", of), Args: []Expr{c, d, e}, At: c.Pos()}
}

// Int returns an integer as an expression of one of the sorts of numbers.
func (l *Library) Int(n int64, of SortKind) *Number {
	return &Number{Value: new(big.Rat).SetInt64(n), Of: l.Sorts.Basic(of)}
}

// IsOp reports whether e is the symbol of a function of the language.
func IsOp(e Expr, op Op) bool {
	f, ok := e.(*Func)
	return ok && f.Op == op
}
