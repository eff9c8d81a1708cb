package data

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// Sorts with more elements than this are split by constructor, so that a
// condition on one argument cuts off all values of the others. maxCases bounds
// the cases of a plan.
const (
	fewElements = 64
	maxCases    = 200
)

// listed reports whether a variable is to be given all elements of its sort.
func (p *planner) listed(v *spec.Var) bool {
	return p.e.isListed(v.Of) && (p.e.sizeOf(v.Of) <= fewElements || !p.canSplit(v))
}

// canSplit reports whether a variable can be split by constructor.
func (p *planner) canSplit(v *spec.Var) bool {
	return v.Of.Kind == spec.Named && len(v.Of.Cons) > 0 && !p.e.contains(v.Of, v.Of, nil) &&
		(!p.e.isListed(v.Of) || *p.cases+len(v.Of.Cons) <= maxCases)
}

// split deals with each constructor of a variable on its own, if there is no
// other way and the sort does not contain itself. The arguments are variables
// like others then.
func (p *planner) split() bool {
	if p.ways() {
		return false
	}
	for _, v := range p.open {
		if !p.canSplit(v) {
			continue
		}
		*p.cases += len(v.Of.Cons)
		s := step{kind: split, v: v, at: v.At}
		for _, c := range v.Of.Cons {
			q := p.caseOf(v, c)
			p.plan.narrows = p.plan.narrows || q.narrows
			s.cases = append(s.cases, q)
		}
		p.add(s)
		return true
	}
	return false
}

// ways reports whether a variable can be given values without a split.
func (p *planner) ways() bool {
	q := &planner{e: p.e, sc: p.sc, slot: map[*spec.Var]int{}, plan: &plan{}, cases: p.cases}
	for v, k := range p.slot {
		q.slot[v] = k
	}
	q.open, q.left = append(q.open, p.open...), append(q.left, p.left...)
	return q.point() || q.alternatives() || q.element() || q.finite() || q.bounded()
}

// caseOf makes the rest of the plan for one constructor of a variable.
func (p *planner) caseOf(v *spec.Var, c *spec.Func) *plan {
	q := &planner{e: p.e, sc: p.sc, slot: map[*spec.Var]int{}, plan: &plan{at: p.plan.at}, cases: p.cases}
	q.late = append(q.late, p.late...)
	var term spec.Expr = c
	if args, _ := domain(c.Of); len(args) > 0 {
		a := &spec.Apply{Head: c, At: v.At}
		for i, s := range args {
			y := &spec.Var{Name: v.Name, Of: s, At: v.At}
			if i < len(c.Proj) && c.Proj[i] != nil {
				y.Name = c.Proj[i].Name + "(" + v.Name + ")"
			}
			q.open = append(q.open, y)
			q.slot[y] = p.sc.Add(y)
			a.Args = append(a.Args, y)
		}
		term = a
	}
	for _, w := range p.open {
		if w != v {
			q.open = append(q.open, w)
			q.slot[w] = p.slot[w]
		}
	}
	for _, l := range p.left {
		q.left = flatten(q.left, conjunct{p.e.unwrap(spec.Subst{v: term}.Apply(l.x)), l.neg})
	}
	q.late = append(q.late, step{kind: assign, slot: p.slot[v], v: v, sort: v.Of, fn: p.e.compile(term, p.sc).code()})
	return q.make()
}

// contains reports whether elements of a sort have parts of another.
func (e *Engine) contains(s, part *spec.Sort, seen map[*spec.Sort]bool) bool {
	if seen == nil {
		seen = map[*spec.Sort]bool{}
	}
	if seen[s] {
		return false
	}
	seen[s] = true
	below := append([]*spec.Sort(nil), s.Args...)
	if s.Result != nil {
		below = append(below, s.Result)
	}
	for _, c := range s.Cons {
		args, _ := domain(c.Of)
		below = append(below, args...)
	}
	for _, b := range below {
		if b == part || e.contains(b, part, seen) {
			return true
		}
	}
	return false
}

// unwrap applies projections and recognisers to constructors.
func (e *Engine) unwrap(x spec.Expr) spec.Expr {
	switch x := x.(type) {
	case *spec.Apply:
		args := make([]spec.Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = e.unwrap(a)
		}
		f, ok := x.Head.(*spec.Func)
		if !ok {
			return &spec.Apply{Head: e.unwrap(x.Head), Args: args, At: x.At}
		}
		if f.Op == spec.OpProj || f.Op == spec.OpIs {
			if c := rootOf(args[0]); c != nil && c.Con {
				if f.Op == spec.OpIs {
					return e.bools[truth(c == f.Owner).small()]
				}
				if i := f.ArgOf(c); i >= 0 {
					return args[0].(*spec.Apply).Args[i]
				}
			}
		}
		return &spec.Apply{Head: f, Args: args, At: x.At}
	case *spec.Abs:
		return &spec.Abs{Kind: x.Kind, Vars: x.Vars, Body: e.unwrap(x.Body), Of: x.Of, At: x.At}
	}
	return x
}
