package data

import (
	"math/big"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A finite bag is none or a term of its elements in their order, each with its
// number. Any other bag is a function to Nat with elements for which another
// number holds. Bags over a sort with few elements are finite ones.

func (e *Engine) isFiniteBag(v Value) bool { return v == none || e.is(v, e.kinds[finiteBag]) }

func (e *Engine) isBag(v Value) bool { return e.isFiniteBag(v) || e.symbolOf(v).kind == bagOf }

// contents returns elements and numbers of a finite bag.
func (e *Engine) contents(v Value) []Value {
	if v == none {
		return nil
	}
	return e.parts(v)
}

func (e *Engine) bagOfContents(pairs []Value) Value {
	if len(pairs) == 0 {
		return none
	}
	return e.makeOf(e.kinds[finiteBag], pairs)
}

// countIn returns how often x is in a bag, or unset.
func (e *Engine) countIn(elem *spec.Sort, x, bag Value) Value {
	if !e.isBag(bag) {
		return unset
	}
	pairs := e.contents(bag)
	if !e.isFiniteBag(bag) {
		pairs = pairs[1:]
	}
	switch i, found := e.locate(elem, x, pairs, 2); {
	case found == unknown:
		return unset
	case found == yes:
		return pairs[2*i+1]
	case e.isFiniteBag(bag):
		return small(0)
	}
	return e.applyTo(e.parts(bag)[0], x)
}

// addToBag adds n times x to a finite bag.
func (e *Engine) addToBag(elem *spec.Sort, x, n, bag Value) (Value, bool) {
	if !e.isNumber(n) || !e.isFiniteBag(bag) {
		return 0, false
	}
	if n == 0 {
		return bag, true
	}
	pairs := e.contents(bag)
	i, found := e.locate(elem, x, pairs, 2)
	if found == unknown {
		return 0, false
	}
	more := append([]Value(nil), pairs[:2*i]...)
	if found == yes {
		sum := e.integer(new(big.Int).Add(e.bigOf(pairs[2*i+1]), e.bigOf(n)))
		more = append(append(more, pairs[2*i], sum), pairs[2*i+2:]...)
	} else {
		more = append(append(more, x, n), pairs[2*i:]...)
	}
	return e.bagOfContents(more), true
}

// joinCounts is + and - and * of bags for one element.
func (e *Engine) joinCounts(c combination, m, n Value) Value {
	x, y := e.bigOf(m), e.bigOf(n)
	switch c {
	case sumOf:
		return e.integer(x.Add(x, y))
	case excessOf:
		if x.Cmp(y) <= 0 {
			return small(0)
		}
		return e.integer(x.Sub(x, y))
	}
	if x.Cmp(y) <= 0 {
		return m
	}
	return n
}

// mergeBags is + (sumOf), - (excessOf) and * (leastOf).
func (e *Engine) mergeBags(elem *spec.Sort, c combination, a, b Value) (Value, bool) {
	if !e.isBag(a) || !e.isBag(b) {
		return 0, false
	}
	finiteA, finiteB := e.isFiniteBag(a), e.isFiniteBag(b)
	if c == sumOf && finiteA && finiteB {
		pairs, ok := e.contents(b), true
		for i := 0; i < len(pairs); i += 2 {
			if a, ok = e.addToBag(elem, pairs[i], pairs[i+1], a); !ok {
				return 0, false
			}
		}
		return a, true
	}
	if c == leastOf && !finiteA && finiteB {
		a, b, finiteA = b, a, true
	}
	if c != sumOf && finiteA {
		var pairs []Value
		old := e.contents(a)
		for i := 0; i < len(old); i += 2 {
			n := e.countIn(elem, old[i], b)
			if n == unset || !e.isNumber(n) || !e.isNumber(old[i+1]) {
				return 0, false
			}
			if m := e.joinCounts(c, old[i+1], n); m != 0 {
				pairs = append(pairs, old[i], m)
			}
		}
		return e.bagOfContents(pairs), true
	}
	return e.make(e.kinds[bagOf], e.make(e.combinationAt(c, elem), a, b)), true
}

func (e *Engine) equalBags(s *spec.Sort, v, w Value) verdict {
	elem := s.Args[0]
	if !e.isBag(v) || !e.isBag(w) {
		return unknown
	}
	if e.isFiniteBag(v) && e.isFiniteBag(w) {
		a, b := e.contents(v), e.contents(w)
		if len(a) != len(b) {
			return no
		}
		result := yes
		for i := 0; i < len(a); i += 2 {
			switch k, found := e.locate(elem, a[i], b, 2); {
			case found == no || found == yes && a[i+1] != b[2*k+1]:
				return no
			case found == unknown:
				result = unknown
			}
		}
		return result
	}
	x := e.anything(elem)
	if a, b := e.countIn(elem, x, v), e.countIn(elem, x, w); a == b && a != unset {
		return yes
	}
	return unknown
}

// subbag decides <= and < of bags.
func (e *Engine) subbag(s *spec.Sort, v, w Value, orEqual bool) verdict {
	d, ok := e.mergeBags(s.Args[0], excessOf, v, w)
	if !ok {
		return unknown
	}
	switch x := e.equalBags(s, d, none); {
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

func (e *Engine) bagSize(v Value) (Value, bool) {
	if !e.isFiniteBag(v) {
		return 0, false
	}
	n := new(big.Int)
	pairs := e.contents(v)
	for i := 1; i < len(pairs); i += 2 {
		n.Add(n, e.bigOf(pairs[i]))
	}
	return e.integer(n), true
}

func nativeInsertN(e *Engine, s *symbol, a []Value) (Value, bool) {
	return e.addToBag(s.args[0], a[0], a[1], a[2])
}

func nativeCount(e *Engine, s *symbol, a []Value) (Value, bool) {
	v := e.countIn(s.args[0], a[0], a[1])
	return v, v != unset
}

func nativeSet2Bag(e *Engine, s *symbol, a []Value) (Value, bool) {
	if !e.isSet(a[0]) {
		return 0, false
	}
	elem := s.args[0].Args[0]
	if e.isFiniteSet(a[0]) {
		var pairs []Value
		for _, x := range e.members(a[0]) {
			pairs = append(pairs, x, small(1))
		}
		return e.bagOfContents(pairs), true
	}
	return e.make(e.kinds[bagOf], e.make(e.combinationAt(indicator, elem), a[0])), true
}

func nativeBag2Set(e *Engine, s *symbol, a []Value) (Value, bool) {
	if !e.isBag(a[0]) {
		return 0, false
	}
	elem := s.args[0].Args[0]
	if e.isFiniteBag(a[0]) {
		var m []Value
		pairs := e.contents(a[0])
		for i := 0; i < len(pairs); i += 2 {
			m = append(m, pairs[i])
		}
		return e.setOfMembers(m), true
	}
	return e.make(e.kinds[setOf], e.make(e.combinationAt(support, elem), a[0]), none), true
}
