package data

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A plan enumerates the values of variables for which a condition holds. The
// condition is a list of conjuncts. Each is tested as soon as its variables have
// values; in between, a variable gets its values, from where there are fewest:
//
//	x == e               one value
//	x == e || x == f     some values
//	c(x, y) == e         the parts of a term
//	x in l               the elements
//	x of a finite sort   all of them
//	x < e, a <= x + b    numbers between bounds
//	x of another sort    by constructor, and then the arguments; if the sort is
//	                     recursive, unfolded while the condition may hold
type plan struct {
	steps   []step
	why     *diag.Error // why there is no plan, or nil
	narrows bool
	at      diag.Pos
}

type stepKind uint8

const (
	test stepKind = iota
	assign
	destruct
	points
	oneOf
	allOf
	between
	split
	unfold
	probe
)

// A step of a plan gives a variable values, or tests a conjunct.
type step struct {
	kind   stepKind
	slot   int
	v      *spec.Var
	fn     code // condition, value or collection
	neg    bool
	sort   *spec.Sort
	sym    *symbol
	parts  []int // for destruct: where parts go, or -1
	lo, hi code
	values []code      // for points
	why    *diag.Error // for probe
	cases  []*plan     // for split: what is left to do, by constructor
	rest   code        // for unfold: all that is left to test
	others []int
	names  []*spec.Var
	at     diag.Pos
}

// A planner makes a plan.
type planner struct {
	e     *Engine
	sc    *Scope
	slot  map[*spec.Var]int // of variables without a value
	open  []*spec.Var
	left  []conjunct
	late  []step // to be taken when all variables have values
	cases *int   // made so far
	plan  *plan
}

// plan makes the plan for variables that have the given places.
func (e *Engine) plan(sc *Scope, vars []*spec.Var, slots []int, cond []conjunct, at diag.Pos) *plan {
	p := &planner{e: e, sc: sc, slot: map[*spec.Var]int{}, plan: &plan{at: at}, cases: new(int)}
	for i, v := range vars {
		p.slot[v] = slots[i]
		p.open = append(p.open, v)
	}
	for _, c := range cond {
		p.left = flatten(p.left, c)
	}
	return p.make()
}

func (p *planner) make() *plan {
	for {
		p.tests()
		if len(p.open) == 0 {
			for i := len(p.late) - 1; i >= 0; i-- {
				p.add(p.late[i])
			}
			return p.plan
		}
		if p.split() {
			return p.plan
		}
		if !p.point() && !p.alternatives() && !p.element() && !p.finite() && !p.bounded() && !p.unfolded() {
			return p.plan
		}
	}
}

// known reports whether an expression has no variables without a value.
func (p *planner) known(x spec.Expr) bool {
	for _, v := range spec.FreeVars(x) {
		if _, open := p.slot[v]; open {
			return false
		}
	}
	return true
}

func (p *planner) add(s step) { p.plan.steps = append(p.plan.steps, s) }

// settle marks a variable as one that has a value.
func (p *planner) settle(v *spec.Var) {
	delete(p.slot, v)
	for i, w := range p.open {
		if w == v {
			p.open = append(p.open[:i:i], p.open[i+1:]...)
			return
		}
	}
}

// tests adds tests for the conjuncts that can be tested.
func (p *planner) tests() {
	var left []conjunct
	for _, c := range p.left {
		if !p.known(c.x) {
			left = append(left, c)
			continue
		}
		o := p.e.compile(c.x, p.sc)
		if o.isConst() && o.val == truth(!c.neg) {
			continue
		}
		p.add(step{kind: test, fn: o.code(), neg: c.neg, at: c.x.Pos()})
	}
	p.left = left
}

// openVar returns the variable without a value that x is, perhaps under casts
// to wider sorts, or nil.
func (p *planner) openVar(x spec.Expr) *spec.Var {
	switch x := x.(type) {
	case *spec.Var:
		if _, open := p.slot[x]; open {
			return x
		}
	case *spec.Apply:
		if f, ok := x.Head.(*spec.Func); ok && f.Op == spec.OpCast && wider(f.Of.Result, f.Of.Args[0]) {
			return p.openVar(x.Args[0])
		}
	}
	return nil
}

// point looks for a conjunct that leaves one value for a variable.
func (p *planner) point() bool {
	for i, c := range p.left {
		if v := p.openVar(c.x); v != nil && v.Of.Kind == spec.Bool {
			p.add(step{kind: assign, slot: p.slot[v], v: v, sort: v.Of, fn: constantOperand(truth(!c.neg)).code()})
			p.drop(i)
			p.settle(v)
			return true
		}
		r, ok := c.relation()
		if !ok || r.op != spec.OpEq {
			continue
		}
		for range 2 {
			if v := p.openVar(r.l); v != nil && p.known(r.r) && (v.Of.Kind != spec.Named || p.e.info(v.Of).equal == nil) {
				p.add(step{kind: assign, slot: p.slot[v], v: v, sort: v.Of, fn: p.e.compile(r.r, p.sc).code(), at: c.x.Pos()})
				p.drop(i)
				p.settle(v)
				return true
			}
			if p.known(r.r) && p.parts(r.l, r.r, c.x.Pos()) {
				return true
			}
			r.l, r.r = r.r, r.l
		}
	}
	return false
}

func (p *planner) drop(i int) { p.left = append(p.left[:i:i], p.left[i+1:]...) }

// parts takes a term apart: variables that are arguments of a constructor get
// the parts. The conjunct stays, since there may be other arguments.
func (p *planner) parts(l, r spec.Expr, at diag.Pos) bool {
	a, ok := l.(*spec.Apply)
	if !ok {
		return false
	}
	f, ok := a.Head.(*spec.Func)
	if !ok || f.Op != spec.OpCons && (!f.Con || !p.e.free(f.Of.Result)) {
		return false
	}
	s := step{kind: destruct, fn: p.e.compile(r, p.sc).code(), sym: p.e.symbol(f), at: at}
	if f.Op == spec.OpCons {
		s.sym = p.e.kinds[cons]
	}
	var bound []*spec.Var
	for _, x := range a.Args {
		slot := -1
		if v, ok := x.(*spec.Var); ok {
			if k, open := p.slot[v]; open {
				slot = k
				p.settle(v)
				bound = append(bound, v)
			}
		}
		s.parts = append(s.parts, slot)
	}
	if len(bound) == 0 {
		return false
	}
	p.add(s)
	return true
}

// alternatives looks for a conjunct that leaves some values for a variable.
func (p *planner) alternatives() bool {
	for _, c := range p.left {
		for _, v := range p.open {
			if v.Of.Kind == spec.Named && p.e.info(v.Of).equal != nil {
				continue
			}
			xs, ok := p.pointsOf(c, v, nil)
			if !ok {
				continue
			}
			s := step{kind: points, slot: p.slot[v], v: v, sort: v.Of, at: c.x.Pos()}
			for _, x := range xs {
				s.values = append(s.values, p.e.compile(x, p.sc).code())
			}
			p.add(s)
			p.settle(v)
			return true
		}
	}
	return false
}

// pointsOf appends the expressions one of which a variable must be equal to if a
// condition holds. It reports false if the variable may have other values.
func (p *planner) pointsOf(c conjunct, v *spec.Var, dst []spec.Expr) ([]spec.Expr, bool) {
	parts := flatten(nil, c)
	for _, c := range parts {
		if r, ok := c.relation(); ok && r.op == spec.OpEq {
			if p.openVar(r.l) == v && p.known(r.r) {
				return append(dst, r.r), true
			}
			if p.openVar(r.r) == v && p.known(r.l) {
				return append(dst, r.l), true
			}
		}
	}
	for _, c := range parts {
		a, ok := c.x.(*spec.Apply)
		if !ok || len(a.Args) != 2 || !(spec.IsOp(a.Head, spec.OpOr) && !c.neg || spec.IsOp(a.Head, spec.OpAnd) && c.neg) {
			continue
		}
		if xs, ok := p.pointsOf(conjunct{a.Args[0], c.neg}, v, dst); ok {
			if xs, ok = p.pointsOf(conjunct{a.Args[1], c.neg}, v, xs); ok {
				return xs, true
			}
		}
	}
	return nil, false
}

// element looks for a variable that is in a list or in a finite set.
func (p *planner) element() bool {
	for _, c := range p.left {
		r, ok := c.relation()
		if !ok || r.op != spec.OpIn || !p.known(r.r) {
			continue
		}
		v := p.openVar(r.l)
		k := r.r.Sort().Kind
		if v == nil || p.listed(v) || k != spec.List && k != spec.FSet && k != spec.Set {
			continue
		}
		p.add(step{kind: oneOf, slot: p.slot[v], v: v, sort: v.Of, fn: p.e.compile(r.r, p.sc).code(), at: c.x.Pos()})
		p.settle(v)
		return true
	}
	return false
}

// finite chooses the variable with the smallest finite sort.
func (p *planner) finite() bool {
	var best *spec.Var
	for _, v := range p.open {
		if p.listed(v) && (best == nil || p.e.sizeOf(v.Of) < p.e.sizeOf(best.Of)) {
			best = v
		}
	}
	if best == nil {
		return false
	}
	p.add(step{kind: allOf, slot: p.slot[best], v: best, sort: best.Of})
	p.settle(best)
	return true
}

// bounded looks for a number between bounds.
func (p *planner) bounded() bool {
	for _, v := range p.open {
		k := v.Of.Kind
		if k != spec.Pos && k != spec.Nat && k != spec.Int {
			continue
		}
		b := bounder{p, v}
		hi := b.all(p.left, upper)
		lo := b.all(p.left, lower)
		if hi == nil || lo == nil && k == spec.Int {
			continue
		}
		p.add(step{kind: between, slot: p.slot[v], v: v, sort: v.Of, lo: lo, hi: hi, at: v.At})
		p.settle(v)
		return true
	}
	return false
}

// unfolded takes the first variable of a sort with constructors.
func (p *planner) unfolded() bool {
	for _, v := range p.open {
		if v.Of.Kind != spec.List && (v.Of.Kind != spec.Named || len(v.Of.Cons) == 0) {
			continue
		}
		s := step{kind: unfold, slot: p.slot[v], v: v, sort: v.Of, at: v.At}
		for _, w := range p.open {
			if w != v {
				s.others = append(s.others, p.slot[w])
				s.names = append(s.names, w)
			}
		}
		var codes []code
		for _, c := range p.left {
			fn := p.e.compile(c.x, p.sc).code()
			neg := truth(c.neg)
			codes = append(codes, func(f []Value) Value {
				if v := fn(f); v.isBool() {
					return v ^ neg
				}
				return unset
			})
		}
		s.rest = func(f []Value) Value {
			for _, c := range codes {
				if c(f) == False {
					return False
				}
			}
			return unset
		}
		p.add(s)
		p.settle(v)
		p.plan.narrows = true
		return true
	}
	v := p.open[0]
	reason := "its sort cannot be enumerated"
	switch v.Of.Kind {
	case spec.Pos, spec.Nat:
		reason = "the condition gives it no upper bound"
	case spec.Int:
		reason = "the condition does not bound it from both sides"
	case spec.Real:
		reason = "the condition does not give its value"
	case spec.Named:
		reason = "its sort has no constructors"
	}
	at := v.At
	if !at.IsValid() {
		at = p.plan.at
	}
	why := diag.RunUnsupportedf(at, "values of %s: %s: %s", v.Name, v.Of, reason)
	if !v.Of.Numeric() {
		p.plan.why = why
		return false
	}
	p.add(step{kind: probe, slot: p.slot[v], v: v, sort: v.Of, why: why})
	p.settle(v)
	return true
}
