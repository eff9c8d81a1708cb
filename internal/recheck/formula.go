package recheck

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A point is a part of a formula with a player who says how it goes on: who wants the formula to hold at those that are may points, the other one
// at the others. Negation is gone, and regular formulas have become points that lead back to themselves.
type point struct {
	kind     kind
	may      bool
	loop     bool // it leads back to itself
	priority int  // if the highest one of those that are met for ever is even, who wants the formula to hold has won
	kids     []*point
	vars     []*spec.Var // that have values here
	scope    *data.Scope
	cond     *data.Code   // of a test
	sum      *data.Sum    // of a choice of values: those that come into question
	args     []*data.Code // of a jump: values of the last variables of where it leads to
	act      formula.Action
	about    map[lts.Label]*data.Code // when act is about an action
}

type kind uint8

const (
	test   kind = iota // a condition on variables
	branch             // one of the kids; without any, who is to go on has lost
	values             // the kid, with values of further variables
	action             // the kid, after an action
	jump               // the kid, with other values
)

// fail notes an error, if there is one, unless there was one before.
func (g *game) fail(err error) {
	if g.err == nil {
		g.err = err
	}
}

func (g *game) point(k kind, may bool, vars []*spec.Var, kids ...*point) *point {
	return &point{kind: k, may: may, vars: vars, scope: g.engine.NewScope(vars...), kids: kids, about: map[lts.Label]*data.Code{}}
}

func (g *game) code(p *point, x spec.Expr) *data.Code {
	c, err := g.engine.Compile(x, p.scope)
	g.fail(err)
	return c
}

// state makes points of a state formula, or of its negation. It also returns the highest priority in it.
func (g *game) state(f formula.State, not bool, vars []*spec.Var) (*point, int) {
	switch f := f.(type) {
	case *formula.Bool:
		return g.point(branch, f.Value == not, vars), 0
	case *formula.Val:
		p := g.point(test, true, vars)
		p.cond = g.code(p, g.question(f, not, true))
		return p, 0
	case *formula.Not:
		return g.state(f.X, !not, vars)
	case *formula.And:
		return g.both(f.X, f.Y, not, not, not, vars)
	case *formula.Or:
		return g.both(f.X, f.Y, not, not, !not, vars)
	case *formula.Implies:
		return g.both(f.X, f.Y, !not, not, !not, vars)
	case *formula.Forall:
		return g.quantifier(f.Vars, f.X, not, not, vars, f.Pos())
	case *formula.Exists:
		return g.quantifier(f.Vars, f.X, not, !not, vars, f.Pos())
	case *formula.Must:
		then, high := g.state(f.X, not, vars)
		return g.regular(f.R, not, then, high)
	case *formula.May:
		then, high := g.state(f.X, not, vars)
		return g.regular(f.R, !not, then, high)
	case *formula.Fix:
		// Negation turns a least fixed point into a greatest one, and back: its name stands below an even number of them.
		head := g.point(branch, true, append(vars[:len(vars):len(vars)], f.Params...))
		head.loop, g.heads[f] = true, head
		body, high := g.state(f.X, not, head.vars)
		head.kids, head.priority = []*point{body}, above(f.Greatest != not, high)
		return g.jump(head, f.Init, vars), head.priority
	case *formula.Var:
		return g.jump(g.heads[f.Fix], f.Args, vars), 0
	}
	g.fail(diag.Unsupportedf(f.Pos(), "delay and yaled: time is not explored"))
	return g.point(branch, true, vars), 0
}

func (g *game) both(x, y formula.State, notX, notY, may bool, vars []*spec.Var) (*point, int) {
	a, high := g.state(x, notX, vars)
	b, other := g.state(y, notY, vars)
	return g.point(branch, may, vars, a, b), max(high, other)
}

func (g *game) jump(to *point, args []spec.Expr, vars []*spec.Var) *point {
	p := g.point(jump, true, vars, to)
	for _, x := range args {
		p.args = append(p.args, g.code(p, x))
	}
	return p
}

// above returns the least priority for a greatest or a least fixed point that is not below another one.
func above(greatest bool, high int) int {
	if greatest == (high%2 == 0) {
		return high
	}
	return high + 1
}

func (g *game) quantifier(own []*spec.Var, x formula.State, not, may bool, vars []*spec.Var, at diag.Pos) (*point, int) {
	p := g.point(values, may, vars)
	kid, high := g.state(x, not, append(vars[:len(vars):len(vars)], own...))
	p.kids = []*point{kid}
	sum, err := g.engine.CompileSum(p.scope, own, g.question(x, not, may), at)
	g.fail(err)
	p.sum = sum
	return p, high
}

// question returns a condition that values have to meet to come into question: with others a formula below exists is false, and below forall true.
func (g *game) question(f formula.State, not, may bool) spec.Expr {
	both := func(x, y formula.State, notX, when bool) spec.Expr {
		if !when {
			return g.lib.True()
		}
		return g.lib.And(g.question(x, notX, may), g.question(y, not, may))
	}
	switch f := f.(type) {
	case *formula.Val:
		if not == may {
			return g.lib.Not(f.E)
		}
		return f.E
	case *formula.Not:
		return g.question(f.X, !not, may)
	case *formula.And:
		return both(f.X, f.Y, not, not != may)
	case *formula.Or:
		return both(f.X, f.Y, not, not == may)
	case *formula.Implies:
		return both(f.X, f.Y, !not, not == may)
	}
	return g.lib.True()
}

// regular puts <R>, or [R], before a point in and below which high is the highest priority.
func (g *game) regular(f formula.Regular, may bool, then *point, high int) (*point, int) {
	switch f := f.(type) {
	case *formula.Step:
		p := g.point(action, may, then.vars, then)
		p.act = f.A
		return p, high
	case *formula.Seq:
		y, high := g.regular(f.Y, may, then, high)
		return g.regular(f.X, may, y, high)
	case *formula.Alt:
		x, a := g.regular(f.X, may, then, high)
		y, b := g.regular(f.Y, may, then, high)
		return g.point(branch, may, then.vars, x, y), max(a, b)
	case *formula.Iter:
		// <R*> has to end some time, [R*] need not.
		star := g.point(branch, may, then.vars, then)
		star.loop, star.priority = true, above(!may, high)
		again, high := g.regular(f.X, may, star, star.priority)
		if star.kids = append(star.kids, again); f.Once {
			return again, high
		}
		return star, high
	}
	g.fail(diag.Unsupportedf(f.Pos(), "regular formula"))
	return then, high
}
