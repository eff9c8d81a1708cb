package syntax

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// MaxDepth is how deep a tree may be. The summands of a linear process are a
// tree as deep as they are many.
const MaxDepth = 100_000

// Parse reads a specification. file is only used in positions. The error is a
// diag.List of at most [MaxErrors] errors.
func Parse(file string, text []byte) (*Spec, error) {
	p := newParser(file, string(text))
	s := p.spec()
	if err := p.errs.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// ParseExpr reads a data expression.
func ParseExpr(file, text string) (Expr, error) {
	p := newParser(file, text)
	var e Expr
	p.guard(func() {
		e = p.expr()
		p.expect(kindEnd, "after the expression")
	})
	if err := p.errs.err(); err != nil {
		return nil, err
	}
	return e, nil
}

// ParseProc reads a process expression.
func ParseProc(file, text string) (Proc, error) {
	p := newParser(file, text)
	var e Proc
	p.guard(func() {
		e = p.proc()
		p.expect(kindEnd, "after the process")
	})
	if err := p.errs.err(); err != nil {
		return nil, err
	}
	return e, nil
}

// A parser goes over the tokens of a text.
type parser struct {
	tokens []token
	next   int
	// match is the index of the closing bracket for each opening one, or -1.
	match []int
	// hasElse says which -> have a <>.
	hasElse []bool
	depth   int // of the recursion
	height  int // of the expression that was read last
	errs    errorList
}

func newParser(file, text string) *parser {
	p := &parser{}
	l := lexer{file: file, src: text, errs: &p.errs}
	p.tokens = l.run()
	p.pair()
	return p
}

// pair finds out which brackets and which -> and <> belong together.
func (p *parser) pair() {
	p.match = make([]int, len(p.tokens))
	p.hasElse = make([]bool, len(p.tokens))
	type level struct {
		open   int
		arrows []int
		inSum  bool // between sum and its dot, where -> belongs to a sort
	}
	levels := []level{{open: -1}}
	for i, t := range p.tokens {
		p.match[i] = -1
		top := &levels[len(levels)-1]
		switch t.kind {
		case "(", "[", "{":
			levels = append(levels, level{open: i})
		case ")", "]", "}":
			if len(levels) > 1 && closes(p.tokens[top.open].kind, t.kind) {
				p.match[top.open] = i
				levels = levels[:len(levels)-1]
			}
		case ";":
			levels = append(levels[:0], level{open: -1})
		case "sum":
			top.inSum = true
		case kindName:
			if t.text == "dist" && p.isDist(i) {
				top.inSum = true
			}
		case ".":
			top.inSum = false
		case "->":
			if !top.inSum {
				top.arrows = append(top.arrows, i)
			}
		case "<>":
			if n := len(top.arrows); n > 0 {
				p.hasElse[top.arrows[n-1]] = true
				top.arrows = top.arrows[:n-1]
			}
		}
	}
}

func closes(open, end string) bool {
	return open == "(" && end == ")" || open == "[" && end == "]" || open == "{" && end == "}"
}

// isDist reports whether the name dist at i starts a distribution.
func (p *parser) isDist(i int) bool {
	return i+2 < len(p.tokens) && p.tokens[i+1].kind == kindName && (p.tokens[i+2].kind == ":" || p.tokens[i+2].kind == ",")
}

// bailout is what a syntax error panics with inside a declaration.
type bailout struct{}

// guard calls f and reports whether it went well.
func (p *parser) guard(f func()) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(bailout); !is {
				panic(r)
			}
			p.depth, p.height, ok = 0, 0, false
		}
	}()
	f()
	return true
}

func (p *parser) tok() token { return p.tokens[p.next] }

func (p *parser) is(kind string) bool { return p.tokens[p.next].kind == kind }

// peek returns the kind of the token n places further.
func (p *parser) peek(n int) string {
	if p.next+n < len(p.tokens) {
		return p.tokens[p.next+n].kind
	}
	return kindEnd
}

func (p *parser) advance() token {
	t := p.tokens[p.next]
	if t.kind != kindEnd {
		p.next++
	}
	return t
}

// accept goes over a token if it is of the kind.
func (p *parser) accept(kind string) bool {
	if p.is(kind) {
		p.advance()
		return true
	}
	return false
}

// expect goes over a token that must be of the kind; where says where it
// belongs.
func (p *parser) expect(kind, where string) token {
	if !p.is(kind) {
		hint := ""
		if p.is("=") && kind == ")" {
			hint = " (== compares)"
		}
		p.fail("expected %s %s, found %s%s", kind, where, p.tok().found(), hint)
	}
	return p.advance()
}

// name reads a name; what says whose it is.
func (p *parser) name(what string) Name {
	if !p.is(kindName) {
		p.fail("expected %s, found %s", what, p.tok().found())
	}
	t := p.advance()
	return Name{t.text, t.at}
}

func (p *parser) fail(format string, args ...any) { p.failAt(p.tok().at, format, args...) }

func (p *parser) failAt(at diag.Pos, format string, args ...any) {
	p.errs.add(at, format, args...)
	panic(bailout{})
}

// enter and leave count how deep the recursion is.
func (p *parser) enter() {
	if p.depth++; p.depth > MaxDepth {
		p.fail("nested deeper than %d", MaxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

// over says that a node was put over nodes of these heights.
func (p *parser) over(heights ...int) {
	h := 0
	for _, x := range heights {
		h = max(h, x)
	}
	if p.height = h + 1; p.height > MaxDepth {
		p.fail("nested deeper than %d", MaxDepth)
	}
}

// sections are the keywords that start a section.
var sections = setOf("sort cons map var eqn glob act proc init")

// atSection reports whether the next token starts a section. The word form is
// only a keyword where formulas are read, the word include only before a text in
// quotes.
func (p *parser) atSection() bool {
	return sections[p.tok().kind] || p.is("form") || p.atInclude()
}

func (p *parser) atInclude() bool {
	t := p.tok()
	return t.kind == kindName && t.text == "include" && p.peek(1) == kindText
}

// include reads include "file";.
func (p *parser) include(s *Spec) {
	p.advance()
	t := p.advance()
	s.Includes = append(s.Includes, Include{t.text[1 : len(t.text)-1], t.at})
	if !p.accept(";") {
		p.errs.add(p.tok().at, "expected ; after the file, found %s", p.tok().found())
	}
}

// skip goes to where the next declaration may start: after a semicolon or
// before the keyword of a section.
func (p *parser) skip() {
	for !p.is(kindEnd) && !p.atSection() {
		if p.advance().kind == ";" {
			return
		}
	}
}

func (p *parser) spec() *Spec {
	s := &Spec{}
	for !p.is(kindEnd) && !p.errs.full() {
		t := p.tok()
		if p.atInclude() {
			p.include(s)
			continue
		}
		if !sections[t.kind] {
			p.errs.add(t.at, "expected a section (sort, cons, map, var, eqn, glob, act, proc or init), found %s", t.found())
			p.next++
			for !p.is(kindEnd) && !p.atSection() {
				p.advance()
			}
			continue
		}
		p.advance()
		p.section(s, t)
	}
	return s
}

// section reads the declarations of a section until something that starts
// another one.
func (p *parser) section(s *Spec, t token) {
	var eqns *EqnSection
	if t.kind == "var" || t.kind == "eqn" {
		eqns = &EqnSection{}
		s.Eqns = append(s.Eqns, eqns)
	}
	inVars := t.kind == "var"
	for first := true; ; {
		k := p.tok()
		if k.kind == kindEnd || p.atSection() {
			switch {
			case inVars && !first && k.kind == "eqn":
				inVars, first = false, true
				t = p.advance()
				continue
			case first:
				p.errs.add(k.at, "expected a declaration after %s, found %s", t.kind, k.found())
			case inVars:
				p.errs.add(k.at, "expected eqn after the variables, found %s", k.found())
			}
			return
		}
		first = false
		ok := p.guard(func() {
			switch {
			case inVars:
				eqns.Vars = append(eqns.Vars, p.varDecls()...)
				p.expect(";", "after the variables")
			case eqns != nil:
				eqns.Eqns = append(eqns.Eqns, p.equation())
			default:
				p.declaration(s, t)
			}
		})
		if !ok {
			p.skip()
		}
		if p.errs.full() {
			return
		}
		if t.kind == "init" {
			return
		}
	}
}

// declaration reads one declaration of a section other than var and eqn.
func (p *parser) declaration(s *Spec, t token) {
	switch t.kind {
	case "sort":
		names := p.names("the name of a sort")
		if len(names) == 1 && p.accept("=") {
			s.Sorts = append(s.Sorts, &SortDecl{names[0], p.sort()})
			p.expect(";", "after the sort")
			return
		}
		for _, n := range names {
			s.Sorts = append(s.Sorts, &SortDecl{n, nil})
		}
		if len(names) == 1 {
			p.expect(";", "or = after the name of the sort")
		} else {
			p.expect(";", "after the names of the sorts")
		}
	case "cons", "map":
		what := "a constructor"
		list := &s.Cons
		if t.kind == "map" {
			what, list = "a map", &s.Maps
		}
		names := p.names("the name of " + what)
		p.expect(":", "and a sort after the name of "+what)
		of := p.sort()
		p.expect(";", "after the sort")
		for _, n := range names {
			*list = append(*list, &FuncDecl{n, of})
		}
	case "glob":
		s.Globals = append(s.Globals, p.varDecls()...)
		p.expect(";", "after the variables")
	case "act":
		names := p.names("the name of an action")
		var args []Sort
		if p.accept(":") {
			args = p.product()
		}
		p.expect(";", "after the action")
		for _, n := range names {
			s.Actions = append(s.Actions, &ActDecl{n, args})
		}
	case "proc":
		d := &ProcDecl{Name: p.name("the name of a process")}
		if p.accept("(") {
			d.Params = p.varDecls()
			p.expect(")", "after the parameters")
		}
		p.expect("=", "after the head of the process")
		d.Body = p.proc()
		p.expect(";", "after the process")
		s.Procs = append(s.Procs, d)
	case "init":
		body := p.proc()
		p.expect(";", "after the initial process")
		if s.Init != nil {
			p.errs.add(t.at, "second init: the first is at %s", strings.TrimPrefix(s.InitAt.String(), s.InitAt.File+":"))
			return
		}
		s.Init, s.InitAt = body, t.at
	}
}

func (p *parser) equation() *Eqn {
	e := &Eqn{At: p.tok().at}
	e.Left = p.expr()
	if p.accept("->") {
		e.Cond = e.Left
		e.Left = p.expr()
	}
	p.expect("=", "after the left-hand side of the equation")
	e.Right = p.expr()
	p.expect(";", "after the equation")
	return e
}

func (p *parser) names(what string) []Name {
	names := []Name{p.name(what)}
	for p.accept(",") {
		names = append(names, p.name(what))
	}
	return names
}

// varDecls reads x, y: S, z: T.
func (p *parser) varDecls() []*VarDecl {
	var vars []*VarDecl
	for {
		names := p.names("the name of a variable")
		p.expect(":", "and a sort after the variable")
		of := p.sort()
		for _, n := range names {
			vars = append(vars, &VarDecl{n, of})
		}
		if !p.accept(",") {
			return vars
		}
	}
}
