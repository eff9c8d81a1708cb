package linear

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// maxPlaces bounds the places of one leaf.
const maxPlaces = 100_000

// A place is a set of states of a leaf that differ only in values.
type place struct {
	term  term
	vars  []*spec.Var // of the text, one for each parameter
	slots []int       // what holds each parameter
	own   []*spec.Var // stand for the parameters in the edges
	edges []*edge
	draws bool // the edges are those of a random draw
}

// An edge is a step from one place to another.
type edge struct {
	step
	to     int
	values []spec.Expr // of the parameters of the other place
	stack  spec.Expr   // what the stack becomes, or nil if it stays
}

// A leaf is a process that is followed symbolically.
type leaf struct {
	*lineariser
	name   string
	places []*place
	index  map[string]int
	slots  []*slot
	pc     *spec.Var
	stack  *stack // nil if none is needed
}

// leafOf makes a component of a process whose free variables have the values
// of env. A process that is not regular gets a stack.
func (l *lineariser) leafOf(p spec.Proc, env spec.Subst, f *filter) *component {
	l.leaves++
	name := "init"
	if c, ok := p.(*spec.Call); ok {
		name = c.Process.Name
	}
	lf := &leaf{lineariser: l, name: fmt.Sprintf("s%d_%s", l.leaves, name), index: map[string]int{}}
	var first term = l.frameOf(p, env)
	if ways := l.ways(first, nil); len(ways) == 1 && spec.IsOp(ways[0].cond, spec.OpTrue) {
		first = ways[0].term
	}
	if !lf.regular(first, f) {
		lf.places, lf.index = nil, map[string]int{}
		lf.stack = lf.newStack()
		if !lf.regular(first, f) {
			refuse(p.Pos(), "recursion on the left of . inside of a parallel operator or one on actions")
		}
	}
	lf.allocate(l.values(first))
	return lf.component(l.values(first))
}

// regular explores the places and reports whether they are finitely many
// without a stack.
func (lf *leaf) regular(first term, f *filter) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(notRegular); !is {
				panic(r)
			}
		}
	}()
	lf.explore(first, f)
	return true
}

// explore finds all places, the one of first first.
func (lf *leaf) explore(first term, f *filter) {
	lf.placeOf(first, lf.spec.Init.Pos())
	for i := 0; i < len(lf.places); i++ {
		pl := lf.places[i]
		var steps []step
		if d := lf.drawOf(pl.term, nil); d != nil {
			pl.draws = true
			steps = []step{lf.drawStep(d)}
		} else {
			steps = lf.steps(pl.term, f)
		}
		for _, s := range steps {
			for _, s := range lf.split(s) {
				lf.addEdge(i, s)
			}
		}
	}
	if lf.stack != nil {
		lf.stack.finish()
	}
}

// addEdge adds a step from a place.
func (lf *leaf) addEdge(from int, s step) {
	pl := lf.places[from]
	switch {
	case s.delta && s.time == nil:
	case s.delta:
		pl.edges = append(pl.edges, &edge{step: s, to: from, values: exprs(pl.own)})
	case lf.stack != nil:
		lf.stackEdge(pl, s)
	default:
		pl.edges = append(pl.edges, &edge{step: s, to: lf.placeOf(s.next, s.at), values: lf.values(s.next)})
	}
}

// placeOf returns the number of the place of a term.
func (lf *leaf) placeOf(t term, pos diag.Pos) int {
	k := lf.key(t)
	if i, ok := lf.index[k]; ok {
		return i
	}
	checkNesting(t, nil)
	if len(lf.places) == maxPlaces {
		refuse(pos, "the process has more than %d places", maxPlaces)
	}
	pl := &place{}
	var envs []spec.Subst
	for _, f := range frames(nil, t) {
		env := spec.Subst{}
		for _, v := range lf.freeVars(f.node) {
			own := &spec.Var{Name: v.Name, Of: v.Of, At: v.At}
			env[v] = own
			pl.vars = append(pl.vars, v)
			pl.own = append(pl.own, own)
		}
		envs = append(envs, env)
	}
	pl.term = withEnvs(t, &envs)
	lf.index[k] = len(lf.places)
	lf.places = append(lf.places, pl)
	return len(lf.places) - 1
}

// values returns the values of the parameters of a term's place.
func (l *lineariser) values(t term) []spec.Expr {
	var out []spec.Expr
	for _, f := range frames(nil, t) {
		for _, v := range l.freeVars(f.node) {
			out = append(out, f.env[v])
		}
	}
	return out
}

// component returns the leaf as a component. Parameters are the place, unless
// there is only one, and the slots.
func (lf *leaf) component(init []spec.Expr) *component {
	c := &component{}
	ended, hasEnd := lf.index[lf.key(nil)]
	if len(lf.places) > 1 {
		lf.pc = &spec.Var{Name: lf.name, Of: lf.lib.Sorts.Basic(spec.Pos)}
		c.params = append(c.params, lf.pc)
	}
	colours := lf.colours(&c.params)
	c.init = lf.vector(c, 0, -1, init, colours)
	if lf.stack != nil {
		c.params = append(c.params, lf.stack.param)
		c.init = append(c.init, lf.stack.empty())
	}
	for i, pl := range lf.places {
		at := spec.Subst{}
		for k, s := range pl.slots {
			at[pl.own[k]] = lf.slots[s].value
		}
		for _, e := range pl.edges {
			values, _ := at.ApplyAll(e.values)
			next := lf.vector(c, e.to, i, values, colours)
			switch {
			case lf.stack == nil:
			case e.stack != nil:
				next = append(next, at.Apply(e.stack))
			default:
				next = append(next, lf.stack.param)
			}
			n := lf.stepSummand(&e.step, at, lf.at(i), next)
			switch {
			case spec.IsOp(n.cond, spec.OpFalse):
			case pl.draws:
				c.draws = append(c.draws, n)
			default:
				c.summands = append(c.summands, n)
			}
		}
		if pl.draws && c.drawing == nil {
			c.drawing = lf.at(i)
		} else if pl.draws {
			c.drawing = lf.lib.Or(c.drawing, lf.at(i))
		}
	}
	if hasEnd {
		c.ended = lf.at(ended)
		c.halt = identity(c.params)
		c.halt[0] = lf.lib.Int(int64(len(lf.places)+1), spec.Pos)
	}
	return c
}

// at returns the condition that the leaf is at a place.
func (lf *leaf) at(i int) spec.Expr {
	if lf.pc == nil {
		return lf.lib.True()
	}
	return lf.lib.Eq(lf.pc, lf.lib.Int(int64(i+1), spec.Pos))
}

// vector returns values for all parameters of the component in a place, given
// those of the place's own. Slots that nobody needs there get a value that is
// always the same; they have it already if nobody needed them in the place
// before, which is -1 for the initial state.
func (lf *leaf) vector(c *component, to, from int, own []spec.Expr, colours [][]int) []spec.Expr {
	out := make([]spec.Expr, 0, len(c.params))
	if lf.pc != nil {
		if to == from {
			out = append(out, lf.pc)
		} else {
			out = append(out, lf.lib.Int(int64(to+1), spec.Pos))
		}
	}
	for i, members := range colours {
		param := c.params[i]
		if lf.pc != nil {
			param = c.params[i+1]
		}
		e := holds(lf.places[to], own, members)
		if e == nil {
			dead := from >= 0 && holds(lf.places[from], exprs(lf.places[from].own), members) == nil
			d := lf.spec.Witness(param.Of)
			switch {
			case !dead && d != nil:
				e = d
			case from >= 0:
				e = param
			default:
				e = lf.anything(param)
			}
		}
		out = append(out, e)
	}
	return out
}

// holds returns the value, of those given for a place's parameters, that goes to
// one of the slots, or nil.
func holds(pl *place, values []spec.Expr, slots []int) spec.Expr {
	for k, s := range pl.slots {
		for _, m := range slots {
			if s == m {
				return values[k]
			}
		}
	}
	return nil
}

// anything returns a new global variable for a sort that has no term.
func (l *lineariser) anything(v *spec.Var) spec.Expr {
	g := &spec.Var{Name: v.Name, Of: v.Of, At: v.At}
	l.dontCares = append(l.dontCares, g)
	return g
}

func identity(params []*spec.Var) []spec.Expr { return exprs(params) }

func exprs(vars []*spec.Var) []spec.Expr {
	out := make([]spec.Expr, len(vars))
	for i, v := range vars {
		out[i] = v
	}
	return out
}
