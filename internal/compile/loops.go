package compile

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// loops says which blocks are heads of loops and how deep blocks are in them.
type loops struct {
	depth []int32
	head  []bool
}

// findLoops finds the natural loops of a function.
func findLoops(fn *ssa.Function) *loops {
	n := len(fn.Blocks)
	l := &loops{depth: make([]int32, n), head: make([]bool, n)}
	var bodies map[int][]bool
	for _, b := range fn.Blocks {
		for _, s := range b.Succs {
			if !s.Dominates(b) {
				continue
			}
			l.head[s.Index] = true
			if bodies == nil {
				bodies = make(map[int][]bool)
			}
			body := bodies[s.Index]
			if body == nil {
				body = make([]bool, n)
				body[s.Index] = true
				bodies[s.Index] = body
			}
			stack := []*ssa.BasicBlock{b}
			for len(stack) > 0 {
				x := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				if body[x.Index] {
					continue
				}
				body[x.Index] = true
				stack = append(stack, x.Preds...)
			}
		}
	}
	for _, body := range bodies {
		for i, in := range body {
			if in {
				l.depth[i]++
			}
		}
	}
	return l
}

// layoutOrder lists the reachable blocks so that each follows one that leads to
// it, dominators come first and loops are contiguous: a depth-first order that
// leaves inner loops last.
func layoutOrder(fn *ssa.Function, l *loops) []*ssa.BasicBlock {
	seen := make([]bool, len(fn.Blocks))
	var post []*ssa.BasicBlock
	type visit struct {
		b    *ssa.BasicBlock
		next int
		succ [2]*ssa.BasicBlock
		n    int
	}
	enter := func(b *ssa.BasicBlock) visit {
		seen[b.Index] = true
		v := visit{b: b}
		// The successor visited last comes directly behind b: the deeper one, or
		// the first.
		for i := len(b.Succs) - 1; i >= 0; i-- {
			v.succ[v.n] = b.Succs[i]
			v.n++
		}
		if v.n == 2 && l.depth[v.succ[0].Index] > l.depth[v.succ[1].Index] {
			v.succ[0], v.succ[1] = v.succ[1], v.succ[0]
		}
		return v
	}
	walk := func(root *ssa.BasicBlock) {
		if seen[root.Index] {
			return
		}
		stack := []visit{enter(root)}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next < top.n {
				s := top.succ[top.next]
				top.next++
				if !seen[s.Index] {
					stack = append(stack, enter(s))
				}
				continue
			}
			post = append(post, top.b)
			stack = stack[:len(stack)-1]
		}
	}
	if fn.Recover != nil {
		walk(fn.Recover)
	}
	walk(fn.Blocks[0])
	slices.Reverse(post)
	return post
}
