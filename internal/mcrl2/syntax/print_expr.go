package syntax

// expr prints an expression, in parentheses if it binds looser than least.
func (p *printer) expr(e Expr, least int) {
	if exprPrec(e) < least {
		p.put("(")
		defer p.put(")")
	}
	switch e := e.(type) {
	case *Ident:
		p.put(e.Name)
	case *Number:
		p.put(e.Text)
	case *BoolLit:
		if e.Value {
			p.put("true")
		} else {
			p.put("false")
		}
	case *ListLit:
		p.put("[")
		p.exprs(e.Elems)
		p.put("]")
	case *SetLit:
		p.put("{")
		p.exprs(e.Elems)
		p.put("}")
	case *BagLit:
		p.bag(e)
	case *Comprehension:
		p.put("{", e.Var.Name.Text, ": ")
		p.sort(e.Var.Sort, true)
		p.put(" | ")
		p.expr(e.Body, precWhere)
		p.put("}")
	case *Apply:
		p.expr(e.Fun, precApply)
		p.put("(")
		p.exprs(e.Args)
		p.put(")")
	case *Update:
		p.expr(e.Fun, precApply)
		p.put("[")
		p.expr(e.Arg, precWhere)
		p.put(" -> ")
		p.expr(e.Value, precWhere)
		p.put("]")
	case *Unary:
		p.put(e.Op)
		p.expr(e.X, precPrefix)
	case *Binary:
		b := binary[e.Op]
		left, right := b.prec, b.prec+1
		if b.right {
			left, right = right, left
		}
		p.expr(e.X, left)
		p.put(" ", e.Op, " ")
		p.expr(e.Y, right)
	case *Quant:
		p.put(e.Kind, " ")
		p.varDecls(e.Vars)
		p.put(". ")
		p.expr(e.Body, precQuant)
	case *Where:
		p.expr(e.Body, precWhere)
		p.put(" whr ")
		p.assigns(e.Defs)
		p.put(" end")
	}
}

func exprPrec(e Expr) int {
	switch e := e.(type) {
	case *Unary:
		return precPrefix
	case *Binary:
		return binary[e.Op].prec
	case *Quant:
		return precQuant
	case *Where:
		return precWhere
	}
	return precApply
}

func (p *printer) exprs(list []Expr) {
	p.list(len(list), func(i int) { p.expr(list[i], precWhere) })
}

func (p *printer) bag(e *BagLit) {
	if len(e.Elems) == 0 {
		p.put("{:}")
		return
	}
	p.put("{")
	p.list(len(e.Elems), func(i int) {
		p.expr(e.Elems[i], precWhere)
		p.put(": ")
		p.expr(e.Counts[i], precWhere)
	})
	p.put("}")
}

func (p *printer) assigns(list []*Assign) {
	p.list(len(list), func(i int) {
		p.put(list[i].Name.Text, " = ")
		p.expr(list[i].Value, precWhere)
	})
}

// unit prints a condition or a time.
func (p *printer) unit(e Expr) {
	if isUnit(e) {
		p.expr(e, precWhere)
		return
	}
	p.put("(")
	p.expr(e, precWhere)
	p.put(")")
}

func isUnit(e Expr) bool {
	switch e := e.(type) {
	case *Ident, *Number, *BoolLit:
		return true
	case *Apply:
		return isUnit(e.Fun)
	}
	return false
}
