package spec

// free collects the variables and functions that something mentions, except for
// variables that are bound inside of it.
type free struct {
	vars   []*Var
	values []*Func // functions that are not applied
	heads  map[string]bool
	seen   map[Expr]bool
	bound  map[*Var]int
}

func (f *free) isHead(name string) bool { return f.heads[name] }

func (f *free) expr(e Expr) {
	switch e := e.(type) {
	case *Var:
		if f.bound[e] == 0 && f.first(e) {
			f.vars = append(f.vars, e)
		}
	case *Func:
		if f.first(e) {
			f.values = append(f.values, e)
		}
	case *Apply:
		if g, ok := e.Head.(*Func); ok {
			if f.heads == nil {
				f.heads = map[string]bool{}
			}
			f.heads[g.Name] = true
		} else {
			f.expr(e.Head)
		}
		f.exprs(e.Args)
	case *Abs:
		f.under(e.Vars, func() { f.expr(e.Body) })
	case *Where:
		f.under(e.Vars, func() { f.expr(e.Body) })
		f.exprs(e.Values)
	}
}

// under calls collect for what is under a binder.
func (f *free) under(vars []*Var, collect func()) {
	if f.bound == nil {
		f.bound = map[*Var]int{}
	}
	for _, v := range vars {
		f.bound[v]++
	}
	collect()
	for _, v := range vars {
		f.bound[v]--
	}
}

func (f *free) first(e Expr) bool {
	if f.seen == nil {
		f.seen = map[Expr]bool{}
	}
	if f.seen[e] {
		return false
	}
	f.seen[e] = true
	return true
}

func (f *free) exprs(list []Expr) {
	for _, e := range list {
		f.expr(e)
	}
}

func (f *free) summand(s *Summand) {
	f.under(s.Vars, func() {
		f.expr(s.Cond)
		for _, a := range s.Multi {
			f.exprs(a.Args)
		}
		f.expr(s.Time)
		f.exprs(s.Next)
	})
}

func (f *free) proc(p Proc) {
	switch p := p.(type) {
	case *Act:
		f.exprs(p.Args)
	case *Call:
		f.exprs(p.Args)
	case *Seq:
		f.both(p.Left, p.Right)
	case *Alt:
		f.both(p.Left, p.Right)
	case *Par:
		f.both(p.Left, p.Right)
	case *LeftMerge:
		f.both(p.Left, p.Right)
	case *Sync:
		f.both(p.Left, p.Right)
	case *Until:
		f.both(p.Left, p.Right)
	case *Sum:
		f.under(p.Vars, func() { f.proc(p.Body) })
	case *Dist:
		f.under(p.Vars, func() { f.expr(p.Weight); f.proc(p.Body) })
	case *Cond:
		f.expr(p.If)
		f.both(p.Then, p.Else)
	case *At:
		f.proc(p.Body)
		f.expr(p.Time)
	case *Block:
		f.proc(p.Body)
	case *Hide:
		f.proc(p.Body)
	case *Rename:
		f.proc(p.Body)
	case *Comm:
		f.proc(p.Body)
	case *Allow:
		f.proc(p.Body)
	}
}

func (f *free) both(p, q Proc) {
	f.proc(p)
	f.proc(q)
}
