package transform

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Parelm drops parameters that neither conditions nor actions look at, and that
// no parameter depends on which has to stay.
func Parelm(lps *spec.LPS, t Tools) *spec.LPS {
	index := map[*spec.Var]int{}
	for i, p := range lps.Params {
		index[p] = i
	}
	needed := make([]bool, len(lps.Params))
	var todo []int
	need := func(xs ...spec.Expr) {
		for _, v := range spec.FreeVars(xs...) {
			if i, ok := index[v]; ok && !needed[i] {
				needed[i] = true
				todo = append(todo, i)
			}
		}
	}
	for _, s := range lps.Summands {
		need(exprs(s)...)
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, s := range lps.Summands {
			if !s.Delta {
				need(s.Next[i])
			}
		}
	}
	drop := map[int]bool{}
	for i := range lps.Params {
		if !needed[i] {
			drop[i] = true
		}
	}
	out := *without(lps, drop, nil, Tools{Rewrite: func(x spec.Expr) spec.Expr { return x }})
	out.Summands = slices.Clone(out.Summands)
	for i, s := range out.Summands {
		out.Summands[i] = withoutUnused(s)
	}
	return &out
}

// withoutUnused drops variables of a sum that occur nowhere. No sort is empty.
func withoutUnused(s *spec.Summand) *spec.Summand {
	if len(s.Vars) == 0 {
		return s
	}
	used := map[*spec.Var]bool{}
	xs := exprs(s)
	if !s.Delta {
		xs = append(xs, s.Next...)
	}
	for _, v := range spec.FreeVars(xs...) {
		used[v] = true
	}
	out := *s
	out.Vars = nil
	for _, v := range s.Vars {
		if used[v] {
			out.Vars = append(out.Vars, v)
		}
	}
	return &out
}
