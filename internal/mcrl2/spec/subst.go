package spec

// A Subst gives expressions for variables. Variables that are not in it stay.
type Subst map[*Var]Expr

// Apply returns e with the variables replaced. What has none of them is shared
// with e. A binder whose variable occurs in an expression of the substitution
// is renewed, so that nothing is captured.
func (s Subst) Apply(e Expr) Expr {
	if len(s) == 0 {
		return e
	}
	switch e := e.(type) {
	case *Var:
		if r, ok := s[e]; ok {
			return r
		}
	case *Apply:
		head := s.Apply(e.Head)
		args, changed := s.ApplyAll(e.Args)
		if changed || head != e.Head {
			return &Apply{Head: head, Args: args, At: e.At}
		}
	case *Abs:
		vars, t := s.under(e.Vars)
		body := t.Apply(e.Body)
		if body != e.Body {
			return &Abs{Kind: e.Kind, Vars: vars, Body: body, Of: e.Of, At: e.At}
		}
	case *Where:
		vars, t := s.under(e.Vars)
		body := t.Apply(e.Body)
		values, changed := s.ApplyAll(e.Values)
		if changed || body != e.Body {
			return &Where{Body: body, Vars: vars, Values: values, At: e.At}
		}
	}
	return e
}

// ApplyAll applies s to each expression and reports whether one has changed; if
// not, the slice is the one that was given.
func (s Subst) ApplyAll(es []Expr) ([]Expr, bool) {
	var out []Expr
	for i, e := range es {
		r := s.Apply(e)
		if out == nil && r != e {
			out = append(make([]Expr, 0, len(es)), es[:i]...)
		}
		if out != nil {
			out = append(out, r)
		}
	}
	if out == nil {
		return es, false
	}
	return out, true
}

// under returns the variables of a binder and the substitution below it.
func (s Subst) under(vars []*Var) ([]*Var, Subst) {
	bound, captured := false, false
	free := map[*Var]bool{}
	for _, r := range s {
		addFree(r, free, nil)
	}
	for _, v := range vars {
		_, ok := s[v]
		bound = bound || ok
		captured = captured || free[v]
	}
	if !bound && !captured {
		return vars, s
	}
	t := make(Subst, len(s)+len(vars))
	for v, r := range s {
		t[v] = r
	}
	fresh := make([]*Var, len(vars))
	for i, v := range vars {
		fresh[i] = v
		delete(t, v)
		if free[v] {
			fresh[i] = &Var{Name: v.Name, Of: v.Of, At: v.At}
			t[v] = fresh[i]
		}
	}
	return fresh, t
}

// FreeVars returns the variables that occur free in the expressions, each once,
// in the order of their first occurrence.
func FreeVars(es ...Expr) []*Var {
	var list []*Var
	seen := map[*Var]bool{}
	for _, e := range es {
		addFree(e, seen, func(v *Var) { list = append(list, v) })
	}
	return list
}

// addFree adds the free variables of e to a set and tells of the new ones.
func addFree(e Expr, seen map[*Var]bool, tell func(*Var)) {
	switch e := e.(type) {
	case *Var:
		if !seen[e] {
			seen[e] = true
			if tell != nil {
				tell(e)
			}
		}
	case *Apply:
		addFree(e.Head, seen, tell)
		for _, a := range e.Args {
			addFree(a, seen, tell)
		}
	case *Abs:
		addFreeBelow(e.Vars, e.Body, seen, tell)
	case *Where:
		for _, v := range e.Values {
			addFree(v, seen, tell)
		}
		addFreeBelow(e.Vars, e.Body, seen, tell)
	}
}

func addFreeBelow(bound []*Var, body Expr, seen map[*Var]bool, tell func(*Var)) {
	for _, v := range FreeVars(body) {
		isBound := false
		for _, b := range bound {
			isBound = isBound || b == v
		}
		if !isBound && !seen[v] {
			seen[v] = true
			if tell != nil {
				tell(v)
			}
		}
	}
}
