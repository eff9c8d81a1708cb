package syntax

// A Pbes is a parameterised boolean equation system with what it declares.
type Pbes struct {
	Spec      *Spec // sorts, constructors, maps and equations; never nil
	Equations []*PbesEquation
	Init      *StateVar
}

// A PbesEquation is Op Name(Params) = Body, where Op is mu or nu. The body has no
// modalities and fixed points.
type PbesEquation struct {
	Op     string
	Name   Name
	Params []*VarDecl
	Body   State
}

// ParsePbes reads an equation system: declarations of sorts, constructors, maps and
// equations, then pbes and the equations, then init.
func ParsePbes(file string, text []byte) (*Pbes, error) {
	p := newParser(file, string(text))
	for i := range p.tokens {
		if t := &p.tokens[i]; t.kind == kindName && t.text == "pbes" {
			t.kind = "form" // a section, as the formula is in its files
		}
	}
	s := &Pbes{Spec: &Spec{}}
	p.pbesSections(s)
	if err := p.errs.err(); err != nil {
		return nil, err
	}
	return s, nil
}

func (p *parser) pbesSections(s *Pbes) {
	for !p.is(kindEnd) && !p.errs.full() {
		t := p.tok()
		switch {
		case t.kind == "form":
			p.advance()
			for !p.is(kindEnd) && !p.atSection() && !p.errs.full() {
				if !p.guard(func() { s.Equations = append(s.Equations, p.pbesEquation()) }) {
					p.skip()
				}
			}
		case t.kind == "init":
			p.advance()
			if !p.guard(func() {
				at := p.tok().at
				v := p.stateWord()
				call, ok := v.(*StateVar)
				if !ok || s.Init != nil {
					p.failAt(at, "expected one use of an equation in init")
				}
				p.expect(";", "after init")
				s.Init = call
			}) {
				p.skip()
			}
		case sections[t.kind] && t.kind != "proc" && t.kind != "act" && t.kind != "glob":
			p.advance()
			p.section(s.Spec, t)
		default:
			p.errs.add(t.at, "expected pbes, init or a section (sort, cons, map, var or eqn), found %s", t.found())
			return
		}
	}
	if len(p.errs.list) == 0 && (len(s.Equations) == 0 || s.Init == nil) {
		p.errs.add(p.tok().at, "expected pbes, equations and init, found %s", p.tok().found())
	}
}

// pbesEquation reads one equation.
func (p *parser) pbesEquation() *PbesEquation {
	t := p.tok()
	if t.text != "mu" && t.text != "nu" {
		p.fail("expected mu or nu, found %s", t.found())
	}
	p.advance()
	e := &PbesEquation{Op: t.text, Name: p.name("the name of an equation")}
	if p.accept("(") {
		e.Params = p.varDecls()
		p.expect(")", "after the parameters")
	}
	p.expect("=", "after the left side")
	e.Body = p.state(0)
	p.expect(";", "after the equation")
	p.plain(e.Body)
	return e
}

// plain refuses what only formulas have.
func (p *parser) plain(s State) {
	switch s := s.(type) {
	case *StateModal, *StateFix, *StateDelay:
		p.failAt(s.Pos(), "modalities, fixed points and times are parts of formulas, and not of equation systems")
	case *StateQuant:
		p.plain(s.Body)
	case *StateUnary:
		p.plain(s.X)
	case *StateBinary:
		p.plain(s.X)
		p.plain(s.Y)
	case *StateScale:
		p.plain(s.X)
	}
}
