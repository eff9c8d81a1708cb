package syntax

// RenameRules are a list of rules that rename actions, with what they declare.
type RenameRules struct {
	Spec  *Spec // sorts, constructors, maps, equations and actions; never nil
	Rules []*RenameRule
}

// A RenameRule is Cond -> From => To. To is nil for tau and delta.
type RenameRule struct {
	Vars  []*VarDecl // shared by the rules of a section
	Cond  Expr       // or nil
	From  *Call
	To    *Call
	Delta bool
	Place
}

// ParseRename reads declarations and sections of rules:
//
//	act b: Nat;
//	var n: Nat;
//	rename (n > 1) -> a(n) => b(n); a(n) => tau;
func ParseRename(file string, text []byte) (*RenameRules, error) {
	p := newParser(file, string(text))
	for i := range p.tokens {
		if t := &p.tokens[i]; t.text == "rename" {
			t.kind = "form" // a section, as the formula is in its files
		}
	}
	r := &RenameRules{Spec: &Spec{}}
	var vars []*VarDecl
	for !p.is(kindEnd) && !p.errs.full() {
		t := p.tok()
		switch {
		case t.kind == "form":
			p.advance()
			for !p.is(kindEnd) && !p.atSection() && !p.errs.full() {
				if !p.guard(func() { r.Rules = append(r.Rules, p.renameRule(vars)) }) {
					p.skip()
				}
			}
			vars = nil
		case t.kind == "var" && p.beforeRules():
			p.advance()
			for !p.is(kindEnd) && !p.atSection() && !p.errs.full() {
				if !p.guard(func() {
					vars = append(vars, p.varDecls()...)
					p.expect(";", "after the variables")
				}) {
					p.skip()
				}
			}
		case sections[t.kind] && t.kind != "proc" && t.kind != "init" && t.kind != "glob":
			p.advance()
			p.section(r.Spec, t)
		default:
			p.errs.add(t.at, "expected rename or a section (sort, cons, map, var, eqn or act), found %s", t.found())
			p.next = len(p.tokens) - 1
		}
	}
	if len(p.errs.list) == 0 && len(r.Rules) == 0 {
		p.errs.add(p.tok().at, "expected rename and rules, found %s", p.tok().found())
	}
	if err := p.errs.err(); err != nil {
		return nil, err
	}
	return r, nil
}

// beforeRules reports whether the variables that follow are those of rules.
func (p *parser) beforeRules() bool {
	for i := p.next + 1; i < len(p.tokens); i++ {
		if k := p.tokens[i].kind; k == "form" || sections[k] {
			return k == "form"
		}
	}
	return false
}

// renameRule reads one rule.
func (p *parser) renameRule(vars []*VarDecl) *RenameRule {
	r := &RenameRule{Vars: vars, Place: Place{p.tok().at}}
	if p.conditional() {
		r.Cond = p.expr()
		p.expect("->", "after the condition")
	}
	r.From = p.renamed()
	p.expect("=>", "after the action")
	switch t := p.tok(); t.kind {
	case "tau":
		p.advance()
	case "delta":
		p.advance()
		r.Delta = true
	default:
		r.To = p.renamed()
	}
	p.expect(";", "after the rule")
	return r
}

// conditional reports whether there is an arrow, not in brackets, before the next
// semicolon.
func (p *parser) conditional() bool {
	for i := p.next; i < len(p.tokens) && p.tokens[i].kind != ";"; i++ {
		if p.tokens[i].kind == "->" {
			return true
		}
		if end := p.match[i]; end > i {
			i = end
		}
	}
	return false
}

// renamed reads an action of a rule.
func (p *parser) renamed() *Call {
	n := p.name("the name of an action")
	c := &Call{Name: n.Text, Place: Place{n.At}}
	if p.accept("(") {
		c.Args = p.exprs()
		p.expect(")", "after the arguments")
	}
	return c
}
