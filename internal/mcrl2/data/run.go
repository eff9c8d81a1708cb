package data

import (
	"math/big"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A runMode says what is done with the solutions of a plan.
type runMode uint8

const (
	decide  runMode = iota // whether there is one: their disjunction in acc
	collect                // the values of one place
	visit                  // yield for each
)

// A run goes through a plan once.
type run struct {
	e    *Engine
	plan *plan
	mode runMode

	acc       Value
	slot      int
	most      int // values to collect
	found     []Value
	yield     func() bool
	undecided bool // something could not be enumerated or tested
	pendingAt diag.Pos
	holes     int
}

func (e *Engine) makeConnectives() {
	b := e.data.Sorts.Basic(spec.Bool)
	e.bools = [2]spec.Expr{&spec.Func{Name: "false", Of: b, Op: spec.OpFalse}, &spec.Func{Name: "true", Of: b, Op: spec.OpTrue}}
	one, two := e.data.Sorts.Function([]*spec.Sort{b}, b), e.data.Sorts.Function([]*spec.Sort{b, b}, b)
	e.negation = e.symbol(&spec.Func{Name: "!", Of: one, Op: spec.OpNot})
	e.conjunction = e.symbol(&spec.Func{Name: "&&", Of: two, Op: spec.OpAnd})
	e.disjunction = e.symbol(&spec.Func{Name: "||", Of: two, Op: spec.OpOr})
	nat := e.data.Sorts.Basic(spec.Nat)
	e.addition = e.symbol(&spec.Func{Name: "+", Of: e.data.Sorts.Function([]*spec.Sort{nat, nat}, nat), Op: spec.OpAdd})
}

// from takes the steps from i on. What tests have left open is in pending. It
// returns false to stop.
func (r *run) from(f []Value, i int, pending Value) bool {
	e := r.e
	for ; i < len(r.plan.steps); i++ {
		s := &r.plan.steps[i]
		switch s.kind {
		case test:
			v := s.fn(f)
			if !v.isBool() {
				if pending == True {
					r.pendingAt = s.at
				}
				if s.neg {
					v = e.call1(e.negation, v)
				}
				pending = e.call2(e.conjunction, pending, v)
			} else if (v == True) == s.neg {
				return true
			}
		case assign:
			v := s.fn(f)
			if s.sort.Numeric() && e.isNumber(v) && !e.isIn(v, s.sort.Kind) {
				return true
			}
			f[s.slot] = v
		case destruct:
			v := s.fn(f)
			if !e.is(v, s.sym) {
				if !v.isTerm() || e.symbolOf(v).kind == cons || e.symbolOf(v).kind == applied && e.symbolOf(v).fn.Con {
					return true // made with another constructor
				}
				return r.giveUp(e.cannot(s.at, "a term that is not made with a constructor", v, nil))
			}
			for k, w := range e.parts(v) {
				if s.parts[k] >= 0 {
					f[s.parts[k]] = w
				}
			}
		default:
			return r.choices(s, f, i, pending)
		}
	}
	if r.plan.why != nil {
		return r.giveUp(r.plan.why)
	}
	return r.solution(f, pending)
}

func (e *Engine) cannot(at diag.Pos, what string, _ Value, _ *spec.Sort) *diag.Error {
	return diag.RunUnsupportedf(at, "cannot enumerate: %s", what)
}

// giveUp ends the run because a variable has no values that are known.
func (r *run) giveUp(why *diag.Error) bool {
	r.undecided = true
	if r.mode == visit {
		fail(why)
	}
	return false
}

// solution deals with values for all variables.
func (r *run) solution(f []Value, pending Value) bool {
	switch r.mode {
	case decide:
		r.acc = r.e.call2(r.e.disjunction, r.acc, pending)
		return r.acc != True
	case collect:
		if pending != True || len(r.found) == r.most {
			r.undecided = true
			return false
		}
		r.found = append(r.found, f[r.slot])
		return true
	}
	if pending != True {
		at := r.pendingAt
		if !at.IsValid() {
			at = r.plan.at
		}
		fail(r.e.neither(pending, at, "the condition"))
	}
	return r.yield()
}

// choices gives a variable one value after the other.
func (r *run) choices(s *step, f []Value, i int, pending Value) bool {
	e := r.e
	switch s.kind {
	case allOf:
		for _, v := range e.elementsOf(s.sort) {
			f[s.slot] = v
			if !r.from(f, i+1, pending) {
				return false
			}
		}
		return true
	case points:
		return r.points(s, f, i, pending)
	case probe:
		return r.probe(s, f, i, pending)
	case oneOf:
		v := s.fn(f)
		var elems []Value
		switch {
		case e.isFiniteSet(v):
			elems = e.members(v)
		case e.is(v, e.kinds[cons]):
			var rest Value
			if elems, rest = e.listed(v); rest != none {
				return r.giveUp(e.cannot(s.at, "a list that is not known", v, nil))
			}
		default:
			return r.giveUp(e.cannot(s.at, "a set that is not finite", v, nil))
		}
		for _, x := range elems {
			if s.sort.Numeric() && e.isNumber(x) && !e.isIn(x, s.sort.Kind) {
				continue
			}
			f[s.slot] = x
			if !r.from(f, i+1, pending) {
				return false
			}
		}
		return true
	case between:
		return r.numbers(s, f, i, pending)
	case split:
		whole := r.plan
		for _, p := range s.cases {
			r.plan = p
			if !r.from(f, 0, pending) {
				return false
			}
		}
		r.plan = whole
		return true
	}
	return r.unfold(s, f, i, pending)
}

// points tries some values, each once.
func (r *run) points(s *step, f []Value, i int, pending Value) bool {
	e := r.e
	tried := make([]Value, 0, len(s.values))
	for _, x := range s.values {
		v := x(f)
		if slices.Contains(tried, v) || s.sort.Numeric() && e.isNumber(v) && !e.isIn(v, s.sort.Kind) {
			continue
		}
		tried = append(tried, v)
		f[s.slot] = v
		if !r.from(f, i+1, pending) {
			return false
		}
	}
	return true
}

// probes is how many numbers are tried where there is no bound.
const probes = 100

// probe looks for a solution among small numbers. It decides only if there is
// one.
func (r *run) probe(s *step, f []Value, i int, pending Value) bool {
	if r.mode != decide {
		return r.giveUp(s.why)
	}
	for n := range int64(probes) {
		for _, v := range []int64{n, -n} {
			if v < 0 && s.sort.Kind < spec.Int || v == 0 && s.sort.Kind == spec.Pos {
				continue
			}
			f[s.slot] = small(v)
			if !r.from(f, i+1, pending) {
				return false
			}
		}
	}
	return r.giveUp(s.why)
}

// numbers counts from bound to bound.
func (r *run) numbers(s *step, f []Value, i int, pending Value) bool {
	e := r.e
	lo := small(0)
	if s.sort.Kind == spec.Pos {
		lo = small(1)
	}
	if s.lo != nil {
		v := s.lo(f)
		if v != unset && e.isNumber(v) {
			if s.sort.Kind == spec.Int || e.compareNumbers(v, lo) > 0 {
				lo = v
			}
		} else if s.sort.Kind == spec.Int {
			return r.giveUp(e.cannot(s.at, "the lower bound of "+s.v.Name+" is not a number", v, nil))
		}
	}
	hi := s.hi(f)
	if hi == unset || !e.isNumber(hi) {
		return r.giveUp(e.cannot(s.at, "the upper bound of "+s.v.Name+" is not a number", hi, nil))
	}
	if e.compareNumbers(lo, hi) > 0 {
		return true
	}
	if lo.isTerm() || hi.isTerm() {
		lo, hi = e.integer(ceiling(e.ratOf(lo))), e.integer(floor(e.ratOf(hi)).Num())
	}
	if lo.isTerm() || hi.isTerm() || hi.small()-lo.small() > int64(1)<<40 {
		return r.giveUp(e.cannot(s.at, "the bounds of "+s.v.Name+" are too far apart", hi, nil))
	}
	for n := lo.small(); n <= hi.small(); n++ {
		if e.steps--; e.steps < 0 {
			e.steps = 0
			fail(diag.RunUnsupportedf(s.at, "enumeration of %s does not end within %d steps", s.v.Name, e.options.Steps))
		}
		f[s.slot] = small(n)
		if !r.from(f, i+1, pending) {
			return false
		}
	}
	return true
}

func ceiling(x *big.Rat) *big.Int {
	n := floor(new(big.Rat).Neg(x))
	return new(big.Int).Neg(n.Num())
}

// unfold enumerates the terms of a sort with constructors, small ones first.
// Terms with holes stand for all their instances; those for which the condition
// is false whatever is in the holes are left out.
func (r *run) unfold(s *step, f []Value, i int, pending Value) bool {
	e := r.e
	queue := []Value{r.hole(s.sort)}
	for made := 0; len(queue) > 0; queue = queue[1:] {
		t := queue[0]
		f[s.slot] = t
		for k, slot := range s.others {
			f[slot] = e.variable(s.names[k])
		}
		if s.rest(f) == False {
			continue
		}
		h, of := e.firstHole(t, s.sort)
		if h == unset {
			if !r.from(f, i+1, pending) {
				return false
			}
			continue
		}
		var ways []Value
		switch {
		case e.isListed(of):
			ways = e.elementsOf(of)
		case of.Kind == spec.List:
			ways = []Value{none, e.make(e.kinds[cons], r.hole(of.Args[0]), r.hole(of))}
		case of.Kind == spec.Named && len(of.Cons) > 0:
			for _, c := range of.Cons {
				y := e.symbol(c)
				args := make([]Value, len(y.args))
				for k, a := range y.args {
					args[k] = r.hole(a)
				}
				if len(args) == 0 && len(y.rules) == 0 {
					ways = append(ways, e.nullary(y))
				} else {
					ways = append(ways, e.construct(y, args))
				}
			}
		default:
			return r.giveUp(e.cannot(s.at, "values of "+s.v.Name+": "+s.v.Of.String()+" have parts of sort "+of.String(), t, nil))
		}
		for _, w := range ways {
			if made++; made > e.options.Terms {
				return r.giveUp(diag.RunUnsupportedf(s.at, "more than %d terms for %s: %s", e.options.Terms, s.v.Name, s.v.Of))
			}
			queue = append(queue, e.fill(t, s.sort, h, w))
		}
	}
	return true
}

// hole returns a new variable of a sort.
func (r *run) hole(s *spec.Sort) Value {
	e := r.e
	k := holeKey{s, r.holes}
	r.holes++
	v, ok := e.holes[k]
	if !ok {
		v = e.variable(&spec.Var{Name: "hole", Of: s})
		if e.holes == nil {
			e.holes = map[holeKey]Value{}
		}
		e.holes[k] = v
	}
	return v
}

type holeKey struct {
	sort *spec.Sort
	n    int
}

// firstHole returns the first variable of a term and its sort, or unset.
func (e *Engine) firstHole(t Value, s *spec.Sort) (Value, *spec.Sort) {
	if e.ground(t) {
		return unset, nil
	}
	y := e.symbolOf(t)
	switch {
	case y.kind == variable:
		return t, s
	case y.kind == cons:
		p := e.parts(t)
		if h, of := e.firstHole(p[0], s.Args[0]); h != unset {
			return h, of
		}
		return e.firstHole(p[1], s)
	case y.kind == applied && y.fn.Con:
		for i, a := range e.parts(t) {
			if h, of := e.firstHole(a, y.args[i]); h != unset {
				return h, of
			}
		}
	}
	return unset, nil
}

// fill puts a term into a hole.
func (e *Engine) fill(t Value, s *spec.Sort, hole, w Value) Value {
	if t == hole {
		return w
	}
	if e.ground(t) {
		return t
	}
	y := e.symbolOf(t)
	if y.kind != cons && (y.kind != applied || !y.fn.Con) {
		return t
	}
	args := append([]Value(nil), e.parts(t)...)
	for i, a := range args {
		args[i] = e.fill(a, nil, hole, w)
	}
	if y.kind == cons {
		return e.makeOf(y, args)
	}
	return e.construct(y, args)
}

// A Sum enumerates the values of variables for which a condition holds.
type Sum struct {
	e    *Engine
	plan *plan
	run  run
}

// CompileSum gives the variables places in the scope and makes a plan to
// enumerate them.
func (e *Engine) CompileSum(sc *Scope, vars []*spec.Var, cond spec.Expr, at diag.Pos) (*Sum, error) {
	s := &Sum{e: e}
	err := e.protect(func() {
		slots := make([]int, len(vars))
		for i, v := range vars {
			slots[i] = sc.Add(v)
		}
		s.plan = e.plan(sc, vars, slots, []conjunct{{cond, false}}, at)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Each calls yield for each solution, with the values of the variables in their
// places of the frame, until it returns false. Solutions may come twice. It
// refuses what cannot be enumerated and conditions that are neither true nor
// false. yield must not use the Sum.
func (s *Sum) Each(f []Value, yield func() bool) (err error) {
	e := s.e
	top, depth, open := e.top, e.depth, e.open
	e.steps = e.options.Steps
	defer func() {
		if x := recover(); x != nil {
			y, ok := x.(failure)
			if !ok {
				panic(x)
			}
			e.top, e.depth, e.open = top, depth, open
			err = y.err
		}
	}()
	s.run = run{e: e, plan: s.plan, mode: visit, yield: yield}
	s.run.from(f, 0, True)
	return nil
}
