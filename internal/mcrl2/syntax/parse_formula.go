package syntax

// ParseFormula reads a state formula: by itself, or after form among declarations
// of sorts, constructors, maps, equations and actions.
func ParseFormula(file string, text []byte) (*Formula, error) {
	p := newParser(file, string(text))
	for i := range p.tokens {
		if t := &p.tokens[i]; t.kind == kindName && t.text == "form" {
			t.kind = "form"
		}
	}
	f := &Formula{Spec: &Spec{}}
	if p.atSection() {
		p.formulaSections(f)
	} else {
		p.guard(func() {
			f.Body = p.state(0)
			p.accept(";")
			p.expect(kindEnd, "after the formula")
		})
	}
	if err := p.errs.err(); err != nil {
		return nil, err
	}
	return f, nil
}

func (p *parser) formulaSections(f *Formula) {
	for !p.is(kindEnd) && !p.errs.full() {
		t := p.tok()
		switch {
		case t.kind == "form":
			p.advance()
			if !p.guard(func() {
				body := p.state(0)
				p.expect(";", "after the formula")
				if f.Body != nil {
					p.failAt(t.at, "second form")
				}
				f.Body = body
			}) {
				p.skip()
			}
		case sections[t.kind] && t.kind != "proc" && t.kind != "init" && t.kind != "glob":
			p.advance()
			p.section(f.Spec, t)
		default:
			p.errs.add(t.at, "expected form or a section (sort, cons, map, var, eqn or act), found %s", t.found())
			return
		}
	}
	if f.Body == nil && len(p.errs.list) == 0 {
		p.errs.add(p.tok().at, "expected form and a formula, found %s", p.tok().found())
	}
}

// stateOps gives the operators of state formulas with how tight they bind; all
// associate to the right. Fixed points bind with 1, quantifiers with 2, modal
// operators with 8, ! and - with 9.
var stateOps = map[string]int{"+": 3, "=>": 4, "||": 5, "&&": 6}

const (
	precFix    = 1
	precBind   = 2
	precScale  = 7
	precModal  = 8
	precNot    = 9
	precStates = 10 // of what is in itself closed
)

// state reads a state formula whose operators bind at least as tight as least.
func (p *parser) state(least int) State {
	p.enter()
	defer p.leave()
	left := p.statePrefix()
	for {
		t := p.tok()
		h := p.height
		if t.kind == "*" && least <= precScale {
			p.advance()
			left = p.scale(left, t)
			p.over(h, p.height)
			continue
		}
		prec, ok := stateOps[t.kind]
		if !ok || prec < least {
			return left
		}
		p.advance()
		right := p.state(prec)
		p.over(h, p.height)
		left = &StateBinary{t.kind, left, right, Place{t.at}}
	}
}

// scale reads what follows val(c) * or phi *: one side is a value.
func (p *parser) scale(left State, t token) State {
	right := p.state(precScale)
	if v, ok := left.(*StateVal); ok {
		return &StateScale{v.E, right, Place{t.at}}
	}
	v, ok := right.(*StateVal)
	if !ok {
		p.failAt(t.at, "expected val on one side of *")
	}
	return &StateScale{v.E, left, Place{t.at}}
}

func (p *parser) statePrefix() State {
	p.enter()
	defer p.leave()
	t := p.tok()
	at := Place{t.at}
	p.height = 1
	switch t.kind {
	case "!", "-":
		p.advance()
		x := p.statePrefix()
		p.over(p.height)
		return &StateUnary{t.kind, x, at}
	case "[", "<":
		p.advance()
		m := &StateModal{Must: t.kind == "[", Place: at}
		m.R = p.regular(0)
		h := p.height
		if m.Must {
			p.expect("]", "after the regular formula")
		} else {
			p.expect(">", "after the regular formula")
		}
		m.Body = p.statePrefix()
		p.over(h, p.height)
		return m
	case "forall", "exists", "sum":
		return p.stateQuant()
	case "true", "false":
		p.advance()
		return &StateBool{t.kind == "true", at}
	case "(":
		p.advance()
		x := p.state(0)
		p.expect(")", "after the formula")
		return x
	case kindName:
		return p.stateWord()
	}
	p.fail("expected a state formula, found %s", t.found())
	return nil
}

func (p *parser) stateQuant() State {
	t := p.advance()
	q := &StateQuant{Kind: t.text, Vars: p.varDecls(), Place: Place{t.at}}
	p.expect(".", "after the variables of "+t.text)
	q.Body = p.state(precBind)
	p.over(p.height)
	return q
}

// stateWord reads what starts with a name.
func (p *parser) stateWord() State {
	t := p.tok()
	at := Place{t.at}
	switch {
	case t.text == "val" && p.peek(1) == "(":
		p.advance()
		e := p.parenthesised()
		p.over(p.height)
		return &StateVal{e, at}
	case (t.text == "mu" || t.text == "nu") && p.peek(1) == kindName:
		p.advance()
		return p.fix(t)
	case (t.text == "inf" || t.text == "sup") && p.peek(1) == kindName:
		return p.stateQuant()
	case t.text == "delay" || t.text == "yaled":
		p.advance()
		d := &StateDelay{Op: t.text, Place: at}
		if p.accept("@") {
			d.Time = p.unit()
			p.over(p.height)
		}
		return d
	}
	p.advance()
	v := &StateVar{Name: t.text, Place: at}
	if p.accept("(") {
		v.Args = p.exprs()
		p.over(p.height)
		p.expect(")", "after the arguments")
	}
	return v
}

// parenthesised reads ( e ).
func (p *parser) parenthesised() Expr {
	p.expect("(", "after val")
	e := p.expr()
	p.expect(")", "after the expression")
	return e
}

// fix reads what follows mu or nu.
func (p *parser) fix(t token) State {
	f := &StateFix{Op: t.text, Name: p.name("the name of a fixed point").Text, Place: Place{t.at}}
	h := 0
	if p.accept("(") {
		for {
			n := p.name("the name of a parameter")
			p.expect(":", "and a sort after the parameter")
			of := p.sort()
			p.expect("=", "and a value after the sort of the parameter")
			f.Params = append(f.Params, &VarDecl{n, of})
			f.Init = append(f.Init, p.expr())
			h = max(h, p.height)
			if !p.accept(",") {
				break
			}
		}
		p.expect(")", "after the parameters")
	}
	p.expect(".", "after the fixed point")
	f.Body = p.state(precFix)
	p.over(h, p.height)
	return f
}

// regOps gives the operators of regular formulas with how tight they bind:
// iteration binds with 3, a quantifier with 4, a time with 8, ! with 9.
var regOps = map[string]struct {
	prec  int
	right bool
}{
	"+": {1, false}, ".": {2, true}, "=>": {5, true}, "||": {6, true}, "&&": {7, true},
}

const (
	precIter   = 3
	precActBnd = 4
	precActAt  = 8
	precActNot = 9
	precRegs   = 10
)

// regular reads a regular formula whose operators bind at least as tight as
// least.
func (p *parser) regular(least int) Regular {
	p.enter()
	defer p.leave()
	left := p.regPrefix()
	for {
		t := p.tok()
		h := p.height
		switch {
		case least <= precIter && (t.kind == "*" || t.kind == "+" && !p.startsRegular(1)):
			p.advance()
			p.over(h)
			left = &RegIter{t.kind, left, Place{t.at}}
			continue
		case t.kind == "@" && least <= precActAt:
			p.mustAct(left)
			p.advance()
			time := p.unit()
			p.over(h, p.height)
			left = &RegAt{left, time, Place{t.at}}
			continue
		}
		b, ok := regOps[t.kind]
		if !ok || b.prec < least {
			return left
		}
		p.advance()
		next := b.prec + 1
		if b.right {
			next = b.prec
		}
		right := p.regular(next)
		if b.prec > precIter {
			p.mustAct(left)
			p.mustAct(right)
		}
		p.over(h, p.height)
		left = &RegBinary{t.kind, left, right, Place{t.at}}
	}
}

// startsRegular reports whether the token n places further can start a regular
// formula: then a + before it is a choice and not an iteration.
func (p *parser) startsRegular(n int) bool {
	switch p.peek(n) {
	case kindName, "tau", "true", "false", "(", "!", "forall", "exists":
		return true
	}
	return false
}

// mustAct refuses sequences of actions where one action is meant.
func (p *parser) mustAct(r Regular) {
	if !isAction(r) {
		p.failAt(r.Pos(), "expected an action formula, found a regular formula")
	}
}

func (p *parser) regPrefix() Regular {
	p.enter()
	defer p.leave()
	t := p.tok()
	at := Place{t.at}
	p.height = 1
	switch t.kind {
	case "!":
		p.advance()
		x := p.regPrefix()
		p.mustAct(x)
		p.over(p.height)
		return &RegNot{x, at}
	case "forall", "exists":
		p.advance()
		q := &RegQuant{Kind: t.kind, Vars: p.varDecls(), Place: at}
		p.expect(".", "after the variables of "+t.kind)
		q.Body = p.regular(precActBnd)
		p.mustAct(q.Body)
		p.over(p.height)
		return q
	case "true", "false":
		p.advance()
		return &RegBool{t.kind == "true", at}
	case "tau":
		p.advance()
		return &RegMulti{Place: at}
	case "(":
		p.advance()
		x := p.regular(0)
		p.expect(")", "after the formula")
		return x
	case kindName:
		if t.text == "val" && p.peek(1) == "(" {
			p.advance()
			e := p.parenthesised()
			p.over(p.height)
			return &RegVal{e, at}
		}
		return p.regMulti(at)
	}
	p.fail("expected an action formula, found %s", t.found())
	return nil
}

// regMulti reads a(e) | b | ….
func (p *parser) regMulti(at Place) Regular {
	m := &RegMulti{Place: at}
	h := 0
	for {
		n := p.name("the name of an action")
		c := &Call{Name: n.Text, Place: Place{n.At}}
		p.height = 1
		if p.accept("(") {
			c.Args = p.exprs()
			p.expect(")", "after the arguments")
		}
		h = max(h, p.height)
		m.Actions = append(m.Actions, c)
		if !p.accept("|") {
			p.over(h)
			return m
		}
	}
}
