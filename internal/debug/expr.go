package debug

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"strconv"

	"github.com/heddle-mc/heddle/internal/execute"
)

// An operand is what an expression comes to: a value of the program, a constant, or nil.
type operand struct {
	value execute.Value
	con   constant.Value // if it is one
	null  bool
	has   bool // value is set
}

func (o operand) text() string {
	switch {
	case o.has:
		return o.value.Text()
	case o.con != nil:
		return o.con.ExactString()
	}
	return "nil"
}

// constant returns what can be compared.
func (o operand) constant() (constant.Value, bool) {
	if o.con != nil {
		return o.con, true
	}
	if !o.has {
		return nil, false
	}
	return o.value.Constant()
}

// A lookup finds a variable by name.
type lookup func(name string) (execute.Value, bool)

// parse reads an expression: names, fields, elements and what pointers point to, constants, len, comparisons, and &&, ||, !.
func parse(text string) (ast.Expr, error) {
	x, err := parser.ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("%q is no expression", text)
	}
	bad := ""
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.BasicLit, *ast.BinaryExpr, *ast.ParenExpr, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		case *ast.UnaryExpr:
			if n.Op != token.NOT && n.Op != token.SUB {
				bad = n.Op.String()
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); !ok || f.Name != "len" || len(n.Args) != 1 {
				bad = "calls"
			}
		default:
			bad = fmt.Sprintf("%T", n)
		}
		return bad == ""
	})
	if bad != "" {
		return nil, fmt.Errorf("%q: %s cannot be evaluated: nothing of the program is executed for that", text, bad)
	}
	return x, nil
}

// evaluate evaluates an expression.
func evaluate(x ast.Expr, find lookup) (operand, error) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return evaluate(x.X, find)
	case *ast.BasicLit:
		return operand{con: constant.MakeFromLiteral(x.Value, x.Kind, 0)}, nil
	case *ast.Ident:
		if v, ok := find(x.Name); ok {
			if !v.Known() {
				return operand{}, fmt.Errorf("%s is %s", x.Name, v.Text())
			}
			return operand{value: v, has: true}, nil
		}
		switch x.Name {
		case "true", "false":
			return operand{con: constant.MakeBool(x.Name == "true")}, nil
		case "nil":
			return operand{null: true}, nil
		}
		return operand{}, fmt.Errorf("%s is not known here", x.Name)
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok { // a variable of a package
			if v, ok := find(id.Name + "." + x.Sel.Name); ok {
				return operand{value: v, has: true}, nil
			}
		}
		return part(x.X, x.Sel.Name, find)
	case *ast.IndexExpr:
		i, err := evaluate(x.Index, find)
		if err != nil {
			return i, err
		}
		return part(x.X, "["+i.text()+"]", find)
	case *ast.StarExpr:
		return evaluate(x.X, find) // told with what it points to
	case *ast.CallExpr:
		o, err := evaluate(x.Args[0], find)
		if err != nil {
			return o, err
		}
		n, ok := o.value.Len()
		if !o.has || !ok {
			return o, fmt.Errorf("len of %s", o.text())
		}
		return operand{con: constant.MakeInt64(int64(n))}, nil
	case *ast.UnaryExpr:
		o, err := evaluate(x.X, find)
		if err != nil {
			return o, err
		}
		c, ok := o.constant()
		if !ok || (x.Op == token.NOT) != (c.Kind() == constant.Bool) || c.Kind() == constant.String {
			return o, fmt.Errorf("%s%s: it has another type", x.Op, o.text())
		}
		return operand{con: constant.UnaryOp(x.Op, c, 0)}, nil
	case *ast.BinaryExpr:
		return binary(x, find)
	}
	return operand{}, fmt.Errorf("%T cannot be evaluated", x)
}

// maxElements is how far parts of a value are looked through for one with a name.
const maxElements = 1 << 16

// part is a part of a value by its name.
func part(of ast.Expr, name string, find lookup) (operand, error) {
	o, err := evaluate(of, find)
	if err != nil {
		return o, err
	}
	if !o.has {
		return o, fmt.Errorf("%s has no parts", o.text())
	}
	from, n := 0, maxElements
	if _, indexed := o.value.Parts(); indexed {
		if i, err := strconv.Atoi(name[1 : len(name)-1]); err == nil && name[0] == '[' {
			from, n = i, 1
		}
	}
	for _, v := range o.value.PartsFrom(from, n) {
		if v.Name == name {
			return operand{value: v, has: true}, nil
		}
	}
	return o, fmt.Errorf("%s has no %s", o.text(), name)
}

// binary compares, or puts two truths together.
func binary(x *ast.BinaryExpr, find lookup) (operand, error) {
	a, err := evaluate(x.X, find)
	if err != nil {
		return a, err
	}
	if x.Op == token.LAND || x.Op == token.LOR {
		if c, ok := a.constant(); ok && c.Kind() == constant.Bool && constant.BoolVal(c) == (x.Op == token.LOR) {
			return operand{con: c}, nil
		}
	}
	b, err := evaluate(x.Y, find)
	if err != nil {
		return b, err
	}
	if a.null || b.null {
		if a.null {
			a, b = b, a
		}
		is, ok := a.null, a.null
		if a.has {
			is, ok = a.value.IsNil()
		}
		if ok && (x.Op == token.EQL || x.Op == token.NEQ) {
			return operand{con: constant.MakeBool(is == (x.Op == token.EQL))}, nil
		}
		return a, fmt.Errorf("%s cannot be compared with nil", a.text())
	}
	c, ok := a.constant()
	d, ok2 := b.constant()
	if !ok || !ok2 {
		return a, fmt.Errorf("%s and %s cannot be compared: numbers, texts, truths and nil can", a.text(), b.text())
	}
	number := func(c constant.Value) bool { return c.Kind() == constant.Int || c.Kind() == constant.Float }
	if c.Kind() != d.Kind() && !(number(c) && number(d)) {
		return a, fmt.Errorf("%s and %s have different types", a.text(), b.text())
	}
	switch x.Op {
	case token.LAND, token.LOR:
		if c.Kind() != constant.Bool {
			return a, fmt.Errorf("%s is neither true nor false", a.text())
		}
		return operand{con: constant.BinaryOp(c, x.Op, d)}, nil
	case token.EQL, token.NEQ:
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if c.Kind() == constant.Bool {
			return a, fmt.Errorf("%s is not less or more than another", a.text())
		}
	default:
		return a, fmt.Errorf("%s cannot be evaluated", x.Op)
	}
	return operand{con: constant.MakeBool(constant.Compare(c, x.Op, d))}, nil
}

// holds reports whether a condition holds. One that cannot be evaluated does not.
func holds(cond ast.Expr, find lookup) bool {
	o, err := evaluate(cond, find)
	if err != nil {
		return false
	}
	c, ok := o.constant()
	return ok && c.Kind() == constant.Bool && constant.BoolVal(c)
}
