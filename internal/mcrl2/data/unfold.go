package data

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

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
			return r.giveUp(cannot(s.at, "values of "+s.v.Name+": "+s.v.Of.String()+" have parts of sort "+of.String()))
		}
		for _, w := range ways {
			if made++; made > e.options.Terms {
				return r.giveUp(diag.RunUnsupportedf(s.at, "more than %d terms for %s: %s", e.options.Terms, s.v.Name, s.v.Of))
			}
			queue = append(queue, e.fill(t, h, w))
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
func (e *Engine) fill(t, hole, w Value) Value {
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
		args[i] = e.fill(a, hole, w)
	}
	if y.kind == cons {
		return e.makeOf(y, args)
	}
	return e.construct(y, args)
}
