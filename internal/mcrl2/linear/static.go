package linear

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// parts returns the process expressions directly below p.
func parts(p spec.Proc) []spec.Proc {
	switch p := p.(type) {
	case *spec.Seq:
		return []spec.Proc{p.Left, p.Right}
	case *spec.Alt:
		return []spec.Proc{p.Left, p.Right}
	case *spec.Par:
		return []spec.Proc{p.Left, p.Right}
	case *spec.LeftMerge:
		return []spec.Proc{p.Left, p.Right}
	case *spec.Sync:
		return []spec.Proc{p.Left, p.Right}
	case *spec.Until:
		return []spec.Proc{p.Left, p.Right}
	case *spec.Sum:
		return []spec.Proc{p.Body}
	case *spec.Dist:
		return []spec.Proc{p.Body}
	case *spec.Cond:
		if p.Else == nil {
			return []spec.Proc{p.Then}
		}
		return []spec.Proc{p.Then, p.Else}
	case *spec.At:
		return []spec.Proc{p.Body}
	}
	if body := wrapped(p); body != nil {
		return []spec.Proc{body}
	}
	return nil
}

// wrapped returns the body of an operator that changes only what multi-actions
// look like, and nil for every other process.
func wrapped(p spec.Proc) spec.Proc {
	switch p := p.(type) {
	case *spec.Block:
		return p.Body
	case *spec.Hide:
		return p.Body
	case *spec.Rename:
		return p.Body
	case *spec.Comm:
		return p.Body
	case *spec.Allow:
		return p.Body
	}
	return nil
}

// freeVars returns the free variables of p in the order of the text.
func (l *lineariser) freeVars(p spec.Proc) []*spec.Var {
	if vars, ok := l.free[p]; ok {
		return vars
	}
	var vars []*spec.Var
	seen := map[*spec.Var]bool{}
	add := func(vs []*spec.Var) {
		for _, v := range vs {
			if !seen[v] {
				seen[v] = true
				vars = append(vars, v)
			}
		}
	}
	switch p := p.(type) {
	case *spec.Act:
		add(spec.FreeVars(p.Args...))
	case *spec.Call:
		add(spec.FreeVars(p.Args...))
	case *spec.Cond:
		add(spec.FreeVars(p.If))
	case *spec.At:
		add(spec.FreeVars(p.Time))
	case *spec.Sum:
		for _, v := range p.Vars {
			seen[v] = true
		}
	case *spec.Dist:
		for _, v := range p.Vars {
			seen[v] = true
		}
		add(spec.FreeVars(p.Weight))
	}
	for _, q := range parts(p) {
		add(l.freeVars(q))
	}
	// Global variables belong to nobody: they stay in expressions as they are.
	out := vars[:0]
	for _, v := range vars {
		if !l.isGlobal(v) {
			out = append(out, v)
		}
	}
	l.free[p] = out
	return out
}

// orderParams has the free variables of processes in the order in which they
// were declared, for linear processes that look like what they come from.
func (l *lineariser) orderParams() {
	for _, p := range l.spec.Procs {
		vars := l.freeVars(l.bodyOf(p))
		slices.SortStableFunc(vars, func(v, w *spec.Var) int {
			return slices.Index(p.Params, v) - slices.Index(p.Params, w)
		})
	}
}

func (l *lineariser) isGlobal(v *spec.Var) bool {
	for _, g := range l.spec.Globals {
		if g == v {
			return true
		}
	}
	return false
}

// findEnds finds the processes that may end, as a least fixed point.
func (l *lineariser) findEnds() {
	l.ends = map[*spec.Process]bool{}
	for changed := true; changed; {
		changed = false
		for _, p := range l.spec.Procs {
			if !l.ends[p] && l.canEnd(l.bodyOf(p)) {
				l.ends[p], changed = true, true
			}
		}
	}
	l.canEndAt = map[spec.Proc]bool{}
}

// canEnd reports whether p may end. Conditions are not looked at.
func (l *lineariser) canEnd(p spec.Proc) bool {
	end, ok := l.canEndAt[p]
	if !ok {
		end = l.findEnd(p)
		if l.canEndAt != nil {
			l.canEndAt[p] = end
		}
	}
	return end
}

func (l *lineariser) findEnd(p spec.Proc) bool {
	switch p := p.(type) {
	case *spec.Act, *spec.Tau:
		return true
	case *spec.Delta:
		return false
	case *spec.Call:
		return l.ends[p.Process]
	case *spec.Alt:
		return l.canEnd(p.Left) || l.canEnd(p.Right)
	case *spec.Cond:
		return l.canEnd(p.Then) || p.Else != nil && l.canEnd(p.Else)
	}
	for _, q := range parts(p) {
		if !l.canEnd(q) {
			return false
		}
	}
	return true
}

// findParallel finds the processes that have a parallel operator below nothing
// but operators that can be dealt with by composition.
func (l *lineariser) findParallel() {
	l.hasPar = map[*spec.Process]bool{}
	for changed := true; changed; {
		changed = false
		for _, p := range l.spec.Procs {
			if !l.hasPar[p] && l.parallel(l.bodyOf(p)) {
				l.hasPar[p], changed = true, true
			}
		}
	}
}

func (l *lineariser) parallel(p spec.Proc) bool {
	switch p := p.(type) {
	case *spec.Par:
		return true
	case *spec.Call:
		return l.hasPar[p.Process]
	}
	if body := wrapped(p); body != nil {
		return l.parallel(body)
	}
	return false
}
