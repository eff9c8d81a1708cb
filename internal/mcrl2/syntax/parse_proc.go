package syntax

// procOps gives the operators of processes with how tight they bind. A sum binds
// with 2, a condition with 5, a time with 8.
var procOps = map[string]struct {
	prec  int
	right bool
}{
	"+": {1, false}, "||": {3, true}, "||_": {4, true}, "<<": {6, false}, ".": {7, true}, "|": {9, false},
}

const (
	precSum   = 2
	precCond  = 5
	precAt    = 8
	precProcs = 10 // of what is in itself closed
)

// proc reads a process expression.
func (p *parser) proc() Proc { return p.procOperand(0) }

// procOperand reads a process whose operators bind at least as tight as least.
func (p *parser) procOperand(least int) Proc {
	p.enter()
	defer p.leave()
	left := p.procPrefix()
	for {
		t := p.tok()
		if t.kind == "@" && least <= precAt {
			p.advance()
			h := p.height
			time := p.unit()
			p.over(h, p.height)
			left = &At{left, time, Place{t.at}}
			continue
		}
		b, ok := procOps[t.kind]
		if !ok || b.prec < least {
			return left
		}
		p.advance()
		h := p.height
		next := b.prec + 1
		if b.right {
			next = b.prec
		}
		right := p.procOperand(next)
		p.over(h, p.height)
		left = &BinaryProc{t.kind, left, right, Place{t.at}}
	}
}

// procPrefix reads a process without binary operators.
func (p *parser) procPrefix() Proc {
	t := p.tok()
	if arrow := p.condition(p.next); arrow >= 0 {
		return p.cond(arrow)
	}
	switch t.kind {
	case "sum":
		p.advance()
		s := &Sum{Vars: p.varDecls(), Place: Place{t.at}}
		p.expect(".", "after the variables of sum")
		s.Body = p.procOperand(precSum)
		p.over(p.height)
		return s
	case kindName:
		if t.text == "dist" && p.isDist(p.next) {
			return p.dist()
		}
	}
	return p.procPrimary()
}

// condition returns the index of the -> if what starts at token i is a
// condition, and -1 otherwise.
func (p *parser) condition(i int) int {
	for p.tokens[i].kind == "!" || p.tokens[i].kind == "-" || p.tokens[i].kind == "#" {
		i++
	}
	switch p.tokens[i].kind {
	case kindName, kindNumber, "true", "false":
		i++
	case "(":
	default:
		return -1
	}
	for p.tokens[i].kind == "(" {
		if p.match[i] < 0 {
			return -1
		}
		i = p.match[i] + 1
	}
	if p.tokens[i].kind == "->" {
		return i
	}
	return -1
}

func (p *parser) cond(arrow int) Proc {
	c := &Cond{Place: Place{p.tok().at}}
	c.If = p.unit()
	h := p.height
	p.expect("->", "after the condition")
	if !p.hasElse[arrow] {
		c.Then = p.procOperand(precCond)
		p.over(h, p.height)
		return c
	}
	c.Then = p.proc()
	h = max(h, p.height)
	p.expect("<>", "after what is done if the condition holds")
	c.Else = p.procOperand(precCond)
	p.over(h, p.height)
	return c
}

func (p *parser) dist() Proc {
	d := &Dist{Place: Place{p.advance().at}}
	d.Vars = p.varDecls()
	p.expect("[", "and a weight after the variables of dist")
	d.Weight = p.expr()
	h := p.height
	p.expect("]", "after the weight")
	p.expect(".", "after the weight")
	d.Body = p.procOperand(precSum)
	p.over(h, p.height)
	return d
}

func (p *parser) procPrimary() Proc {
	t := p.tok()
	at := Place{t.at}
	p.height = 1
	switch t.kind {
	case kindName:
		p.advance()
		return p.call(t)
	case "delta":
		p.advance()
		return &Delta{at}
	case "tau":
		p.advance()
		return &Tau{at}
	case "(":
		p.advance()
		x := p.proc()
		p.expect(")", "after the process")
		return x
	case "block", "hide":
		p.advance()
		p.expect("(", "after "+t.kind)
		s := &NameSet{Op: t.kind, Place: at}
		p.set(func() { s.Names = append(s.Names, p.name("the name of an action")) })
		s.Body = p.setBody()
		return s
	case "rename":
		p.advance()
		p.expect("(", "after rename")
		r := &Rename{Place: at}
		p.set(func() {
			r.From = append(r.From, p.name("the name of an action"))
			p.expect("->", "after the action")
			r.To = append(r.To, p.name("the name of an action"))
		})
		r.Body = p.setBody()
		return r
	case "comm":
		p.advance()
		p.expect("(", "after comm")
		c := &Comm{Place: at}
		p.set(func() {
			c.From = append(c.From, p.multi())
			p.expect("->", "after the actions that communicate")
			if k := p.tok(); k.kind == "tau" {
				p.advance()
				c.To = append(c.To, Name{"tau", k.at})
				return
			}
			c.To = append(c.To, p.name("the name of an action"))
		})
		c.Body = p.setBody()
		return c
	case "allow":
		p.advance()
		p.expect("(", "after allow")
		a := &Allow{Place: at}
		p.set(func() { a.Sets = append(a.Sets, p.multi()) })
		a.Body = p.setBody()
		return a
	}
	p.fail("expected a process, found %s", t.found())
	return nil
}

// call reads what follows the name of an action or a process.
func (p *parser) call(t token) Proc {
	at := Place{t.at}
	if !p.accept("(") {
		return &Call{Name: t.text, Place: at}
	}
	if p.accept(")") {
		return &CallAssign{Name: t.text, Place: at}
	}
	if p.is(kindName) && p.peek(1) == "=" {
		c := &CallAssign{Name: t.text, Args: p.assigns(), Place: at}
		p.over(p.height)
		p.expect(")", "after the assignments")
		return c
	}
	c := &Call{Name: t.text, Args: p.exprs(), Place: at}
	p.over(p.height)
	p.expect(")", "after the arguments")
	return c
}

// set reads { item, item, … }, which may be empty.
func (p *parser) set(item func()) {
	p.expect("{", "before the actions")
	if !p.is("}") {
		item()
		for p.accept(",") {
			item()
		}
	}
	p.expect("}", "after the actions")
}

// multi reads a | b | c.
func (p *parser) multi() []Name {
	names := []Name{p.name("the name of an action")}
	for p.accept("|") {
		names = append(names, p.name("the name of an action"))
	}
	return names
}

// setBody reads , process ) after a set.
func (p *parser) setBody() Proc {
	p.expect(",", "after the set of actions")
	b := p.proc()
	p.over(p.height)
	p.expect(")", "after the process")
	return b
}
