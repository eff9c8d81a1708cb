package syntax

// PrintFormula returns a formula as text that ParseFormula reads as the same
// tree, save for positions.
func PrintFormula(f *Formula) string {
	p := &printer{}
	p.spec(f.Spec)
	if p.b.Len() == 0 {
		p.state(f.Body, 0)
		return p.b.String()
	}
	p.section("form", 1, func(int) { p.state(f.Body, 0) })
	return p.b.String()
}

// PrintState returns a state formula as text.
func PrintState(s State) string {
	p := &printer{}
	p.state(s, 0)
	return p.b.String()
}

// PrintRegular returns a regular formula as text.
func PrintRegular(r Regular) string {
	p := &printer{}
	p.regular(r, 0)
	return p.b.String()
}

// state prints a state formula, in parentheses if it binds looser than least.
func (p *printer) state(s State, least int) {
	if statePrec(s) < least {
		p.put("(")
		defer p.put(")")
	}
	switch s := s.(type) {
	case *StateBool:
		p.expr(&BoolLit{Value: s.Value}, precWhere)
	case *StateVal:
		p.val(s.E)
	case *StateVar:
		p.put(s.Name)
		if len(s.Args) > 0 {
			p.put("(")
			p.exprs(s.Args)
			p.put(")")
		}
	case *StateDelay:
		p.put(s.Op)
		if s.Time != nil {
			p.put(" @ ")
			p.unit(s.Time)
		}
	case *StateFix:
		p.put(s.Op, " ", s.Name)
		if len(s.Params) > 0 {
			p.put("(")
			p.list(len(s.Params), func(i int) {
				p.varDecls(s.Params[i : i+1])
				p.put(" = ")
				p.expr(s.Init[i], precWhere)
			})
			p.put(")")
		}
		p.put(". ")
		p.state(s.Body, precFix)
	case *StateQuant:
		p.put(s.Kind, " ")
		p.varDecls(s.Vars)
		p.put(". ")
		p.state(s.Body, precBind)
	case *StateModal:
		open, end := "<", ">"
		if s.Must {
			open, end = "[", "]"
		}
		p.put(open)
		p.regular(s.R, 0)
		p.put(end)
		p.state(s.Body, precModal)
	case *StateUnary:
		p.put(s.Op)
		p.state(s.X, precModal)
	case *StateBinary:
		prec := stateOps[s.Op]
		p.state(s.X, prec+1)
		p.put(" ", s.Op, " ")
		p.state(s.Y, prec)
	case *StateScale:
		p.val(s.By)
		p.put(" * ")
		p.state(s.X, precModal)
	}
}

func (p *printer) val(e Expr) {
	p.put("val(")
	p.expr(e, precWhere)
	p.put(")")
}

func statePrec(s State) int {
	switch s := s.(type) {
	case *StateFix:
		return precFix
	case *StateQuant:
		return precBind
	case *StateBinary:
		return stateOps[s.Op]
	case *StateScale:
		return precScale
	case *StateModal:
		return precModal
	case *StateUnary:
		return precNot
	}
	return precStates
}

// regular prints a regular formula, in parentheses if it binds looser than least.
func (p *printer) regular(r Regular, least int) {
	if regPrec(r) < least {
		p.put("(")
		defer p.put(")")
	}
	switch r := r.(type) {
	case *RegMulti:
		if len(r.Actions) == 0 {
			p.put("tau")
		}
		for i, a := range r.Actions {
			if i > 0 {
				p.put(" | ")
			}
			p.proc(a, 0)
		}
	case *RegBool:
		p.expr(&BoolLit{Value: r.Value}, precWhere)
	case *RegVal:
		p.val(r.E)
	case *RegNot:
		p.put("!")
		p.regular(r.X, precActNot)
	case *RegQuant:
		p.put(r.Kind, " ")
		p.varDecls(r.Vars)
		p.put(". ")
		p.regular(r.Body, precActBnd)
	case *RegAt:
		p.regular(r.X, precActAt)
		p.put(" @ ")
		p.unit(r.Time)
	case *RegBinary:
		b := regOps[r.Op]
		left, right := b.prec, b.prec+1
		if b.right {
			left, right = right, left
		}
		p.regular(r.X, left)
		p.put(" ", r.Op, " ")
		p.regular(r.Y, right)
	case *RegIter:
		p.regular(r.X, precActBnd+1)
		p.put(r.Op)
	}
}

func regPrec(r Regular) int {
	switch r := r.(type) {
	case *RegBinary:
		return regOps[r.Op].prec
	case *RegIter:
		return precIter
	case *RegQuant:
		return precActBnd
	case *RegAt:
		return precActAt
	case *RegNot:
		return precActNot
	}
	return precRegs
}
