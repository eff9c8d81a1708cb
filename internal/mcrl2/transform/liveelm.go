package transform

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Liveelm sets parameters to their first value where nobody looks at their value
// any more, so that states that differ in nothing else become one. It is the
// method of J. van de Pol and M. Timmer, State space reduction of linear processes
// using control flow reconstruction, ATVA 2009.
//
// A parameter that is only ever set to constants, such as one that tells the
// place of a process, is a control parameter. Another parameter belongs to it if
// each summand that uses the other one wants a certain value of it: then it can
// be told for each value of the control parameter whether the other one is live.
// Control parameters may belong to control parameters that come before them in an
// order, and not both to each other: then each could be reset by the word of the
// other.
func Liveelm(lps *spec.LPS, t Tools) *spec.LPS {
	f := newFlow(lps, t)
	f.spread()
	var out []*spec.Summand
	changed := false
	for i, s := range lps.Summands {
		n := f.reset(i, s)
		changed = changed || n != s
		out = append(out, n)
	}
	if !changed {
		return lps
	}
	return with(lps, out)
}

// A flow is what is known about the values of control parameters and about who
// uses the others.
type flow struct {
	lps    *spec.LPS
	index  map[*spec.Var]int
	values []map[string]int // numbers of the values of control parameters, nil for others
	wants  []map[int]int    // for each summand, values of control parameters that it wants
	sets   []map[int]int    // and those that it sets
	direct [][]int          // for each summand, the parameters in condition, actions and time
	writes [][]write        // for each summand, the parameters that it changes
	owners [][]int          // for each parameter, the control parameters that it belongs to
	live   []map[int][]bool // for each parameter and each of its owners, the values for which it is live
}

// A write is a parameter and what its new value is made of.
type write struct {
	param int
	from  []int
}

func newFlow(lps *spec.LPS, t Tools) *flow {
	f := &flow{lps: lps, index: map[*spec.Var]int{}, values: make([]map[string]int, len(lps.Params)),
		owners: make([][]int, len(lps.Params)), live: make([]map[int][]bool, len(lps.Params))}
	for i, p := range lps.Params {
		f.index[p] = i
		if constant(lps.Init[i]) {
			f.values[i] = map[string]int{constantName(lps.Init[i]): 0}
		}
	}
	for _, s := range lps.Summands {
		f.scan(s, t)
	}
	f.findOwners()
	for k, owners := range f.owners {
		f.live[k] = map[int][]bool{}
		for _, j := range owners {
			f.live[k][j] = make([]bool, len(f.values[j]))
		}
	}
	return f
}

// number returns the number of a value of a control parameter.
func (f *flow) number(j int, x spec.Expr) int {
	name := constantName(x)
	n, ok := f.values[j][name]
	if !ok {
		n = len(f.values[j])
		f.values[j][name] = n
	}
	return n
}

// constantName tells constants of one sort apart.
func constantName(x spec.Expr) string {
	if n, ok := x.(*spec.Number); ok {
		return n.Value.String()
	}
	return x.(*spec.Func).Name
}

// scan finds out what a summand wants, sets and uses. A parameter that it sets to
// something else than a constant is no control parameter.
func (f *flow) scan(s *spec.Summand, t Tools) {
	wants, sets := map[int]int{}, map[int]int{}
	by := spec.Subst{}
	for _, c := range conjuncts(nil, s.Cond) {
		if p, value := wanted(c, f.lps.Lib); p != nil {
			if j, ok := f.index[p]; ok && f.values[j] != nil {
				wants[j] = f.number(j, value)
				by[p] = value
			}
		}
	}
	f.wants, f.sets = append(f.wants, wants), append(f.sets, sets)
	f.direct = append(f.direct, f.params(exprs(s)...))
	var writes []write
	for l, p := range f.lps.Params {
		if s.Delta || s.Next[l] == spec.Expr(p) {
			continue
		}
		writes = append(writes, write{l, f.params(s.Next[l])})
		if f.values[l] == nil {
			continue
		}
		x := s.Next[l]
		if !constant(x) {
			x = t.Rewrite(by.Apply(x))
		}
		if constant(x) {
			sets[l] = f.number(l, x)
		} else {
			f.values[l] = nil
		}
	}
	f.writes = append(f.writes, writes)
}

// params returns the parameters that occur in expressions.
func (f *flow) params(xs ...spec.Expr) []int {
	var out []int
	for _, v := range spec.FreeVars(xs...) {
		if i, ok := f.index[v]; ok {
			out = append(out, i)
		}
	}
	return out
}

// wanted returns the variable of which a condition wants a certain value, and the
// value.
func wanted(c spec.Expr, lib *spec.Library) (*spec.Var, spec.Expr) {
	if v, ok := c.(*spec.Var); ok {
		return v, lib.True()
	}
	if l, r, ok := sides(c); ok {
		if constant(l) {
			l, r = r, l
		}
		if v, ok := l.(*spec.Var); ok && constant(r) {
			return v, r
		}
		return nil, nil
	}
	a, ok := c.(*spec.Apply)
	if !ok || len(a.Args) != 1 {
		return nil, nil
	}
	v, ok := a.Args[0].(*spec.Var)
	if !ok {
		return nil, nil
	}
	if spec.IsOp(a.Head, spec.OpNot) {
		return v, lib.False()
	}
	if is, ok := a.Head.(*spec.Func); ok && is.Op == spec.OpIs && is.Owner != nil && constant(is.Owner) {
		return v, is.Owner
	}
	return nil, nil
}

// findOwners finds the control parameters that parameters belong to.
func (f *flow) findOwners() {
	order := f.order()
	known := make([]bool, len(f.owners))
	for i := range f.lps.Summands {
		var wants []int
		for j := range f.wants[i] {
			if f.values[j] != nil {
				wants = append(wants, j)
			}
		}
		slices.Sort(wants)
		for _, k := range f.uses(i) {
			if !known[k] {
				known[k] = true
				for _, j := range wants {
					if order[j] < order[k] {
						f.owners[k] = append(f.owners[k], j)
					}
				}
				continue
			}
			f.owners[k] = slices.DeleteFunc(f.owners[k], func(j int) bool { return !slices.Contains(wants, j) })
		}
	}
}

// order returns a number for each parameter: control parameters come first, those
// that more summands want before others.
func (f *flow) order() []int {
	counts := make([]int, len(f.values))
	for _, w := range f.wants {
		for j := range w {
			counts[j]++
		}
	}
	var all []int
	for k := range f.values {
		all = append(all, k)
		if f.values[k] == nil {
			counts[k] = -1
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return counts[b] - counts[a] })
	order := make([]int, len(all))
	for n, k := range all {
		order[k] = n
		if f.values[k] == nil {
			order[k] = len(all)
		}
	}
	return order
}

// uses returns the parameters that a summand uses in any way.
func (f *flow) uses(i int) []int {
	out := slices.Clone(f.direct[i])
	for _, w := range f.writes[i] {
		out = append(out, w.from...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// spread finds out where parameters are live, as a least fixed point.
func (f *flow) spread() {
	changed := true
	mark := func(k, j, value int) {
		if on := f.live[k][j]; !on[value] {
			on[value], changed = true, true
		}
	}
	for i := range f.lps.Summands {
		for _, k := range f.direct[i] {
			for _, j := range f.owners[k] {
				mark(k, j, f.wants[i][j])
			}
		}
	}
	for changed {
		changed = false
		for i, s := range f.lps.Summands {
			if s.Delta {
				continue
			}
			w := f.writes[i]
			for l, owners := range f.owners {
				if len(w) > 0 && w[0].param == l {
					if f.liveAfter(i, l) {
						for _, k := range w[0].from {
							for _, j := range f.owners[k] {
								mark(k, j, f.wants[i][j])
							}
						}
					}
					w = w[1:]
					continue
				}
				if len(owners) == 0 || !f.touches(i, owners) || !f.liveAfter(i, l) {
					continue
				}
				for _, j := range owners {
					if value, ok := f.wants[i][j]; ok {
						mark(l, j, value)
					} else if _, ok := f.sets[i][j]; ok {
						for value := range f.live[l][j] {
							mark(l, j, value)
						}
					}
				}
			}
		}
	}
}

// touches reports whether a summand wants or sets one of these parameters.
func (f *flow) touches(i int, params []int) bool {
	for _, j := range params {
		if _, ok := f.wants[i][j]; ok {
			return true
		}
		if _, ok := f.sets[i][j]; ok {
			return true
		}
	}
	return false
}

// liveAfter reports whether the value of a parameter may matter after a summand.
func (f *flow) liveAfter(i, l int) bool {
	for _, j := range f.owners[l] {
		on := f.live[l][j]
		value, ok := f.sets[i][j]
		if !ok {
			value, ok = f.wants[i][j]
		}
		if ok && !on[value] || !ok && !slices.Contains(on, true) {
			return false
		}
	}
	return true
}

// deadBefore reports whether a parameter has its first value already where a
// summand happens.
func (f *flow) deadBefore(i, l int) bool {
	for _, j := range f.owners[l] {
		if value, ok := f.wants[i][j]; ok && !f.live[l][j][value] {
			return true
		}
	}
	return false
}

// reset returns a summand that sets what is not live after it.
func (f *flow) reset(i int, s *spec.Summand) *spec.Summand {
	if s.Delta {
		return s
	}
	out := s
	for l, p := range f.lps.Params {
		if len(f.owners[l]) == 0 || f.liveAfter(i, l) || s.Next[l] == spec.Expr(p) && f.deadBefore(i, l) {
			continue
		}
		first := f.lps.Init[l]
		if len(spec.FreeVars(first)) > 0 {
			first = f.lps.Witness(p.Of)
		}
		if first == nil || equal(s.Next[l], first) {
			continue
		}
		if out == s {
			n := *s
			n.Next = slices.Clone(s.Next)
			out = &n
		}
		out.Next[l] = first
	}
	if out != s {
		out = withoutUnused(out)
	}
	return out
}
