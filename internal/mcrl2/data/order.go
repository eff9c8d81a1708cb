package data

import (
	"cmp"
	"math/big"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A verdict is true, false or unknown, which is what a question about a term
// with variables may have for an answer.
type verdict uint8

const (
	no verdict = iota
	yes
	unknown
)

func judge(b bool) verdict {
	if b {
		return yes
	}
	return no
}

func judgeValue(v Value) verdict {
	switch v {
	case True:
		return yes
	case False:
		return no
	}
	return unknown
}

func (v verdict) value() (Value, bool) { return truth(v == yes), v != unknown }

// equal decides ==.
func (e *Engine) equal(s *spec.Sort, v, w Value) verdict {
	if v == w {
		return yes
	}
	i := e.info(s)
	if e.ground(v) && e.ground(w) && i.plain {
		return no
	}
	if i.equal != nil {
		return judgeValue(e.call2(i.equal, v, w))
	}
	switch s.Kind {
	case spec.Pos, spec.Nat, spec.Int, spec.Real:
		if e.lessBounds(s.Kind, v, w, true) == no || e.lessBounds(s.Kind, w, v, true) == no {
			return no
		}
	case spec.Named:
		return e.equalTerms(s, v, w)
	case spec.List:
		return e.equalLists(s.Args[0], v, w)
	case spec.FSet, spec.Set:
		return e.equalSets(s, v, w)
	case spec.FBag, spec.Bag:
		return e.equalBags(s, v, w)
	case spec.Function:
		return e.equalFunctions(s, v, w)
	}
	return unknown
}

// constructorOf returns the constructor that a value of a named sort is made
// with, or nil.
func (e *Engine) constructorOf(s *spec.Sort, v Value) *spec.Func {
	if !v.isTerm() {
		return s.Cons[v.small()]
	}
	if y := e.symbolOf(v); y.kind == applied && y.fn.Con {
		return y.fn
	}
	return nil
}

// free reports whether different terms of a sort are different for sure.
func (e *Engine) free(s *spec.Sort) bool { return s.Struct || e.info(s).plain }

func (e *Engine) equalTerms(s *spec.Sort, v, w Value) verdict {
	c, d := e.constructorOf(s, v), e.constructorOf(s, w)
	if c == nil || d == nil || !e.free(s) {
		return unknown
	}
	if c != d {
		return no
	}
	if !v.isTerm() {
		return yes
	}
	return e.equalAll(e.symbolOf(v).args, e.parts(v), e.parts(w))
}

func (e *Engine) equalAll(sorts []*spec.Sort, v, w []Value) verdict {
	result := yes
	for i := range v {
		switch e.equal(sorts[i], v[i], w[i]) {
		case no:
			return no
		case unknown:
			result = unknown
		}
	}
	return result
}

func (e *Engine) equalLists(elem *spec.Sort, v, w Value) verdict {
	result := yes
	for v != w {
		if v == none || w == none {
			if e.isList(v) && e.isList(w) {
				return no
			}
			return unknown
		}
		if !e.isList(v) || !e.isList(w) {
			return unknown
		}
		a, b := e.parts(v), e.parts(w)
		switch e.equal(elem, a[0], b[0]) {
		case no:
			return no
		case unknown:
			result = unknown
		}
		v, w = a[1], b[1]
	}
	return result
}

func (e *Engine) isList(v Value) bool { return v == none || e.is(v, e.kinds[cons]) }

// less decides <, or <= if orEqual is set.
func (e *Engine) less(s *spec.Sort, v, w Value, orEqual bool) verdict {
	if v == w {
		return judge(orEqual)
	}
	switch s.Kind {
	case spec.Bool:
		if v.isBool() && w.isBool() {
			return judge(v < w)
		}
		if v == False && orEqual || w == True && orEqual {
			return yes
		}
		if v == True && !orEqual || w == False && !orEqual {
			return no
		}
		return unknown
	case spec.Pos, spec.Nat, spec.Int, spec.Real:
		if e.isNumber(v) && e.isNumber(w) {
			return judge(e.compareNumbers(v, w) < 0)
		}
		return e.lessBounds(s.Kind, v, w, orEqual)
	case spec.Named:
		i := e.info(s)
		switch {
		case s.Struct:
		case !orEqual && i.less != nil:
			return judgeValue(e.call2(i.less, v, w))
		case orEqual && i.lessEq != nil:
			return judgeValue(e.call2(i.lessEq, v, w))
		default:
			return unknown
		}
		c, d := e.constructorOf(s, v), e.constructorOf(s, w)
		if c == nil || d == nil {
			return unknown
		}
		if c != d {
			return judge(c.Index < d.Index)
		}
		if !v.isTerm() {
			return judge(orEqual)
		}
		return e.lessAll(e.symbolOf(v).args, e.parts(v), e.parts(w), orEqual)
	case spec.List:
		return e.lessLists(s.Args[0], v, w, orEqual)
	case spec.FSet, spec.Set:
		return e.subset(s, v, w, orEqual)
	case spec.FBag, spec.Bag:
		return e.subbag(s, v, w, orEqual)
	}
	return unknown
}

// lessBounds decides < and <= of numbers that are not known, by what is known of
// them: a length is at least 0.
func (e *Engine) lessBounds(k spec.SortKind, v, w Value, orEqual bool) verdict {
	if low := e.atLeast(k, v); low != unset && e.isNumber(w) {
		if c := e.compareNumbers(low, w); c > 0 || c == 0 && !orEqual {
			return no
		}
	}
	if low := e.atLeast(k, w); low != unset && e.isNumber(v) {
		if c := e.compareNumbers(v, low); c < 0 || c == 0 && orEqual {
			return yes
		}
	}
	return unknown
}

// atLeast returns a number that a term of a numeric sort is not below, or unset.
func (e *Engine) atLeast(k spec.SortKind, v Value) Value {
	if e.isNumber(v) {
		return v
	}
	y, p := e.symbolOf(v), e.parts(v)
	if y.kind == applied && len(p) > 0 {
		switch y.fn.Op {
		case spec.OpAdd:
			a, b := e.atLeast(y.args[0].Kind, p[0]), e.atLeast(y.args[1].Kind, p[1])
			if a != unset && b != unset {
				return e.number(new(big.Rat).Add(e.ratOf(a), e.ratOf(b)))
			}
		case spec.OpSucc:
			if a := e.atLeast(y.args[0].Kind, p[0]); a != unset {
				return e.number(new(big.Rat).Add(e.ratOf(a), one))
			}
		}
		k = min(k, y.result.Kind) // it may stand where a wider sort is wanted
	}
	if y.kind == variable {
		k = min(k, e.vars[p[0].small()].Of.Kind)
	}
	switch k {
	case spec.Pos:
		return small(1)
	case spec.Nat:
		return small(0)
	}
	return unset
}

// lessAll compares arguments from left to right.
func (e *Engine) lessAll(sorts []*spec.Sort, v, w []Value, orEqual bool) verdict {
	for i := range v {
		last := i == len(v)-1
		if x := e.less(sorts[i], v[i], w[i], last && orEqual); x != no || last {
			return x
		}
		if x := e.equal(sorts[i], v[i], w[i]); x != yes {
			return x
		}
	}
	return judge(orEqual)
}

func (e *Engine) lessLists(elem *spec.Sort, v, w Value, orEqual bool) verdict {
	for v != w {
		if !e.isList(v) || !e.isList(w) {
			return unknown
		}
		if v == none || w == none {
			return judge(v == none)
		}
		a, b := e.parts(v), e.parts(w)
		if x := e.less(elem, a[0], b[0], false); x != no {
			return x
		}
		if x := e.equal(elem, a[0], b[0]); x != yes {
			return x
		}
		v, w = a[1], b[1]
	}
	return judge(orEqual)
}

// compare is a total order on the values of a sort that depends on what they
// are and on nothing else. It is < where that is total.
func (e *Engine) compare(s *spec.Sort, v, w Value) int {
	if v == w {
		return 0
	}
	switch s.Kind {
	case spec.Bool, spec.Pos, spec.Nat, spec.Int, spec.Real:
		if e.isNumber(v) && e.isNumber(w) {
			return e.compareNumbers(v, w)
		}
	case spec.Named:
		c, d := e.constructorOf(s, v), e.constructorOf(s, w)
		if c != nil && d != nil {
			if c != d {
				return cmp.Compare(c.Index, d.Index)
			}
			return e.compareAll(e.symbolOf(v).args, e.parts(v), e.parts(w))
		}
	case spec.List:
		for v != w && v != none && w != none && e.isList(v) && e.isList(w) {
			a, b := e.parts(v), e.parts(w)
			if c := e.compare(s.Args[0], a[0], b[0]); c != 0 {
				return c
			}
			v, w = a[1], b[1]
		}
		if v == none || w == none {
			return cmp.Compare(w&1, v&1) * -1
		}
	case spec.FSet, spec.Set:
		if e.isFiniteSet(v) && e.isFiniteSet(w) {
			a, b := e.members(v), e.members(w)
			for i := range min(len(a), len(b)) {
				if c := e.compare(s.Args[0], a[i], b[i]); c != 0 {
					return c
				}
			}
			return cmp.Compare(len(a), len(b))
		}
	}
	return e.compareContent(v, w)
}

func (e *Engine) compareAll(sorts []*spec.Sort, v, w []Value) int {
	for i := range v {
		if c := e.compare(sorts[i], v[i], w[i]); c != 0 {
			return c
		}
	}
	return 0
}
