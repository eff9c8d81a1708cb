package data

import (
	"sort"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A finite set is none or a term of its elements in their order. A set that is
// not known to be finite is all but a finite set, or a function to Bool and the
// finite set of elements for which the function is wrong. Sets over a sort with
// few elements are always finite ones, so that each has one form.

func (e *Engine) isFiniteSet(v Value) bool { return v == none || e.is(v, e.kinds[finiteSet]) }

// members returns the elements of a finite set.
func (e *Engine) members(v Value) []Value {
	if v == none {
		return nil
	}
	return e.parts(v)
}

// setOfMembers returns the finite set of elements in their order.
func (e *Engine) setOfMembers(elems []Value) Value {
	if len(elems) == 0 {
		return none
	}
	return e.makeOf(e.kinds[finiteSet], elems)
}

// locate looks for x among elements that lie step apart, in their order. It
// returns where x is, or where it belongs.
func (e *Engine) locate(elem *spec.Sort, x Value, elems []Value, step int) (int, verdict) {
	n := len(elems) / step
	i := sort.Search(n, func(i int) bool { return e.compare(elem, elems[i*step], x) >= 0 })
	if i < n && elems[i*step] == x {
		return i, yes
	}
	plain := e.info(elem).plain && e.ground(x)
	for k := range n {
		if y := elems[k*step]; !plain || !e.ground(y) {
			switch e.equal(elem, x, y) {
			case yes:
				return k, yes
			case unknown:
				return k, unknown
			}
		}
	}
	return i, no
}

// insert adds an element to a finite set.
func (e *Engine) insert(elem *spec.Sort, x, set Value) (Value, bool) {
	m := e.members(set)
	i, found := e.locate(elem, x, m, 1)
	switch found {
	case yes:
		return set, true
	case unknown:
		return 0, false
	}
	more := make([]Value, 0, len(m)+1)
	more = append(append(append(more, m[:i]...), x), m[i:]...)
	return e.setOfMembers(more), true
}

// in decides membership.
func (e *Engine) in(elem *spec.Sort, x, set Value) Value {
	if e.isFiniteSet(set) {
		_, found := e.locate(elem, x, e.members(set), 1)
		if v, ok := found.value(); ok {
			return v
		}
		return unset
	}
	switch e.symbolOf(set).kind {
	case coSet:
		if v := e.in(elem, x, e.parts(set)[0]); v != unset {
			return v ^ True
		}
	case setOf:
		p := e.parts(set)
		v := e.applyTo(p[0], x)
		if p[1] == none {
			return v
		}
		if w := e.in(elem, x, p[1]); v.isBool() && w != unset {
			return v ^ w
		}
	}
	return unset
}

// isSet reports whether the form of a set is known.
func (e *Engine) isSet(v Value) bool {
	if e.isFiniteSet(v) {
		return true
	}
	k := e.symbolOf(v).kind
	return k == coSet || k == setOf
}

// canonical returns the form that a set has in its sort.
func (e *Engine) canonical(elem *spec.Sort, set Value) Value {
	if e.isFiniteSet(set) || !e.isListed(elem) {
		return set
	}
	var m []Value
	for _, x := range e.elementsOf(elem) {
		switch e.in(elem, x, set) {
		case True:
			m = append(m, x)
		case False:
		default:
			return set
		}
	}
	sort.Slice(m, func(i, j int) bool { return e.compare(elem, m[i], m[j]) < 0 })
	return e.setOfMembers(m)
}

// filter keeps the elements of a finite set that are in another set, or are not.
func (e *Engine) filter(elem *spec.Sort, set, other Value, keep Value) (Value, bool) {
	var m []Value
	for _, x := range e.members(set) {
		switch e.in(elem, x, other) {
		case keep:
			m = append(m, x)
		case keep ^ True:
		default:
			return 0, false
		}
	}
	return e.setOfMembers(m), true
}

func (e *Engine) complement(elem *spec.Sort, set Value) (Value, bool) {
	if e.isFiniteSet(set) {
		return e.canonical(elem, e.make(e.kinds[coSet], set)), true
	}
	p := e.parts(set)
	switch e.symbolOf(set).kind {
	case coSet:
		return p[0], true
	case setOf:
		return e.make(e.kinds[setOf], e.make(e.combinations[not], p[0]), p[1]), true
	}
	return 0, false
}

func (e *Engine) intersection(elem *spec.Sort, a, b Value) (Value, bool) {
	if !e.isSet(a) || !e.isSet(b) {
		return 0, false
	}
	switch {
	case a == b:
		return a, true
	case e.isFiniteSet(a):
		return e.filter(elem, a, b, True)
	case e.isFiniteSet(b):
		return e.filter(elem, b, a, True)
	case e.symbolOf(a).kind == coSet && e.symbolOf(b).kind == coSet:
		u, ok := e.union(elem, e.parts(a)[0], e.parts(b)[0])
		if !ok {
			return 0, false
		}
		return e.make(e.kinds[coSet], u), true
	}
	return e.make(e.kinds[setOf], e.make(e.combinationAt(bothOf, elem), a, b), none), true
}

func (e *Engine) union(elem *spec.Sort, a, b Value) (Value, bool) {
	if !e.isSet(a) || !e.isSet(b) {
		return 0, false
	}
	if !e.isFiniteSet(a) && e.isFiniteSet(b) {
		a, b = b, a
	}
	switch {
	case a == b:
		return a, true
	case e.isFiniteSet(a) && e.isFiniteSet(b):
		ok := true
		for _, x := range e.members(a) {
			if b, ok = e.insert(elem, x, b); !ok {
				return 0, false
			}
		}
		return b, true
	case e.symbolOf(b).kind == coSet: // a or all but c: all but what of c is not in a
		c, ok := e.filter(elem, e.parts(b)[0], a, False)
		if !ok {
			return 0, false
		}
		return e.make(e.kinds[coSet], c), true
	case !e.isFiniteSet(a) && e.symbolOf(a).kind == coSet:
		return e.union(elem, b, a)
	case e.isFiniteSet(a):
		return e.adjust(elem, b, a, True)
	}
	return e.make(e.kinds[setOf], e.make(e.combinationAt(eitherOf, elem), a, b), none), true
}

// adjust makes the elements of a finite set members of a set that is given by a
// function, or takes them out.
func (e *Engine) adjust(elem *spec.Sort, set, elems Value, in Value) (Value, bool) {
	p := e.parts(set)
	wrong, ok := p[1], true
	for _, x := range e.members(elems) {
		v := e.in(elem, x, set)
		if v != True && v != False {
			return 0, false
		}
		if v == in {
			continue
		}
		if e.in(elem, x, wrong) == True {
			wrong, ok = e.filter(elem, wrong, e.make(e.kinds[finiteSet], x), False)
		} else {
			wrong, ok = e.insert(elem, x, wrong)
		}
		if !ok {
			return 0, false
		}
	}
	return e.make(e.kinds[setOf], p[0], wrong), true
}

func (e *Engine) difference(elem *spec.Sort, a, b Value) (Value, bool) {
	if !e.isSet(a) || !e.isSet(b) {
		return 0, false
	}
	if e.isFiniteSet(a) {
		return e.filter(elem, a, b, False)
	}
	if e.isFiniteSet(b) && e.symbolOf(a).kind == setOf {
		return e.adjust(elem, a, b, False)
	}
	c, ok := e.complement(elem, b)
	if !ok {
		return 0, false
	}
	return e.intersection(elem, a, c)
}

func (e *Engine) equalSets(s *spec.Sort, v, w Value) verdict {
	elem := s.Args[0]
	if !e.isSet(v) || !e.isSet(w) {
		return unknown
	}
	switch {
	case e.isFiniteSet(v) && e.isFiniteSet(w):
		a, b := e.members(v), e.members(w)
		if len(a) != len(b) {
			return no
		}
		result := yes
		for _, x := range a {
			switch _, found := e.locate(elem, x, b, 1); found {
			case no:
				return no
			case unknown:
				result = unknown
			}
		}
		return result
	case e.isFiniteSet(v) || e.isFiniteSet(w):
		if e.isFiniteSet(w) {
			v, w = w, v
		}
		if e.symbolOf(w).kind == coSet && int64(len(e.members(v))+len(e.members(e.parts(w)[0]))) < e.sizeOf(elem) {
			return no
		}
		for _, x := range e.members(v) {
			if e.in(elem, x, w) == False {
				return no
			}
		}
	case e.symbolOf(v).kind == e.symbolOf(w).kind:
		a, b := e.parts(v), e.parts(w)
		last := len(a) - 1
		if last == 0 || a[0] == b[0] {
			return e.equalSets(s, a[last], b[last])
		}
	}
	x := e.anything(elem)
	if a, b := e.in(elem, x, v), e.in(elem, x, w); a == b && a != unset {
		return yes
	}
	return unknown
}

// subset decides <= and < of sets.
func (e *Engine) subset(s *spec.Sort, v, w Value, orEqual bool) verdict {
	d, ok := e.difference(s.Args[0], v, w)
	if !ok {
		return unknown
	}
	switch x := e.equalSets(s, d, none); {
	case x != yes || orEqual:
		return x
	}
	switch e.equal(s, v, w) {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

func nativeInsert(e *Engine, s *symbol, a []Value) (Value, bool) {
	if !e.isFiniteSet(a[1]) {
		return 0, false
	}
	return e.insert(s.args[0], a[0], a[1])
}

func nativeIn(e *Engine, s *symbol, a []Value) (Value, bool) {
	k := s.args[1].Kind
	if k == spec.Bag || k == spec.FBag {
		v := e.countIn(s.args[0], a[0], a[1])
		if v == unset || !e.isNumber(v) {
			return 0, false
		}
		return truth(v != 0), true
	}
	if !e.isSet(a[1]) {
		return 0, false
	}
	v := e.in(s.args[0], a[0], a[1])
	return v, v != unset
}

// isBagSort reports whether a symbol is about bags.
func isBagSort(s *spec.Sort) bool { return s.Kind == spec.Bag || s.Kind == spec.FBag }

func nativeUnion(e *Engine, s *symbol, a []Value) (Value, bool) {
	if isBagSort(s.result) {
		return e.mergeBags(s.result.Args[0], sumOf, a[0], a[1])
	}
	return e.union(s.result.Args[0], a[0], a[1])
}

func nativeDifference(e *Engine, s *symbol, a []Value) (Value, bool) {
	if isBagSort(s.result) {
		return e.mergeBags(s.result.Args[0], excessOf, a[0], a[1])
	}
	return e.difference(s.result.Args[0], a[0], a[1])
}

func nativeIntersect(e *Engine, s *symbol, a []Value) (Value, bool) {
	if isBagSort(s.result) {
		return e.mergeBags(s.result.Args[0], leastOf, a[0], a[1])
	}
	return e.intersection(s.result.Args[0], a[0], a[1])
}

func nativeComplement(e *Engine, s *symbol, a []Value) (Value, bool) {
	if !e.isSet(a[0]) {
		return 0, false
	}
	return e.complement(s.result.Args[0], a[0])
}

func nativeSize(e *Engine, s *symbol, a []Value) (Value, bool) {
	if isBagSort(s.args[0]) {
		return e.bagSize(a[0])
	}
	return small(int64(len(e.sizable(a[0])))), e.isFiniteSet(a[0])
}

// sizable returns the members of a set if it is finite.
func (e *Engine) sizable(v Value) []Value {
	if e.isFiniteSet(v) {
		return e.members(v)
	}
	return nil
}

func nativePick(e *Engine, _ *symbol, a []Value) (Value, bool) {
	if m := e.sizable(a[0]); len(m) > 0 {
		return m[0], true
	}
	return 0, false
}
