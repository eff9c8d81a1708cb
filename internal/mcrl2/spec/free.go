package spec

// free collects the variables and functions that something mentions. It keeps
// those that are bound inside too, which makes names differ more than they must.
type free struct {
	vars  []*Var
	funcs []*Func
	seen  map[Expr]bool
}

func (f *free) expr(e Expr) {
	switch e := e.(type) {
	case *Var:
		if f.first(e) {
			f.vars = append(f.vars, e)
		}
	case *Func:
		if f.first(e) {
			f.funcs = append(f.funcs, e)
		}
	case *Apply:
		f.expr(e.Head)
		f.exprs(e.Args)
	case *Abs:
		f.expr(e.Body)
	case *Where:
		f.expr(e.Body)
		f.exprs(e.Values)
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
	f.expr(s.Cond)
	for _, a := range s.Multi {
		f.exprs(a.Args)
	}
	f.expr(s.Time)
	f.exprs(s.Next)
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
		f.proc(p.Body)
	case *Dist:
		f.expr(p.Weight)
		f.proc(p.Body)
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
