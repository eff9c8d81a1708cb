package linear

import (
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// uniqueNames gives parameters names that nothing else has, and the variables of
// a summand names that nothing else has that can be seen there, so that the
// process can be printed and read back.
func uniqueNames(lps *spec.LPS) {
	taken := map[string]bool{}
	for _, f := range lps.Funcs {
		taken[f.Name] = true
	}
	for _, g := range lps.Globals {
		taken[g.Name] = true
	}
	for _, s := range lps.Summands {
		bound := func(es ...spec.Expr) {
			for _, e := range es {
				boundNames(e, taken)
			}
		}
		bound(s.Cond)
		bound(s.Next...)
		for _, a := range s.Multi {
			bound(a.Args...)
		}
		if s.Time != nil {
			bound(s.Time)
		}
	}
	counts := map[string]int{}
	for _, v := range lps.Params {
		v.Name = fresh(v.Name, taken, counts)
		taken[v.Name] = true
	}
	for i, s := range lps.Summands {
		lps.Summands[i] = renamed(s, taken)
	}
}

// renamed returns s with variables whose names are not taken and differ.
func renamed(s *spec.Summand, taken map[string]bool) *spec.Summand {
	here := map[string]bool{}
	r := spec.Subst{}
	vars := slices.Clone(s.Vars)
	for i, v := range vars {
		name := v.Name
		for n := 1; taken[name] || here[name]; n++ {
			name = fmt.Sprintf("%s_%d", v.Name, n)
		}
		here[name] = true
		if name != v.Name {
			vars[i] = &spec.Var{Name: name, Of: v.Of, At: v.At}
			r[v] = vars[i]
		}
	}
	if len(r) == 0 {
		return s
	}
	out := *s
	out.Vars = vars
	out.Cond = r.Apply(s.Cond)
	out.Next, _ = r.ApplyAll(s.Next)
	out.Multi = slices.Clone(s.Multi)
	for i, a := range out.Multi {
		out.Multi[i].Args, _ = r.ApplyAll(a.Args)
	}
	if s.Time != nil {
		out.Time = r.Apply(s.Time)
	}
	return &out
}

// fresh returns name, or name with a number, that is not taken.
func fresh(name string, taken map[string]bool, counts map[string]int) string {
	out := name
	for taken[out] {
		counts[name]++
		out = fmt.Sprintf("%s_%d", name, counts[name])
	}
	return out
}

// boundNames adds the names that are bound inside of e.
func boundNames(e spec.Expr, set map[string]bool) {
	switch e := e.(type) {
	case *spec.Apply:
		boundNames(e.Head, set)
		for _, a := range e.Args {
			boundNames(a, set)
		}
	case *spec.Abs:
		for _, v := range e.Vars {
			set[v.Name] = true
		}
		boundNames(e.Body, set)
	case *spec.Where:
		for i, v := range e.Vars {
			set[v.Name] = true
			boundNames(e.Values[i], set)
		}
		boundNames(e.Body, set)
	}
}
