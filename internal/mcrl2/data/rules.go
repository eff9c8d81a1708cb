package data

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A rule is an equation of a symbol. Its arguments are the first values of the
// frame; the parts of arguments that the left side names come behind, then what
// the right side needs.
type rule struct {
	eqn      *spec.Equation
	patterns []spec.Expr
	checks   []check
	cond     code // nil if there is none
	right    code
	size     int
}

// A check is one step of matching.
type check struct {
	kind checkKind
	slot int
	to   int // for parts: where they go; for same: the other place
	val  Value
	sym  *symbol
	sort spec.SortKind
}

type checkKind uint8

const (
	isValue   checkKind = iota // the value is val
	isMade                     // the value is made with sym; its parts go to the frame
	isSame                     // the value is the one at another place
	isIn                       // the value is a number of a narrower sort
	isApplied                  // the value is an application; function and arguments go to the frame
)

// A constant is a function of a function sort that has an equation for itself:
// f = lambda x: S. e.
type constant struct {
	eqn   *spec.Equation
	value Value
	busy  bool
}

func (e *Engine) constantValue(c *constant) Value {
	if c.value == unset {
		if c.busy {
			fail(diag.RunUnsupportedf(c.eqn.At, "%s is defined by itself", c.eqn.Left.(*spec.Func).Name))
		}
		c.busy = true
		open := e.open
		e.open = 0
		sc := e.NewScope()
		code := e.compile(c.eqn.Right, sc).code()
		f := e.frame(sc.size)
		c.value = code(f)
		e.top -= sc.size
		c.busy, e.open = false, open
	}
	return c.value
}

// addEquation files an equation with the symbol of its left side.
func (e *Engine) addEquation(q *spec.Equation) {
	if f, ok := q.Left.(*spec.Func); ok && f.Of.Kind == spec.Function && q.Cond == nil {
		if e.constants[f] == nil {
			e.constants[f] = &constant{eqn: q, value: unset}
		}
		return
	}
	s, patterns := e.leftSide(q.Left)
	if s == nil {
		fail(diag.Unsupportedf(q.At, "equation whose left side is not a function applied to arguments"))
	}
	s.rules = append(s.rules, &rule{eqn: q, patterns: patterns})
	s.ready = false
	if len(s.args) == 2 && s.args[0].Kind == spec.Named && !s.args[0].Struct {
		i := e.info(s.args[0])
		switch s.fn.Op {
		case spec.OpEq:
			i.equal = s
		case spec.OpLess:
			i.less = s
		case spec.OpLessEq:
			i.lessEq = s
		}
	}
}

// leftSide returns the symbol and the patterns of f(p)(q).
func (e *Engine) leftSide(x spec.Expr) (*symbol, []spec.Expr) {
	switch x := x.(type) {
	case *spec.Func:
		return e.symbol(x), nil
	case *spec.Apply:
		if f, ok := x.Head.(*spec.Func); ok {
			return e.symbol(f), x.Args
		}
		s, patterns := e.leftSide(x.Head)
		if s == nil {
			return nil, nil
		}
		return e.further(s), append(append([]spec.Expr(nil), patterns...), x.Args...)
	}
	return nil, nil
}

// prepare compiles the rules of a symbol, when it is first called.
func (e *Engine) prepare(s *symbol) {
	s.ready = true
	size := len(s.args)
	for _, r := range s.rules {
		e.compileRule(s, r)
		size = max(size, r.size)
	}
	s.size = size
	s.tree = &choice{rules: s.rules, arg: -1}
	e.split(s.tree, s, 0)
}

func (e *Engine) compileRule(s *symbol, r *rule) {
	sc := &Scope{e: e, slots: map[*spec.Var]int{}, size: len(s.args)}
	type part struct {
		pattern spec.Expr
		slot    int
	}
	var queue []part
	for i, p := range r.patterns {
		queue = append(queue, part{p, i})
	}
	vars := map[*spec.Var]bool{}
	for _, v := range r.eqn.Vars {
		vars[v] = true
	}
	for ; len(queue) > 0; queue = queue[1:] {
		slot := queue[0].slot
		switch p := queue[0].pattern.(type) {
		case *spec.Var:
			if at, ok := sc.slots[p]; ok {
				r.checks = append(r.checks, check{kind: isSame, slot: slot, to: at})
			} else {
				sc.slots[p] = slot
			}
			continue
		case *spec.Apply:
			if len(spec.FreeVars(p)) == 0 {
				break
			}
			if f, ok := p.Head.(*spec.Func); ok && f.Op == spec.OpCast && wider(f.Of.Result, f.Of.Args[0]) {
				r.checks = append(r.checks, check{kind: isIn, slot: slot, sort: f.Of.Args[0].Kind})
				queue = append(queue, part{p.Args[0], slot})
				continue
			}
			c := check{kind: isMade, slot: slot, to: sc.size}
			var parts []spec.Expr
			if h, ok := p.Head.(*spec.Var); ok && vars[h] {
				c.kind, c.sort = isApplied, spec.SortKind(len(p.Args))
				parts = append([]spec.Expr{h}, p.Args...)
			} else if c.sym, parts = e.leftSide(p); c.sym == nil {
				fail(diag.Unsupportedf(p.At, "pattern that is not a function applied to arguments"))
			}
			if c.sym != nil && c.sym.fn.Op == spec.OpCons {
				c.sym = e.kinds[cons]
			}
			r.checks = append(r.checks, c)
			for i, a := range parts {
				queue = append(queue, part{a, sc.size + i})
			}
			sc.size += len(parts)
			continue
		case *spec.Abs, *spec.Where:
			if len(spec.FreeVars(p)) > 0 {
				fail(diag.Unsupportedf(p.Pos(), "pattern with a binder"))
			}
		}
		// A closed pattern is compared with its value. A constant stands for
		// itself even if it has equations: they never fit what is in normal form.
		fn := e.compile(queue[0].pattern, sc).code()
		v := fn(e.frame(sc.size))
		e.top -= sc.size
		r.checks = append(r.checks, check{kind: isValue, slot: slot, val: v})
	}
	for _, v := range r.eqn.Vars {
		if _, ok := sc.slots[v]; !ok {
			for _, w := range spec.FreeVars(r.eqn.Right) {
				if w == v {
					fail(diag.Unsupportedf(r.eqn.At, "variable %s on the right of an equation but not on its left", v.Name))
				}
			}
		}
	}
	if c := r.eqn.Cond; c != nil {
		r.cond = e.compile(c, sc).code()
	}
	r.right = e.compileTail(r.eqn.Right, sc)
	r.size = sc.size
}

// match reports whether a rule fits and puts the parts that it names into the
// frame.
func (e *Engine) match(r *rule, f []Value) bool {
	for i := range r.checks {
		c := &r.checks[i]
		v := f[c.slot]
		switch c.kind {
		case isValue:
			if v != c.val {
				return false
			}
		case isMade:
			if !e.is(v, c.sym) {
				return false
			}
			parts := e.parts(v)
			if len(parts) == 0 && len(c.sym.args) > 0 {
				return false // the function itself
			}
			copy(f[c.to:], parts)
		case isSame:
			if v != f[c.to] {
				return false
			}
		case isIn:
			if !e.isIn(v, c.sort) {
				return false
			}
		case isApplied:
			n := int(c.sort)
			if !v.isTerm() {
				return false
			}
			s := e.symbolOf(v)
			parts := e.parts(v)
			switch {
			case s.kind == applied && s.groups == 1 && len(parts) == n:
				f[c.to] = e.makeOf(s, nil)
				copy(f[c.to+1:], parts)
			case s.kind == application && len(parts) == n+1:
				copy(f[c.to:], parts)
			default:
				return false
			}
		}
	}
	return true
}

// A choice is a node of a match tree: it looks at one argument and knows which
// rules are left for each value that rules mention there. Its branches are made
// when a value first takes them.
type choice struct {
	arg      int // -1: no argument tells more
	rules    []*rule
	branches map[Value]*choice
	others   *choice   // for values that no rule mentions
	small    []*choice // branches of small values, if there are few
}

// maxSmallBranch bounds the values that choose a branch by their number.
const maxSmallBranch = 64

// split finds the argument that a choice looks at, from one on.
func (e *Engine) split(c *choice, s *symbol, from int) {
	if len(c.rules) <= 1 {
		return
	}
	for i := from; i < len(s.args); i++ {
		for _, r := range c.rules {
			if _, ok := e.branchOf(r, i); ok {
				c.arg = i
				c.branches = map[Value]*choice{}
				c.small = make([]*choice, maxSmallBranch)
				return
			}
		}
	}
}

// branchOf returns what a rule wants an argument to be, as a key of branches.
func (e *Engine) branchOf(r *rule, arg int) (Value, bool) {
	for _, c := range r.checks {
		if c.slot != arg {
			continue
		}
		switch c.kind {
		case isValue:
			return e.branchKey(c.val), true
		case isMade:
			return Value(c.sym.id)<<1 | 1, true
		}
	}
	return 0, false
}

// branchKey returns the key of a value: itself, or the symbol of a term.
func (e *Engine) branchKey(v Value) Value {
	if v.isTerm() {
		return Value(e.terms[v>>1].sym)<<1 | 1
	}
	return v
}

// candidates returns the rules that may fit.
func (e *Engine) candidates(s *symbol, f []Value) []*rule {
	c := s.tree
	for c.arg >= 0 {
		v := f[c.arg]
		if v < 2*maxSmallBranch && v&1 == 0 {
			next := c.small[v>>1]
			if next == nil {
				next = e.branch(c, s, v)
				c.small[v>>1] = next
			}
			c = next
			continue
		}
		k := e.branchKey(v)
		next := c.branches[k]
		if next == nil {
			next = e.branch(c, s, k)
		}
		c = next
	}
	return c.rules
}

// branch makes a branch.
func (e *Engine) branch(c *choice, s *symbol, k Value) *choice {
	n := &choice{arg: -1}
	mentioned := false
	for _, r := range c.rules {
		want, ok := e.branchOf(r, c.arg)
		if !ok || want == k {
			n.rules = append(n.rules, r)
		}
		mentioned = mentioned || ok && want == k
	}
	if !mentioned {
		if c.others == nil {
			e.split(n, s, c.arg+1)
			c.others = n
		}
		return c.others
	}
	e.split(n, s, c.arg+1)
	c.branches[k] = n
	return n
}
