package types

import (
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// A candidate is a sort that an expression may have, and how many casts that
// needs inside of it. The sort may contain the hole.
type candidate struct {
	sort *spec.Sort
	cost int
}

// maxCandidates bounds the combinations that are tried for one expression.
const maxCandidates = 64

// whole returns the candidates without hole.
func (c *checker) whole(list []candidate) []candidate {
	var out []candidate
	for _, x := range list {
		if !has(x.sort, hole) {
			out = append(out, x)
		}
	}
	return out
}

// natural returns the sort that an expression has if the context wants none: the
// candidate that needs the fewest casts, and a constant rather than a function. It
// is nil if there is no such.
func (c *checker) natural(sc *scope, e syntax.Expr) *spec.Sort {
	var best *spec.Sort
	least, ties := 0, 0
	for _, x := range c.whole(c.candidates(sc, e)) {
		switch {
		case best == nil || x.cost < least:
			best, least, ties = x.sort, x.cost, 0
		case x.cost == least && (best.Kind == spec.Function || x.sort.Kind != spec.Function):
			ties++
		}
	}
	if ties > 0 {
		return nil
	}
	return best
}

// candidates returns the least sorts that an expression may have by itself.
func (c *checker) candidates(sc *scope, e syntax.Expr) []candidate {
	if list, ok := c.cands[e]; ok {
		return list
	}
	list := c.prune(c.infer(sc, e))
	c.cands[e] = list
	return list
}

// prune removes candidates from which there is a cast to another that costs no
// less: a context that wants the wider sort can put the cast in.
func (c *checker) prune(list []candidate) []candidate {
	var out []candidate
	for i, x := range list {
		keep := true
		for j, y := range list {
			n := c.table.casts(y.sort, x.sort)
			if i != j && n >= 0 && y.cost <= x.cost && (n > 0 || y.cost < x.cost || j < i) {
				keep = false
			}
		}
		if keep && len(out) < maxCandidates {
			out = append(out, x)
		}
	}
	return out
}

func (c *checker) infer(sc *scope, e syntax.Expr) []candidate {
	one := func(s *spec.Sort) []candidate { return []candidate{{sort: s}} }
	switch e := e.(type) {
	case *syntax.Ident:
		return c.inferName(sc, e)
	case *syntax.Number:
		if e.Text == "0" {
			return one(c.sorts.Basic(spec.Nat))
		}
		return one(c.sorts.Basic(spec.Pos))
	case *syntax.BoolLit:
		return one(c.sorts.Basic(spec.Bool))
	case *syntax.ListLit:
		return c.inferLiteral(sc, spec.List, e.Elems)
	case *syntax.SetLit:
		return c.inferLiteral(sc, spec.FSet, e.Elems)
	case *syntax.BagLit:
		return c.inferLiteral(sc, spec.FBag, e.Elems)
	case *syntax.Comprehension:
		in := c.inner(sc, e)
		var out []candidate
		if t := c.check(in, e.Body, c.sorts.Basic(spec.Bool)); t.e != nil {
			out = append(out, candidate{c.sorts.Of(spec.Set, in.vars[0].Of), t.cost})
		}
		if t := c.check(in, e.Body, c.sorts.Basic(spec.Nat)); t.e != nil {
			out = append(out, candidate{c.sorts.Of(spec.Bag, in.vars[0].Of), t.cost})
		}
		return out
	case *syntax.Quant:
		in := c.inner(sc, e)
		if e.Kind != "lambda" {
			if t := c.check(in, e.Body, c.sorts.Basic(spec.Bool)); t.e != nil {
				return one(c.sorts.Basic(spec.Bool))
			}
			return nil
		}
		var args []*spec.Sort
		for _, v := range in.vars {
			args = append(args, v.Of)
		}
		var out []candidate
		for _, x := range c.candidates(in, e.Body) {
			out = append(out, candidate{c.sorts.Function(args, x.sort), x.cost})
		}
		return out
	case *syntax.Where:
		if in := c.inner(sc, e); !c.whereFailed[e] {
			return c.candidates(in, e.Body)
		}
		return nil
	case *syntax.Update:
		return c.inferUpdate(sc, e)
	}
	return c.inferApply(sc, c.application(e))
}

// inferName returns the sorts of a name that is not applied. A variable hides
// functions.
func (c *checker) inferName(sc *scope, e *syntax.Ident) []candidate {
	if v := sc.lookup(e.Name); v != nil {
		return []candidate{{sort: v.Of}}
	}
	// Constants come first: where nothing else decides, they are meant.
	var out, funcs []candidate
	for _, f := range c.funcs[e.Name] {
		if f.Of.Kind == spec.Function {
			funcs = append(funcs, candidate{sort: f.Of})
		} else {
			out = append(out, candidate{sort: f.Of})
		}
	}
	return append(out, funcs...)
}

// inferLiteral returns the sorts of a list, set or bag with these elements.
func (c *checker) inferLiteral(sc *scope, k spec.SortKind, elems []syntax.Expr) []candidate {
	sums := []candidate{{sort: hole}}
	for _, e := range elems {
		if sums = c.joinAll(sums, c.candidates(sc, e)); len(sums) == 0 {
			return nil
		}
	}
	for i := range sums {
		sums[i].sort = c.sorts.Of(k, sums[i].sort)
	}
	return sums
}

// joinAll joins each of a with each of b.
func (c *checker) joinAll(a, b []candidate) []candidate {
	var out []candidate
	for _, x := range a {
	next:
		for _, y := range b {
			j := c.table.join(x.sort, y.sort)
			if j == nil || len(out) >= maxCandidates {
				continue
			}
			for i := range out {
				if out[i].sort == j {
					out[i].cost = min(out[i].cost, x.cost+y.cost)
					continue next
				}
			}
			out = append(out, candidate{j, x.cost + y.cost})
		}
	}
	return out
}

func (c *checker) inferUpdate(sc *scope, e *syntax.Update) []candidate {
	var out []candidate
	for _, f := range c.candidates(sc, e.Fun) {
		if f.sort.Kind != spec.Function || len(f.sort.Args) != 1 {
			continue
		}
		for _, r := range c.joinAll([]candidate{{sort: f.sort.Result}}, c.candidates(sc, e.Value)) {
			s := c.sorts.Function(f.sort.Args, r.sort)
			if has(s, hole) {
				out = append(out, candidate{s, 0})
			} else if t := c.check(sc, e, s); t.e != nil {
				out = append(out, candidate{s, t.cost})
			}
		}
	}
	return out
}

// A call is the application of a function, named or not, to arguments.
// Operators are functions too.
type call struct {
	name string      // of the function, if it has one
	head syntax.Expr // or the expression
	op   bool        // an operator: the user cannot have declared it
	args []syntax.Expr
	e    syntax.Expr
}

func (c *checker) application(e syntax.Expr) *call {
	switch e := e.(type) {
	case *syntax.Unary:
		return &call{name: e.Op, op: true, args: []syntax.Expr{e.X}, e: e}
	case *syntax.Binary:
		return &call{name: e.Op, op: true, args: []syntax.Expr{e.X, e.Y}, e: e}
	case *syntax.Apply:
		if f, ok := e.Fun.(*syntax.Ident); ok {
			return &call{name: f.Name, head: f, args: e.Args, e: e}
		}
		return &call{head: e.Fun, args: e.Args, e: e}
	}
	return nil
}

// An option is a function that may be meant by a call.
type option struct {
	head spec.Expr // nil for an expression, which is then checked against of
	of   *spec.Sort
	cost int
	user bool // a function of the specification
}

// hiddenCost is added to functions that a variable hides: they are only meant if
// the variable cannot be.
const hiddenCost = 1000

// options returns the functions with a sort of their own that a call may mean.
func (c *checker) options(sc *scope, k *call) []option {
	var out []option
	fits := func(s *spec.Sort) bool { return s.Kind == spec.Function && len(s.Args) == len(k.args) }
	if k.name == "" {
		for _, x := range c.whole(c.candidates(sc, k.head)) {
			if fits(x.sort) {
				out = append(out, option{of: x.sort})
			}
		}
		return out
	}
	hidden := 0
	if !k.op {
		if v := sc.lookup(k.name); v != nil {
			hidden = hiddenCost
			if v.Of == bad {
				out = append(out, option{head: v, of: v.Of})
			} else if fits(v.Of) {
				out = append(out, option{head: v, of: v.Of})
			}
		}
		for _, f := range c.funcs[k.name] {
			if fits(f.Of) {
				out = append(out, option{head: f, of: f.Of, cost: hidden, user: true})
			}
		}
	}
	for i := range spec.Signatures(k.name) {
		if b := &spec.Signatures(k.name)[i]; !b.Generic() && len(b.Args) == len(k.args) {
			f := c.instance(k.name, b, nil)
			out = append(out, option{head: f, of: f.Of, cost: hidden})
		}
	}
	return out
}

// instances returns the functions that exist for each sort that a call may mean,
// at the sorts that the arguments and, if want is not nil, the context suggest.
// In out are those that were found; in open the sorts of the result with holes
// if the sort of elements is unknown.
func (c *checker) instances(sc *scope, k *call, want *spec.Sort) (out []option, open []candidate) {
	for i := range spec.Signatures(k.name) {
		b := &spec.Signatures(k.name)[i]
		if !b.Generic() || len(b.Args) != len(k.args) {
			continue
		}
		sums := []candidate{{sort: hole}}
		for j, p := range b.Args {
			var bounds []candidate
			for _, x := range c.candidates(sc, k.args[j]) {
				if s := c.table.bind(p, x.sort); s != nil {
					bounds = append(bounds, candidate{s, x.cost})
				}
			}
			sums = c.joinAll(sums, bounds)
		}
		if len(sums) == 0 {
			continue
		}
		var fromWant *spec.Sort
		if want != nil && (b.Result.IsS || b.Result.OfS) {
			fromWant = c.boundByResult(b.Result, want)
		}
		var tried []*spec.Sort
		try := func(s *spec.Sort) {
			for _, t := range tried {
				if t == s {
					return
				}
			}
			tried = append(tried, s)
			f := c.instance(k.name, b, s)
			out = append(out, option{head: f, of: f.Of})
		}
		for _, s := range sums {
			if !has(s.sort, hole) {
				try(s.sort)
				continue
			}
			open = append(open, candidate{c.table.sort(b.Result, s.sort), s.cost})
			switch {
			case fromWant != nil:
				if j := c.table.join(s.sort, fromWant); j != nil && !has(j, hole) {
					try(j)
				}
			case want != nil:
				// As in #[]: any sort will do.
				try(c.fill(s.sort))
			}
		}
		if fromWant != nil {
			try(fromWant)
			if fs := c.finite(fromWant); fs != fromWant && b.Result.IsS {
				try(fs)
			}
		}
	}
	return out, open
}

// fill returns the sort with Bool for the hole.
func (c *checker) fill(s *spec.Sort) *spec.Sort {
	switch {
	case s == hole:
		return c.sorts.Basic(spec.Bool)
	case s.Kind == spec.Function:
		var args []*spec.Sort
		for _, a := range s.Args {
			args = append(args, c.fill(a))
		}
		return c.sorts.Function(args, c.fill(s.Result))
	case len(s.Args) == 1:
		return c.sorts.Of(s.Kind, c.fill(s.Args[0]))
	}
	return s
}

// boundByResult returns S if a function with this result is to give want.
func (c *checker) boundByResult(p spec.Pattern, want *spec.Sort) *spec.Sort {
	if p.IsS {
		return want
	}
	if k, ok := joinContainers(p.Kind, want.Kind); ok && k == want.Kind {
		return want.Args[0]
	}
	return nil
}

// finite returns FSet for Set and FBag for Bag.
func (c *checker) finite(s *spec.Sort) *spec.Sort {
	switch s.Kind {
	case spec.Set:
		return c.sorts.Of(spec.FSet, s.Args[0])
	case spec.Bag:
		return c.sorts.Of(spec.FBag, s.Args[0])
	}
	return s
}

func (c *checker) inferApply(sc *scope, k *call) []candidate {
	var out []candidate
	opts := c.options(sc, k)
	gen, open := c.instances(sc, k, nil)
	for _, o := range append(opts, gen...) {
		if o.of == bad {
			return []candidate{{sort: o.of}}
		}
		if t := c.applyOption(sc, k, o); t.e != nil {
			out = append(out, candidate{o.of.Result, t.cost})
		}
	}
	if len(out) == 0 {
		out = open
	}
	return out
}
