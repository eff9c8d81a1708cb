package linear

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A stack holds what is still to be done after the current process, for leaves
// such as X = a.X.b of which there are terms of any size. It is a parameter: a
// list of frames, which are a struct with a constructor for each place of the
// text that can be on the stack.
type stack struct {
	leaf  *leaf
	param *spec.Var
	sort  *spec.Sort // of frames
	kinds map[spec.Proc]int
	nodes []spec.Proc
	place []int // where the process goes on with each kind
	pops  []pop
}

// A pop is a step after which a place has ended.
type pop struct {
	from *place
	step step
}

func (lf *leaf) newStack() *stack {
	name := "Frame_" + lf.name
	for n := 1; lf.lib.Sorts.Lookup(name) != nil; n++ {
		name = fmt.Sprintf("Frame_%s_%d", lf.name, n)
	}
	s := &stack{leaf: lf, sort: lf.lib.Sorts.Declare(name), kinds: map[spec.Proc]int{}}
	s.sort.Struct = true
	s.param = &spec.Var{Name: "stack_" + lf.name, Of: lf.lib.Sorts.Of(spec.List, s.sort)}
	return s
}

// kind returns the number of the constructor for a frame, and sees to it that
// the process can go on there.
func (s *stack) kind(f *frame) int {
	k, ok := s.kinds[f.node]
	if ok {
		return k
	}
	k = len(s.nodes)
	s.kinds[f.node] = k
	s.nodes = append(s.nodes, f.node)
	lib := s.leaf.lib
	c := &spec.Func{Name: fmt.Sprintf("%s_%d", s.sort.Name, k+1), Con: true, Index: k, Of: s.sort}
	from := []*spec.Sort{s.sort}
	c.Is = &spec.Func{Name: "is_" + c.Name, Of: lib.Sorts.Function(from, lib.Sorts.Basic(spec.Bool)), Op: spec.OpIs, Owner: c}
	s.leaf.funcs = append(s.leaf.funcs, c, c.Is)
	var args []*spec.Sort
	for i, v := range s.leaf.freeVars(f.node) {
		p := &spec.Func{Name: fmt.Sprintf("%s_%s_%d", c.Name, v.Name, i+1), Of: lib.Sorts.Function(from, v.Of), Op: spec.OpProj, Owner: c, Index: i}
		c.Proj = append(c.Proj, p)
		args = append(args, v.Of)
		s.leaf.funcs = append(s.leaf.funcs, p)
	}
	if len(args) > 0 {
		c.Of = lib.Sorts.Function(args, s.sort)
	}
	s.sort.Cons = append(s.sort.Cons, c)
	s.place = append(s.place, s.leaf.placeOf(&frame{f.node, f.env}, f.node.Pos()))
	return k
}

// stackEdge adds the edge of a step. What is to be done later goes onto the
// stack.
func (lf *leaf) stackEdge(pl *place, s step) {
	if s.next == nil {
		lf.stack.pops = append(lf.stack.pops, pop{pl, s})
		return
	}
	var later []*frame
	t := s.next
	for {
		q, ok := t.(*seqTerm)
		if !ok {
			break
		}
		later = append(later, q.rest)
		t = q.first
	}
	e := &edge{step: s, to: lf.placeOf(t, s.at), values: lf.values(t)}
	if len(later) > 0 {
		e.stack = lf.stack.param
		for i := len(later) - 1; i >= 0; i-- {
			k := lf.stack.kind(later[i])
			e.stack = lf.stack.push(construct(lf.stack.sort.Cons[k], lf.values(later[i])), e.stack)
		}
	}
	pl.edges = append(pl.edges, e)
}

func construct(f *spec.Func, args []spec.Expr) spec.Expr {
	if len(args) == 0 {
		return f
	}
	return &spec.Apply{Head: f, Args: args}
}

// finish adds the edges of steps after which the process goes on with what is on
// the stack, or ends if it is empty.
func (s *stack) finish() {
	lf := s.leaf
	if len(s.pops) == 0 {
		return
	}
	end := lf.placeOf(nil, lf.spec.Init.Pos())
	isEmpty := lf.lib.Eq(s.param, s.empty())
	head := s.apply(spec.OpHead, "head", s.sort)
	tail := s.apply(spec.OpTail, "tail", s.param.Of)
	for _, p := range s.pops {
		e := &edge{step: p.step, to: end}
		e.cond = lf.lib.And(e.cond, isEmpty)
		p.from.edges = append(p.from.edges, e)
		for k, node := range s.nodes {
			c := s.sort.Cons[k]
			e := &edge{step: p.step, to: s.place[k], stack: tail}
			is := &spec.Apply{Head: c.Is, Args: []spec.Expr{head}}
			e.cond = lf.lib.And(e.cond, lf.lib.And(lf.lib.Not(isEmpty), is))
			for i := range lf.freeVars(node) {
				e.values = append(e.values, &spec.Apply{Head: c.Proj[i], Args: []spec.Expr{head}})
			}
			p.from.edges = append(p.from.edges, e)
		}
	}
}

func (s *stack) empty() spec.Expr { return s.leaf.lib.Func(spec.OpNil, "[]", s.param.Of) }

func (s *stack) push(f, onto spec.Expr) spec.Expr {
	of := s.leaf.lib.Sorts.Function([]*spec.Sort{s.sort, s.param.Of}, s.param.Of)
	return &spec.Apply{Head: s.leaf.lib.Func(spec.OpCons, "|>", of), Args: []spec.Expr{f, onto}}
}

// apply returns a function of the stack.
func (s *stack) apply(op spec.Op, name string, result *spec.Sort) spec.Expr {
	of := s.leaf.lib.Sorts.Function([]*spec.Sort{s.param.Of}, result)
	return &spec.Apply{Head: s.leaf.lib.Func(op, name, of), Args: []spec.Expr{s.param}}
}
