package data

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A combination is a function that evaluation makes of other values.
type combination uint8

const (
	constantly combination = iota // of a value: that value
	table                         // of a number of arguments, and rows of arguments and result
	not                           // of a function to Bool: its negation
	bothOf                        // of two sets: membership of their intersection
	eitherOf                      // of two sets: membership of their union
	sumOf                         // of two bags: numbers of the sum
	excessOf                      // of two bags: numbers of the difference
	leastOf                       // of two bags: numbers of the intersection
	indicator                     // of a set: numbers of it as a bag
	support                       // of a bag: membership of it as a set
	numCombinations
)

var combinationTexts = [numCombinations]string{"#constantly", "#table", "#not", "#both", "#either", "#sum", "#excess",
	"#least", "#indicator", "#support"}

// combinationAt returns the symbol of a combination of sets or bags over a sort.
func (e *Engine) combinationAt(c combination, elem *spec.Sort) *symbol {
	i := e.info(elem)
	if i.combined[c] == nil {
		s := e.newSymbol(combined, combinationTexts[c]+" "+elem.String())
		s.combine, s.args = c, []*spec.Sort{elem}
		i.combined[c] = s
	}
	return i.combined[c]
}

// applyTo applies a function to one argument.
func (e *Engine) applyTo(fv, x Value) Value {
	f := e.frame(1)
	f[0] = x
	v := e.apply(fv, f)
	e.top--
	return v
}

// apply applies a function to its arguments.
func (e *Engine) apply(fv Value, args []Value) Value {
	if !fv.isTerm() {
		panic(diag.Bugf("value %d applied as a function", fv))
	}
	s := e.symbolOf(fv)
	switch s.kind {
	case applied:
		return e.applySymbol(s, fv, args)
	case lambda:
		t := s.template
		p := e.parts(fv)
		f := e.frame(t.frameSize(e))
		copy(f, p)
		copy(f[len(p):], args)
		if e.depth++; e.depth > e.options.Depth {
			fail(diag.RunUnsupportedf(t.abs.At, "calls of a lambda are nested more than %d deep", e.options.Depth))
		}
		v := t.body(f)
		e.depth--
		e.top -= len(f)
		return v
	case update:
		p := e.parts(fv)
		switch i, found := e.locate(s.args[0], args[0], p[1:], 2); found {
		case yes:
			return p[2*i+2]
		case no:
			return e.apply(p[0], args)
		}
	case combined:
		if v := e.applyCombined(s, e.parts(fv), args); v != unset {
			return v
		}
	}
	all := make([]Value, 0, len(args)+1)
	return e.makeOf(e.kinds[application], append(append(all, fv), args...))
}

// applySymbol applies a function symbol, or one that has some of its lists of
// arguments already.
func (e *Engine) applySymbol(s *symbol, fv Value, args []Value) Value {
	given := e.parts(fv)
	if len(given) > 0 || len(s.args) == 0 {
		// f[x -> v](y) where f[x -> v] could not be decided.
		if s.fn.Op == spec.OpUpdate {
			switch e.equal(s.args[1], given[1], args[0]) {
			case yes:
				return given[2]
			case no:
				return e.apply(given[0], args)
			}
		}
		if s.fn.Op == spec.OpIf || s.fn.Op == spec.OpUpdate || s.fn.Op != spec.User {
			all := make([]Value, 0, len(args)+1)
			return e.makeOf(e.kinds[application], append(append(all, fv), args...))
		}
		s = e.further(s)
	}
	if !s.ready {
		e.prepare(s)
	}
	f := e.frame(s.size)
	copy(f, given)
	copy(f[len(given):], args)
	v := e.call(s, f)
	e.top -= s.size
	return v
}

func (e *Engine) applyCombined(s *symbol, p, args []Value) Value {
	switch s.combine {
	case constantly:
		return p[0]
	case table:
		n := int(p[0].small())
		for row := p[1:]; len(row) > 0; row = row[n+1:] {
			if equalValues(row[:n], args) {
				return row[n]
			}
		}
	case not:
		if v := e.apply(p[0], args); v.isBool() {
			return v ^ True
		}
	case bothOf, eitherOf:
		v, w := e.in(s.args[0], args[0], p[0]), e.in(s.args[0], args[0], p[1])
		decides := truth(s.combine == eitherOf)
		switch {
		case v == decides || w == decides:
			return decides
		case v == decides^True && w == decides^True:
			return v
		}
	case sumOf, excessOf, leastOf:
		m, n := e.countIn(s.args[0], args[0], p[0]), e.countIn(s.args[0], args[0], p[1])
		if m != unset && n != unset && e.isNumber(m) && e.isNumber(n) {
			return e.joinCounts(s.combine, m, n)
		}
	case indicator:
		if v := e.in(s.args[0], args[0], p[0]); v == True || v == False {
			return small(v.small())
		}
	case support:
		if v := e.countIn(s.args[0], args[0], p[0]); v != unset && e.isNumber(v) {
			return truth(v != 0)
		}
	}
	return unset
}

// updateAt returns the symbol of updated functions of a sort.
func (e *Engine) updateAt(s *spec.Sort) *symbol {
	i := e.info(s)
	if i.update == nil {
		i.update = e.newSymbol(update, "#update "+s.String())
		i.update.args, i.update.result = s.Args, s
	}
	return i.update
}

// updated returns f[x -> v] for a function of sort s. The term has arguments in
// their order, and none for which the function had the value anyway.
func (e *Engine) updated(s *spec.Sort, f, x, v Value) (Value, bool) {
	base, pairs := f, []Value(nil)
	if f.isTerm() && e.symbolOf(f).kind == update {
		p := e.parts(f)
		base, pairs = p[0], p[1:]
	} else if f.isTerm() && e.symbolOf(f).kind == applied && e.symbolOf(f).fn.Op == spec.OpUpdate && len(e.parts(f)) > 0 {
		return 0, false
	}
	i, found := e.locate(s.Args[0], x, pairs, 2)
	if found == unknown {
		return 0, false
	}
	rest := pairs[2*i:]
	if found == yes {
		rest = rest[2:]
	}
	more := make([]Value, 0, len(pairs)+3)
	more = append(append(more, base), pairs[:2*i]...)
	if e.equal(s.Result, e.applyTo(base, x), v) != yes {
		more = append(more, x, v)
	}
	more = append(more, rest...)
	if len(more) == 1 {
		return base, true
	}
	return e.makeOf(e.updateAt(s), more), true
}

func nativeUpdate(e *Engine, s *symbol, a []Value) (Value, bool) {
	return e.updated(s.result, a[0], a[1], a[2])
}

// anything returns a variable of a sort that occurs in no expression.
func (e *Engine) anything(s *spec.Sort) Value {
	i := e.info(s)
	if i.any == unset {
		i.any = e.variable(&spec.Var{Name: "x", Of: s})
	}
	return i.any
}

// equalFunctions decides == of functions: for all arguments, if there are few;
// for an argument that nothing is known of otherwise.
func (e *Engine) equalFunctions(s *spec.Sort, v, w Value) verdict {
	if len(s.Args) == 1 && !e.isListed(s.Args[0]) {
		if x := e.equalUpdates(s, v, w); x != unknown {
			return x
		}
	}
	few := int64(1)
	for _, a := range s.Args {
		few = times(few, e.sizeOf(a))
	}
	args := make([]Value, len(s.Args))
	if few > maxListed {
		for i, a := range s.Args {
			args[i] = e.anything(a)
		}
		if e.equal(s.Result, e.apply(v, args), e.apply(w, args)) == yes {
			return yes
		}
		return unknown
	}
	result := yes
	var fill func(i int)
	fill = func(i int) {
		if i == len(args) {
			switch e.equal(s.Result, e.apply(v, args), e.apply(w, args)) {
			case no:
				result = no
			case unknown:
				result = unknown
			}
			return
		}
		for _, x := range e.elementsOf(s.Args[i]) {
			args[i] = x
			if fill(i + 1); result == no {
				return
			}
		}
	}
	fill(0)
	return result
}

// equalUpdates compares updates of one function over an infinite sort.
func (e *Engine) equalUpdates(s *spec.Sort, v, w Value) verdict {
	split := func(f Value) (Value, []Value) {
		if f.isTerm() && e.symbolOf(f).kind == update {
			p := e.parts(f)
			return p[0], p[1:]
		}
		return f, nil
	}
	f, a := split(v)
	g, b := split(w)
	if f != g {
		return unknown
	}
	for _, pairs := range [][]Value{a, b} {
		for i := 0; i < len(pairs); i += 2 {
			if e.equal(s.Result, e.applyTo(f, pairs[i]), pairs[i+1]) == unknown {
				return unknown
			}
		}
	}
	if len(a) != len(b) {
		return no
	}
	for i := 0; i < len(a); i += 2 {
		k, found := e.locate(s.Args[0], a[i], b, 2)
		if found != yes {
			return found
		}
		if x := e.equal(s.Result, a[i+1], b[2*k+1]); x != yes {
			return x
		}
	}
	return yes
}
