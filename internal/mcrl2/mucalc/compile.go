package mucalc

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A kind is what a node does.
type kind uint8

const (
	leaf     kind = iota // a condition over variables
	junction             // one of the kids
	quantify             // the kid, for each value of vars that fits the condition
	modal                // the kid, after each transition in act
	jump                 // the kid, with other values
)

// A node is a part of a formula in which negation is gone. It is a disjunction or
// a conjunction in the wide sense: the player who wants it to hold chooses at may
// nodes, the other one at those that are not.
type node struct {
	kind     kind
	may      bool
	loop     bool // it can be reached from itself
	priority int  // even for greatest fixed points, odd for least ones
	kids     []*node
	scope    []*spec.Var // variables that have values here
	places   []int       // and where in the frame

	cond  *data.Code // of a leaf
	sum   *data.Sum  // of a quantify
	first int        // the place of its first variable
	act   formula.Action
	keep  int          // of a jump: how many variables keep their values
	args  []*data.Code // and the values of the others

	id   int
	part *part
}

// A part is what a node means: a part of the formula, which may stand under an odd
// number of negations.
type part struct {
	text  string
	modal bool // it needs no brackets behind a modality
	neg   bool
	at    diag.Pos
}

// A compiler makes nodes.
type compiler struct {
	engine *data.Engine
	lib    *spec.Library
	frame  *data.Scope
	place  map[*spec.Var]int
	nodes  []*node
	fixes  map[*formula.Fix]*fixNode
	err    error
}

// A fixNode is a fixed point whose body may use it.
type fixNode struct {
	*node
	outer int // number of variables around it
}

func (c *compiler) fail(at diag.Pos, format string, args ...any) {
	if c.err == nil {
		c.err = diag.Unsupportedf(at, format, args...)
	}
}

func (c *compiler) node(k kind, may bool, scope []*spec.Var, kids ...*node) *node {
	n := &node{kind: k, may: may, scope: scope, kids: kids, id: len(c.nodes)}
	for _, v := range scope {
		n.places = append(n.places, c.place[v])
	}
	c.nodes = append(c.nodes, n)
	return n
}

// declare gives variables places and returns the scope with them.
func (c *compiler) declare(scope, vars []*spec.Var) []*spec.Var {
	for _, v := range vars {
		if _, ok := c.place[v]; !ok {
			c.place[v] = c.frame.Add(v)
		}
	}
	return append(scope[:len(scope):len(scope)], vars...)
}

func (c *compiler) code(x spec.Expr) *data.Code {
	code, err := c.engine.Compile(x, c.frame)
	if err != nil && c.err == nil {
		c.err = err
	}
	return code
}

// least returns the least priority that a fixed point may have above others.
func least(greatest bool, above int) int {
	if odd := above%2 == 1; odd == greatest {
		return above + 1
	}
	return above
}

// state compiles a formula, or its negation if neg is set. It also returns the
// highest priority inside.
func (c *compiler) state(f formula.State, neg bool, scope []*spec.Var) (*node, int) {
	n, p := c.stateNode(f, neg, scope)
	switch f.(type) {
	case *formula.Not: // what is negated has a node
	case *formula.Must, *formula.May:
		n.part.text, n.part.at = formula.Format(f), f.Pos()
	default:
		n.part = partOf(f, neg)
	}
	return n, p
}

func partOf(f formula.State, neg bool) *part {
	return &part{text: formula.Format(f), modal: formula.Modal(f), neg: neg, at: f.Pos()}
}

// behind returns what a part means behind <R> (may) or [R], the other one if neg is
// set.
func (p *part) behind(r formula.Regular, may, neg bool) *part {
	text, modal := p.text, p.modal
	if p.neg != neg { // a negation stands between them
		if !modal {
			text = "(" + text + ")"
		}
		text, modal = "!"+text, true
	}
	return &part{text: formula.FormatStep(may == neg, r, text, modal), modal: true, neg: neg, at: r.Pos()}
}

// stateNode is state without saying what the node means.
func (c *compiler) stateNode(f formula.State, neg bool, scope []*spec.Var) (*node, int) {
	switch f := f.(type) {
	case *formula.Bool:
		return c.node(junction, f.Value == neg, scope), 0
	case *formula.Val:
		n := c.node(leaf, true, scope)
		x := f.E
		if neg {
			x = c.lib.Not(x)
		}
		n.cond = c.code(x)
		return n, 0
	case *formula.Not:
		return c.state(f.X, !neg, scope)
	case *formula.And:
		return c.both(f.X, f.Y, neg, neg, neg, scope)
	case *formula.Or:
		return c.both(f.X, f.Y, neg, neg, !neg, scope)
	case *formula.Implies:
		return c.both(f.X, f.Y, !neg, neg, !neg, scope)
	case *formula.Forall:
		return c.quantified(f.Vars, f.X, neg, neg, scope, f.Pos())
	case *formula.Exists:
		return c.quantified(f.Vars, f.X, neg, !neg, scope, f.Pos())
	case *formula.Must:
		x, p := c.state(f.X, neg, scope)
		return c.regular(f.R, neg, neg, scope, x, p)
	case *formula.May:
		x, p := c.state(f.X, neg, scope)
		return c.regular(f.R, !neg, neg, scope, x, p)
	case *formula.Fix:
		return c.fix(f, neg, scope)
	case *formula.Var:
		to := c.fixes[f.Fix]
		n := c.node(jump, true, scope, to.node)
		n.keep = to.outer
		for _, x := range f.Args {
			n.args = append(n.args, c.code(x))
		}
		return n, 0
	}
	c.fail(f.Pos(), "delay and yaled: time is not explored")
	return c.node(junction, true, scope), 0
}

func (c *compiler) both(x, y formula.State, negX, negY, may bool, scope []*spec.Var) (*node, int) {
	a, p := c.state(x, negX, scope)
	b, q := c.state(y, negY, scope)
	return c.node(junction, may, scope, a, b), max(p, q)
}

// fix compiles a fixed point: a jump that gives the parameters their first
// values, and the body, which has the priority. Of the negation of a formula
// greatest and least fixed points are the other way round; a use inside stands
// under an even number of negations, so it means the negation, too.
func (c *compiler) fix(f *formula.Fix, neg bool, scope []*spec.Var) (*node, int) {
	inner := c.declare(scope, f.Params)
	head := c.node(junction, true, inner)
	head.loop = true
	head.part = partOf(f, neg)
	c.fixes[f] = &fixNode{head, len(scope)}
	body, p := c.state(f.X, neg, inner)
	head.kids = []*node{body}
	head.priority = least(f.Greatest != neg, p)
	n := c.node(jump, true, scope, head)
	n.keep = len(scope)
	for _, x := range f.Init {
		n.args = append(n.args, c.code(x))
	}
	return n, head.priority
}

// quantified compiles a quantifier. A condition that the formula begins with
// bounds the values that are tried.
func (c *compiler) quantified(vars []*spec.Var, x formula.State, neg, may bool, scope []*spec.Var, at diag.Pos) (*node, int) {
	n := c.node(quantify, may, scope)
	inner := c.declare(scope, vars)
	kid, p := c.state(x, neg, inner)
	n.kids = []*node{kid}
	// CompileSum gives variables places of its own, so it gets copies.
	by := spec.Subst{}
	var copies []*spec.Var
	for _, v := range vars {
		w := &spec.Var{Name: v.Name, Of: v.Of}
		by[v] = w
		copies = append(copies, w)
	}
	first := c.frame.Size()
	sum, err := c.engine.CompileSum(c.frame, copies, by.Apply(c.guard(x, neg, may)), at)
	if err != nil {
		c.fail(at, "%v", err)
	}
	n.sum, n.first = sum, first
	return n, p
}

// guard returns a condition without which a formula says nothing: in a
// disjunction over values it is false otherwise, in a conjunction true.
func (c *compiler) guard(x formula.State, neg, may bool) spec.Expr {
	switch x := x.(type) {
	case *formula.Val:
		if neg == may {
			return c.lib.Not(x.E)
		}
		return x.E
	case *formula.Not:
		return c.guard(x.X, !neg, may)
	case *formula.And:
		if neg != may {
			return c.lib.And(c.guard(x.X, neg, may), c.guard(x.Y, neg, may))
		}
	case *formula.Or:
		if neg == may {
			return c.lib.And(c.guard(x.X, neg, may), c.guard(x.Y, neg, may))
		}
	case *formula.Implies:
		if neg == may {
			return c.lib.And(c.guard(x.X, !neg, may), c.guard(x.Y, neg, may))
		}
	}
	return c.lib.True()
}

// regular compiles <R> (may) or [R] before a node in which the highest priority
// is p. In the text it is the other one if neg is set.
func (c *compiler) regular(r formula.Regular, may, neg bool, scope []*spec.Var, then *node, p int) (*node, int) {
	text := then.part.behind(r, may, neg)
	switch r := r.(type) {
	case *formula.Step:
		n := c.node(modal, may, scope, then)
		n.act, n.part = r.A, text
		return n, p
	case *formula.Seq:
		y, q := c.regular(r.Y, may, neg, scope, then, p)
		return c.regular(r.X, may, neg, scope, y, q)
	case *formula.Alt:
		x, q := c.regular(r.X, may, neg, scope, then, p)
		y, s := c.regular(r.Y, may, neg, scope, then, p)
		n := c.node(junction, may, scope, x, y)
		n.part = text
		return n, max(q, s)
	case *formula.Iter:
		star := c.node(junction, may, scope, then)
		star.loop, star.priority = true, least(!may, p)
		star.part = then.part.behind(&formula.Iter{X: r.X, Place: r.Place}, may, neg)
		again, q := c.regular(r.X, may, neg, scope, star, star.priority)
		star.kids = append(star.kids, again)
		if r.Once {
			again.part = text
			return again, q
		}
		return star, q
	}
	c.fail(r.Pos(), "regular formula")
	return then, p
}
