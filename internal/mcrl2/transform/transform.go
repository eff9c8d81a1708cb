package transform

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Tools is what the transformations need to know about data.
type Tools struct {
	// Rewrite returns an expression that is equal to x for all values of its
	// variables, and is normally simpler.
	Rewrite func(x spec.Expr) spec.Expr
	// Elements returns all elements of a sort as closed expressions, or false if
	// they are too many.
	Elements func(s *spec.Sort) ([]spec.Expr, bool)
}

var all = []struct {
	name string
	run  func(*spec.LPS, Tools) *spec.LPS
}{
	{"rewr", Rewr},
	{"deadelm", Deadelm},
	{"constelm", Constelm},
	{"equalelm", Equalelm},
	{"liveelm", Liveelm},
	{"parelm", Parelm},
	{"structelm", Structelm},
	{"sumelm", Sumelm},
	{"suminst", Suminst},
	{"parunfold", Parunfold},
	{"binary", Binary},
}

// Names returns the names of the transformations.
func Names() []string {
	var out []string
	for _, t := range all {
		out = append(out, t.name)
	}
	return out
}

// Apply applies transformations in the order of their names.
func Apply(lps *spec.LPS, names []string, tools Tools) (*spec.LPS, error) {
next:
	for _, n := range names {
		for _, t := range all {
			if t.name == n {
				lps = t.run(lps, tools)
				continue next
			}
		}
		return nil, diag.Usagef("no transformation %q: there are %s", n, strings.Join(Names(), ", "))
	}
	return lps, nil
}

// substituted returns a summand with variables replaced and what has them
// rewritten. The values of the parameters that are in drop go away.
func substituted(s *spec.Summand, by spec.Subst, drop map[int]bool, t Tools) *spec.Summand {
	return mapped(s, func(x spec.Expr) spec.Expr {
		if y := by.Apply(x); y != x {
			return t.Rewrite(y)
		}
		return x
	}, drop)
}

// mapped returns a summand with f applied to all expressions.
func mapped(s *spec.Summand, f func(spec.Expr) spec.Expr, drop map[int]bool) *spec.Summand {
	out := &spec.Summand{Vars: s.Vars, Cond: f(s.Cond), Delta: s.Delta, At: s.At}
	for _, a := range s.Multi {
		call := spec.ActionCall{Action: a.Action}
		for _, x := range a.Args {
			call.Args = append(call.Args, f(x))
		}
		out.Multi = append(out.Multi, call)
	}
	if s.Time != nil {
		out.Time = f(s.Time)
	}
	for i, x := range s.Next {
		if !drop[i] {
			out.Next = append(out.Next, f(x))
		}
	}
	return out
}

// with returns a process with other summands and otherwise the same.
func with(lps *spec.LPS, summands []*spec.Summand) *spec.LPS {
	out := *lps
	out.Summands = summands
	return &out
}

// without returns a process without some of its parameters, which have the
// values of by.
func without(lps *spec.LPS, drop map[int]bool, by spec.Subst, t Tools) *spec.LPS {
	if len(drop) == 0 {
		return lps
	}
	out := *lps
	out.Params, out.Init, out.Summands = nil, nil, nil
	for i, p := range lps.Params {
		if !drop[i] {
			out.Params = append(out.Params, p)
			out.Init = append(out.Init, lps.Init[i])
		}
	}
	for _, s := range lps.Summands {
		n := substituted(s, by, drop, t)
		if !spec.IsOp(n.Cond, spec.OpFalse) {
			out.Summands = append(out.Summands, n)
		}
	}
	return &out
}
