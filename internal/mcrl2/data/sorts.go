package data

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// A sortInfo is what evaluation knows of a sort.
type sortInfo struct {
	// plain is set if ground values are equal only if they are the same. It is
	// not for functions, and for sorts whose equality or constructors have
	// equations.
	plain bool
	// equal, less and lessEq are ==, < and <=, if they have equations. Structs
	// have their own.
	equal, less, lessEq *symbol

	sized    bool
	size     int64 // number of elements; unbounded if there is no end
	elements []Value
	listed   bool

	update   *symbol                  // see updateAt
	combined [numCombinations]*symbol // see combinationAt
	any      Value                    // see anything
}

// unbounded is the size of sorts that are infinite or too large to list.
const unbounded = int64(1) << 40

func (e *Engine) info(s *spec.Sort) *sortInfo {
	i := e.sorts[s]
	if i == nil {
		i = &sortInfo{plain: true, any: unset}
		e.sorts[s] = i
		e.isPlain(s, i)
	}
	return i
}

// isPlain is called when no equation was compiled and all of them are filed; it
// is not asked before.
func (e *Engine) isPlain(s *spec.Sort, i *sortInfo) {
	switch s.Kind {
	case spec.Function:
		i.plain = false
	case spec.Named:
		for _, q := range e.data.Eqns {
			f := rootOf(q.Left)
			if f == nil {
				continue
			}
			if f.Op == spec.OpEq && f.Of.Args[0] == s && !s.Struct || f.Con && resultOf(f) == s {
				i.plain = false
			}
		}
		for _, c := range s.Cons {
			args, _ := domain(c.Of)
			for _, a := range args {
				if a != s && !e.info(a).plain {
					i.plain = false
				}
			}
		}
	default:
		if len(s.Args) > 0 {
			i.plain = e.info(s.Args[0]).plain
		}
	}
}

func rootOf(x spec.Expr) *spec.Func {
	switch x := x.(type) {
	case *spec.Func:
		return x
	case *spec.Apply:
		return rootOf(x.Head)
	}
	return nil
}

func resultOf(f *spec.Func) *spec.Sort {
	_, r := domain(f.Of)
	return r
}

// sizeOf returns the number of elements of a sort.
func (e *Engine) sizeOf(s *spec.Sort) int64 {
	i := e.info(s)
	if !i.sized {
		i.sized = true
		i.size = unbounded // of a sort that contains itself
		i.size = e.count(s)
	}
	return i.size
}

func (e *Engine) count(s *spec.Sort) int64 {
	switch s.Kind {
	case spec.Bool:
		return 2
	case spec.Named:
		if len(s.Cons) == 0 {
			return unbounded
		}
		total := int64(0)
		for _, c := range s.Cons {
			n := int64(1)
			args, _ := domain(c.Of)
			for _, a := range args {
				n = times(n, e.sizeOf(a))
			}
			total = min(total+n, unbounded)
		}
		return total
	case spec.Set, spec.FSet:
		return power(2, e.sizeOf(s.Args[0]))
	case spec.Function:
		n := int64(1)
		for _, a := range s.Args {
			n = times(n, e.sizeOf(a))
		}
		return power(e.sizeOf(s.Result), n)
	}
	return unbounded
}

func times(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if a >= unbounded || b >= unbounded || a > unbounded/b {
		return unbounded
	}
	return a * b
}

func power(a, n int64) int64 {
	if n >= unbounded && a > 1 {
		return unbounded
	}
	p := int64(1)
	for ; n > 0 && a > 1 && p < unbounded; n-- {
		p = times(p, a)
	}
	return p
}

// maxListed bounds the sorts whose elements are listed.
const maxListed = 1 << 16

// isListed reports whether a sort has few enough elements to list them.
func (e *Engine) isListed(s *spec.Sort) bool { return e.sizeOf(s) <= maxListed }

// elementsOf returns all elements of a sort that isListed allows, in the order
// of constructors, sets and functions in that of their elements.
func (e *Engine) elementsOf(s *spec.Sort) []Value {
	i := e.info(s)
	if i.listed {
		return i.elements
	}
	open := e.open
	e.open = 0
	var list []Value
	switch s.Kind {
	case spec.Bool:
		list = []Value{True, False}
	case spec.Named:
		for _, c := range s.Cons {
			list = e.constructed(list, c)
		}
		if !i.plain {
			list = distinct(list) // equations of constructors make some equal
		}
	case spec.Set, spec.FSet:
		elems := e.elementsOf(s.Args[0])
		for bits := range int64(1) << len(elems) {
			set := none
			for k, x := range elems {
				if bits>>k&1 != 0 {
					set, _ = e.insert(s.Args[0], x, set)
				}
			}
			list = append(list, set)
		}
	case spec.Function:
		list = e.functions(s)
	}
	e.open = open
	i.listed, i.elements = true, list
	return list
}

func distinct(list []Value) []Value {
	seen := map[Value]bool{}
	out := list[:0]
	for _, v := range list {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// constructed appends all terms of a constructor.
func (e *Engine) constructed(list []Value, c *spec.Func) []Value {
	s := e.symbol(c)
	if len(s.args) == 0 {
		if len(s.rules) > 0 {
			return append(list, e.invoke(s))
		}
		return append(list, e.nullary(s))
	}
	args := make([]Value, len(s.args))
	var fill func(k int)
	fill = func(k int) {
		if k == len(args) {
			list = append(list, e.construct(s, args))
			return
		}
		for _, v := range e.elementsOf(s.args[k]) {
			args[k] = v
			fill(k + 1)
		}
	}
	fill(0)
	return list
}

// construct applies a symbol to values.
func (e *Engine) construct(s *symbol, args []Value) Value {
	if !s.ready {
		e.prepare(s)
	}
	f := e.frame(s.size)
	copy(f, args)
	v := e.call(s, f)
	e.top -= s.size
	return v
}

// functions lists the functions of a sort with finite domain and range, as
// updates of a constant function.
func (e *Engine) functions(s *spec.Sort) []Value {
	results := e.elementsOf(s.Result)
	if len(results) == 0 {
		return nil
	}
	if len(s.Args) != 1 {
		return e.tables(s)
	}
	list := []Value{e.make(e.combinations[constantly], results[0])}
	for _, x := range e.elementsOf(s.Args[0]) {
		var longer []Value
		for _, f := range list {
			for _, r := range results {
				v, _ := e.updated(s, f, x, r)
				longer = append(longer, v)
			}
		}
		list = longer
	}
	return list
}

// tables lists functions of several arguments, as nested choices by argument.
func (e *Engine) tables(s *spec.Sort) []Value {
	tuples := [][]Value{nil}
	for _, a := range s.Args {
		var longer [][]Value
		for _, t := range tuples {
			for _, v := range e.elementsOf(a) {
				longer = append(longer, append(append([]Value(nil), t...), v))
			}
		}
		tuples = longer
	}
	list := []Value{e.make(e.combinations[table], small(int64(len(s.Args))))}
	for _, t := range tuples {
		var longer []Value
		for _, f := range list {
			for _, r := range e.elementsOf(s.Result) {
				row := append(append([]Value(nil), e.parts(f)...), t...)
				longer = append(longer, e.makeOf(e.combinations[table], append(row, r)))
			}
		}
		list = longer
	}
	return list
}
