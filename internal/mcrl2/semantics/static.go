package semantics

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// number gives p and all process expressions below it numbers and finds their
// free variables.
func (s *System) number(p spec.Proc) []*spec.Var {
	if _, ok := s.ids[p]; ok {
		return s.free[p]
	}
	s.ids[p] = len(s.ids)
	var exprs []spec.Expr
	var below []spec.Proc
	var bound []*spec.Var
	switch p := p.(type) {
	case *spec.Act:
		exprs = p.Args
	case *spec.Call:
		exprs = p.Args
	case *spec.Seq:
		below = []spec.Proc{p.Left, p.Right}
	case *spec.Alt:
		below = []spec.Proc{p.Left, p.Right}
	case *spec.Par:
		below = []spec.Proc{p.Left, p.Right}
	case *spec.LeftMerge:
		below = []spec.Proc{p.Left, p.Right}
	case *spec.Sync:
		below = []spec.Proc{p.Left, p.Right}
	case *spec.Sum:
		below, bound = []spec.Proc{p.Body}, p.Vars
	case *spec.Dist:
		exprs, below, bound = []spec.Expr{p.Weight}, []spec.Proc{p.Body}, p.Vars
	case *spec.Cond:
		exprs, below = []spec.Expr{p.If}, []spec.Proc{p.Then}
		if p.Else != nil {
			below = append(below, p.Else)
		}
	case *spec.At:
		exprs, below = []spec.Expr{p.Time}, []spec.Proc{p.Body}
	case *spec.Block:
		below = []spec.Proc{p.Body}
	case *spec.Hide:
		below = []spec.Proc{p.Body}
	case *spec.Rename:
		below = []spec.Proc{p.Body}
	case *spec.Comm:
		below = []spec.Proc{p.Body}
	case *spec.Allow:
		below = []spec.Proc{p.Body}
	}
	var free []*spec.Var
	seen := map[*spec.Var]bool{}
	for _, v := range bound {
		seen[v] = true
	}
	add := func(vars []*spec.Var) {
		for _, v := range vars {
			if !seen[v] {
				seen[v] = true
				free = append(free, v)
			}
		}
	}
	add(spec.FreeVars(exprs...))
	for _, q := range below {
		add(s.number(q))
	}
	s.free[p] = free
	return free
}
