package data

import (
	"math"
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
				return r.giveUp(cannot(s.at, "a term that is not made with a constructor"))
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

func cannot(at diag.Pos, what string) *diag.Error {
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
				return r.giveUp(cannot(s.at, "a list that is not known"))
			}
		default:
			return r.giveUp(cannot(s.at, "a set that is not finite"))
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
			return r.giveUp(cannot(s.at, "the lower bound of "+s.v.Name+" is not a number"))
		}
	}
	hi := s.hi(f)
	if hi == unset || !e.isNumber(hi) {
		return r.giveUp(cannot(s.at, "the upper bound of "+s.v.Name+" is not a number"))
	}
	if e.compareNumbers(lo, hi) > 0 {
		return true
	}
	var first *big.Int // if numbers are large
	var count uint64
	if lo.isTerm() || hi.isTerm() {
		first = ceiling(e.ratOf(lo))
		if n := new(big.Int).Sub(floor(e.ratOf(hi)).Num(), first); n.Sign() < 0 {
			return true // there is no integer between
		} else if count = n.Uint64(); !n.IsUint64() {
			count = math.MaxUint64
		}
	} else {
		count = uint64(hi.small()) - uint64(lo.small())
	}
	if count > 1<<40 {
		return r.giveUp(cannot(s.at, "the bounds of "+s.v.Name+" are too far apart"))
	}
	for n := range int64(count) + 1 {
		if e.steps--; e.steps < 0 {
			e.steps = 0
			fail(diag.RunUnsupportedf(s.at, "enumeration of %s does not end within %d steps", s.v.Name, e.options.Steps))
		}
		if first != nil {
			f[s.slot] = e.integer(new(big.Int).Add(first, big.NewInt(n)))
		} else {
			f[s.slot] = small(lo.small() + n)
		}
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
