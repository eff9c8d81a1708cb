package recheck

import (
	"encoding/binary"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
)

// maxPlaces is how large games get.
const maxPlaces = 1 << 25

// A game is about whether a formula holds in the first state of a graph. It is played as docs/certificate.md says.
type game struct {
	name     string
	formula  *formula.Formula
	evidence []byte // what is left of it

	engine   *data.Engine
	lib      *spec.Library
	heads    map[*formula.Fix]*point
	err      error
	sys      *state.System
	graph    *graph
	places   []place
	number   map[place]int32
	from, to []int32         // how places lead to each other if one player does what the evidence says
	lost     map[bool]*point // where who wants the formula to hold has lost (true), and where the other one has
}

// A place is where a game may be: at a state, at a point of the formula, with a value for each of its variables.
type place struct {
	state  int32
	at     *point
	values string
}

// examine returns nil if a player who does what the evidence says wins, whatever the other one does.
func (g *game) examine(sys *state.System, of *graph) error {
	g.sys, g.engine, g.lib, g.heads = sys, sys.Engine(), g.formula.Data.Lib, map[*formula.Fix]*point{}
	g.graph, g.number = of, map[place]int32{}
	g.lost = map[bool]*point{true: g.point(branch, true, nil), false: g.point(branch, false, nil)}
	root, high := g.state(g.formula.Body, false, nil)
	if g.err != nil {
		return g.err
	}
	if err := g.play(root); err != nil {
		return err
	}
	for p := 1; p <= high; p += 2 {
		if g.round(p) {
			return g.wrong("it leads around a loop on which the formula does not hold")
		}
	}
	return nil
}

func (g *game) wrong(why string) error {
	return refuse("its evidence that %s holds is wrong: %s", g.name, why)
}

// play goes to all places that the other player can get to, breadth first.
func (g *game) play(root *point) error {
	g.place(place{0, root, ""})
	for n := 0; n < len(g.places); n++ {
		if len(g.places) > maxPlaces || len(g.to) > 4*maxPlaces {
			return diag.Incompletef("the game of %s has more than %d places", g.name, maxPlaces)
		}
		next, err := g.next(g.places[n])
		if err != nil {
			return err
		}
		if may := g.places[n].at.may; may && len(next) == 0 {
			return g.wrong("it leads to where the formula does not hold")
		} else if may && len(next) > 1 {
			choice, size := binary.Uvarint(g.evidence)
			if size <= 0 || choice >= uint64(len(next)) {
				return g.wrong("a choice is missing, or cannot be made")
			}
			g.evidence, next = g.evidence[size:], next[choice:choice+1]
		}
		for _, p := range next {
			g.from, g.to = append(g.from, int32(n)), append(g.to, g.place(p))
		}
	}
	if len(g.evidence) > 0 {
		return g.wrong("it has more choices than there are")
	}
	return nil
}

// place returns the number of a place.
func (g *game) place(p place) int32 {
	n, ok := g.number[p]
	if !ok {
		n = int32(len(g.places))
		g.places, g.number[p] = append(g.places, p), n
	}
	return n
}

// round reports whether there is a loop with a priority on it and no higher one.
func (g *game) round(priority int) bool {
	var from, to []int32
	for i := range g.from {
		if g.places[g.from[i]].at.priority <= priority && g.places[g.to[i]].at.priority <= priority {
			from, to = append(from, g.from[i]), append(to, g.to[i])
		}
	}
	of, count := components(len(g.places), from, to)
	loop := make([]bool, count) // whether one can go round in it
	for i := range from {
		loop[of[from[i]]] = loop[of[from[i]]] || of[from[i]] == of[to[i]]
	}
	for n, p := range g.places {
		if p.at.priority == priority && loop[of[n]] {
			return true
		}
	}
	return false
}

// frame returns the values of a place as compiled expressions want them.
func (p place) frame() []data.Value {
	f := make([]data.Value, max(p.at.scope.Size(), len(p.at.vars)))
	for i := range p.at.vars {
		f[i] = data.Value(binary.LittleEndian.Uint64([]byte(p.values[8*i:])))
	}
	return f
}

// with returns values with others behind them.
func with(values string, list ...data.Value) string {
	b := []byte(values)
	for _, v := range list {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return string(b)
}

// next returns where a place leads to, in order.
func (g *game) next(p place) (list []place, err error) {
	at := p.at
	switch at.kind {
	case test, branch:
		return g.branches(p)
	case values:
		frame, n := p.frame(), len(at.vars)
		err = at.sum.Each(frame, func() bool {
			list = append(list, place{p.state, at.kids[0], with(p.values, frame[n:len(at.kids[0].vars)]...)})
			return true
		})
	case action:
		for _, e := range g.graph.edges[p.state] {
			in, err := g.in(p, e.label)
			if err != nil {
				return nil, err
			}
			if to := (place{e.to, at.kids[0], p.values}); in && !slices.Contains(list, to) {
				list = append(list, to)
			}
		}
	case jump:
		frame, to := p.frame(), at.kids[0]
		all := p.values[:8*(len(to.vars)-len(at.args))]
		for _, x := range at.args {
			v, err := x.Eval(frame)
			if err != nil {
				return nil, err
			}
			all = with(all, v)
		}
		list = []place{{p.state, to, all}}
	}
	return list, err
}

// branches returns where a test or a branch leads to. What values of variables decide is decided at once: kids with which the player loses who is to go on are left out,
// and others are where the other one has lost.
func (g *game) branches(p place) (list []place, err error) {
	if v, err := g.decided(p); err != nil || v == g.lost[p.at.may] {
		return nil, err
	} else if v != nil {
		return []place{{p.state, v, ""}}, nil
	}
	for _, kid := range p.at.kids {
		switch v, err := g.decided(place{p.state, kid, p.values}); {
		case err != nil:
			return nil, err
		case v == nil:
			list = append(list, place{p.state, kid, p.values})
		case v != g.lost[p.at.may]:
			list = append(list, place{p.state, v, ""})
		}
	}
	return list, nil
}

// decided returns where somebody has lost if values of variables alone decide a point, and nil if they do not.
func (g *game) decided(p place) (*point, error) {
	switch {
	case p.at.kind == test:
		holds, err := truth(p.at.cond, p.frame())
		return g.lost[!holds], err
	case p.at.kind != branch || p.at.loop:
		return nil, nil
	}
	all := g.lost[p.at.may]
	for _, kid := range p.at.kids {
		switch v, err := g.decided(place{p.state, kid, p.values}); {
		case err != nil:
			return nil, err
		case v == nil:
			all = nil
		case v != g.lost[p.at.may]:
			return v, nil
		}
	}
	return all, nil
}

func truth(c *data.Code, frame []data.Value) (bool, error) {
	v, err := c.Eval(frame)
	if err != nil {
		return false, err
	}
	return c.Truth(v, "the condition")
}

// in reports whether a place is about an action.
func (g *game) in(p place, l lts.Label) (bool, error) {
	if p.at.about[l] == nil {
		p.at.about[l] = g.code(p.at, g.when(p.at.act, g.sys.Performed(l)))
	}
	if g.err != nil {
		return false, g.err
	}
	return truth(p.at.about[l], p.frame())
}

// when returns the condition under which an action formula is about what was performed.
func (g *game) when(a formula.Action, done []state.Performed) spec.Expr {
	quantified := func(kind spec.Binder, vars []*spec.Var, x formula.Action) spec.Expr {
		body := g.when(x, done)
		if spec.IsOp(body, spec.OpTrue) || spec.IsOp(body, spec.OpFalse) {
			return body
		}
		return &spec.Abs{Kind: kind, Vars: vars, Body: body, Of: g.lib.Sorts.Basic(spec.Bool), At: a.Pos()}
	}
	switch a := a.(type) {
	case *formula.ActBool:
		return g.lib.Bool(a.Value)
	case *formula.ActVal:
		return a.E
	case *formula.ActNot:
		return g.lib.Not(g.when(a.X, done))
	case *formula.ActAnd:
		return g.lib.And(g.when(a.X, done), g.when(a.Y, done))
	case *formula.ActOr:
		return g.lib.Or(g.when(a.X, done), g.when(a.Y, done))
	case *formula.ActImplies:
		return g.lib.Or(g.lib.Not(g.when(a.X, done)), g.when(a.Y, done))
	case *formula.ActForall:
		return quantified(spec.Forall, a.Vars, a.X)
	case *formula.ActExists:
		return quantified(spec.Exists, a.Vars, a.X)
	case *formula.Multi:
		return g.same(a.Actions, done)
	}
	g.fail(diag.Unsupportedf(a.Pos(), "time of an action"))
	return g.lib.False()
}

// same returns the condition under which actions are those that were performed, in some order.
func (g *game) same(list []spec.ActionCall, done []state.Performed) spec.Expr {
	if len(list) == 0 || len(list) != len(done) {
		return g.lib.Bool(len(list) == len(done))
	}
	any, first := g.lib.False(), list[0]
	for i, d := range done {
		if d.Action.Name != first.Action.Name || !slices.Equal(d.Action.Args, first.Action.Args) {
			continue
		}
		all := g.same(list[1:], slices.Delete(slices.Clone(done), i, i+1))
		for k, x := range first.Args {
			v := g.engine.Expr(d.Args[k], d.Action.Args[k])
			if v == nil {
				g.fail(diag.Unsupportedf(x.Pos(), "an argument of %s that cannot be written down", d.Action.Name))
				return any
			}
			all = g.lib.And(g.lib.Eq(x, v), all)
		}
		any = g.lib.Or(any, all)
	}
	return any
}
