package syntax

// binary gives the operators of data with how tight they bind. Those that are
// looser than all of them are whr (0) and the quantifiers (1), tighter are the
// prefixes (13) and application (14).
var binary = map[string]struct {
	prec  int
	right bool // associates to the right
}{
	"=>": {2, true}, "||": {3, true}, "&&": {4, true},
	"==": {5, false}, "!=": {5, false},
	"<": {6, false}, "<=": {6, false}, ">=": {6, false}, ">": {6, false}, "in": {6, false},
	"|>": {7, true}, "<|": {8, false}, "++": {9, false},
	"+": {10, false}, "-": {10, false},
	"/": {11, false}, "div": {11, false}, "mod": {11, false},
	"*": {12, false}, ".": {12, false},
}

const (
	precWhere  = 0
	precQuant  = 1
	precPrefix = 13
	precApply  = 14
)

// expr reads a data expression.
func (p *parser) expr() Expr { return p.operand(precWhere) }

// operand reads an expression whose operators bind at least as tight as least.
func (p *parser) operand(least int) Expr {
	p.enter()
	defer p.leave()
	left := p.prefix()
	for {
		t := p.tok()
		if t.kind == "whr" && least <= precWhere {
			left = p.where(left)
			continue
		}
		op := t.kind
		if op == "||_" && p.tokens[p.next+1].kind == kindName && p.tokens[p.next+1].off == t.off+3 {
			// The text is x||_y, where the underscore belongs to the name.
			op = "||"
		}
		b, ok := binary[op]
		if !ok || b.prec < least {
			return left
		}
		p.advance()
		if op != t.kind {
			n := &p.tokens[p.next]
			n.text = "_" + n.text
		}
		h := p.height
		next := b.prec + 1
		if b.right {
			next = b.prec
		}
		right := p.operand(next)
		p.over(h, p.height)
		left = &Binary{op, left, right, Place{t.at}}
	}
}

func (p *parser) where(body Expr) Expr {
	w := &Where{Body: body, Place: Place{p.advance().at}}
	h := p.height
	w.Defs = p.assigns()
	p.over(h, p.height)
	p.expect("end", "after the definitions of whr")
	return w
}

// assigns reads x = e, y = f.
func (p *parser) assigns() []*Assign {
	var list []*Assign
	h := 0
	for {
		n := p.name("the name of a variable")
		p.expect("=", "after the variable")
		list = append(list, &Assign{n, p.expr()})
		h = max(h, p.height)
		if !p.accept(",") {
			p.height = h
			return list
		}
	}
}

// prefix reads an expression without binary operators.
func (p *parser) prefix() Expr {
	p.enter()
	defer p.leave()
	t := p.tok()
	switch t.kind {
	case "!", "-", "#":
		p.advance()
		x := p.prefix()
		p.over(p.height)
		return &Unary{t.kind, x, Place{t.at}}
	case "forall", "exists", "lambda":
		p.advance()
		q := &Quant{Kind: t.kind, Vars: p.varDecls(), Place: Place{t.at}}
		p.expect(".", "after the variables of "+t.kind)
		q.Body = p.operand(precQuant)
		p.over(p.height)
		return q
	}
	return p.suffixes(p.primary(), true)
}

// suffixes reads applications and, if updates is set, function updates.
func (p *parser) suffixes(e Expr, updates bool) Expr {
	for {
		h := p.height
		switch {
		case p.is("("):
			p.advance()
			args := p.exprs()
			p.expect(")", "after the arguments")
			p.over(h, p.height)
			e = &Apply{e, args, Place{e.Pos()}}
		case p.is("[") && updates:
			at := p.advance().at
			u := &Update{Fun: e, Arg: p.expr(), Place: Place{at}}
			h = max(h, p.height)
			p.expect("->", "after the argument of the update")
			u.Value = p.expr()
			p.expect("]", "after the value of the update")
			p.over(h, p.height)
			e = u
		default:
			return e
		}
	}
}

// exprs reads expressions with commas between them.
func (p *parser) exprs() []Expr {
	list := []Expr{p.expr()}
	h := p.height
	for p.accept(",") {
		list = append(list, p.expr())
		h = max(h, p.height)
	}
	p.height = h
	return list
}

func (p *parser) primary() Expr {
	t := p.tok()
	at := Place{t.at}
	p.height = 1
	switch t.kind {
	case kindName:
		p.advance()
		return &Ident{t.text, at}
	case kindNumber:
		p.advance()
		return &Number{t.text, at}
	case "true", "false":
		p.advance()
		return &BoolLit{t.kind == "true", at}
	case "(":
		p.advance()
		e := p.expr()
		p.expect(")", "after the expression")
		return e
	case "[":
		p.advance()
		l := &ListLit{Place: at}
		if !p.is("]") {
			l.Elems = p.exprs()
			p.over(p.height)
		}
		p.expect("]", "after the elements of the list")
		return l
	case "{":
		return p.braces()
	}
	p.fail("expected a data expression, found %s", t.found())
	return nil
}

// braces reads a set, a bag or a comprehension.
func (p *parser) braces() Expr {
	open := p.next
	at := Place{p.advance().at}
	switch {
	case p.accept("}"):
		return &SetLit{Place: at}
	case p.is(":") && p.peek(1) == "}":
		p.advance()
		p.advance()
		return &BagLit{Place: at}
	case p.is(kindName) && p.peek(1) == ":" && p.hasBar(open):
		n := p.name("")
		p.advance()
		c := &Comprehension{Var: &VarDecl{n, p.sort()}, Place: at}
		p.expect("|", "after the variable of the comprehension")
		c.Body = p.expr()
		p.over(p.height)
		p.expect("}", "after the comprehension")
		return c
	}
	first := p.expr()
	h := p.height
	if !p.is(":") {
		s := &SetLit{Elems: []Expr{first}, Place: at}
		for p.accept(",") {
			s.Elems = append(s.Elems, p.expr())
			h = max(h, p.height)
		}
		p.over(h)
		p.expect("}", "after the elements of the set")
		return s
	}
	b := &BagLit{Elems: []Expr{first}, Place: at}
	for {
		p.expect(":", "and a number after the element of the bag")
		b.Counts = append(b.Counts, p.expr())
		h = max(h, p.height)
		if !p.accept(",") {
			break
		}
		b.Elems = append(b.Elems, p.expr())
		h = max(h, p.height)
	}
	p.over(h)
	p.expect("}", "after the elements of the bag")
	return b
}

// hasBar reports whether there is a | between the brace at open and the one that
// closes it, other than in inner brackets: then it is a comprehension.
func (p *parser) hasBar(open int) bool {
	end := p.match[open]
	if end < 0 {
		end = len(p.tokens)
	}
	for i := open + 1; i < end; i++ {
		if p.tokens[i].kind == "|" {
			return true
		}
		if m := p.match[i]; m > i {
			i = m
		}
	}
	return false
}

// unit reads what may stand for a condition or a time in a process: an
// expression without binary operators outside parentheses.
func (p *parser) unit() Expr {
	p.enter()
	defer p.leave()
	t := p.tok()
	switch t.kind {
	case "!", "-", "#":
		p.advance()
		x := p.unit()
		p.over(p.height)
		return &Unary{t.kind, x, Place{t.at}}
	case kindName, kindNumber, "true", "false", "(":
		return p.suffixes(p.primary(), false)
	}
	p.fail("expected a name, a number or a data expression in parentheses, found %s", t.found())
	return nil
}
