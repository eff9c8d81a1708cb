package spec

import "github.com/heddle-mc/heddle/internal/mcrl2/syntax"

// proc makes the tree of a process expression.
func (u *untyper) proc(p Proc) syntax.Proc {
	binary := func(op string, l, r Proc) syntax.Proc {
		return &syntax.BinaryProc{Op: op, X: u.proc(l), Y: u.proc(r)}
	}
	switch p := p.(type) {
	case *Act:
		return u.multi([]ActionCall{{p.Action, p.Args}})
	case *Tau:
		return &syntax.Tau{}
	case *Delta:
		return &syntax.Delta{}
	case *Call:
		n := len(p.Args)
		return &syntax.Call{Name: p.Process.Name, Args: u.exprs(p.Args, u.arity[arityKey{p.Process.Name, n}] <= 1)}
	case *Seq:
		return binary(".", p.Left, p.Right)
	case *Alt:
		return binary("+", p.Left, p.Right)
	case *Par:
		return binary("||", p.Left, p.Right)
	case *LeftMerge:
		return binary("||_", p.Left, p.Right)
	case *Sync:
		return binary("|", p.Left, p.Right)
	case *Until:
		return binary("<<", p.Left, p.Right)
	case *Sum:
		vars, done := u.enter(p.Vars, func(f *free) { f.proc(p.Body) })
		defer done()
		return &syntax.Sum{Vars: vars, Body: u.proc(p.Body)}
	case *Dist:
		vars, done := u.enter(p.Vars, func(f *free) { f.expr(p.Weight); f.proc(p.Body) })
		defer done()
		return &syntax.Dist{Vars: vars, Weight: u.expr(p.Weight, true), Body: u.proc(p.Body)}
	case *Cond:
		c := &syntax.Cond{If: u.expr(p.If, true), Then: u.proc(p.Then)}
		if p.Else != nil {
			c.Else = u.proc(p.Else)
		}
		return c
	case *At:
		return &syntax.At{Body: u.proc(p.Body), Time: u.expr(p.Time, true)}
	}
	return u.procSet(p)
}

// procSet makes the operators with a set of names.
func (u *untyper) procSet(p Proc) syntax.Proc {
	switch p := p.(type) {
	case *Block:
		return &syntax.NameSet{Op: "block", Names: nameList(p.Names), Body: u.proc(p.Body)}
	case *Hide:
		return &syntax.NameSet{Op: "hide", Names: nameList(p.Names), Body: u.proc(p.Body)}
	case *Rename:
		return &syntax.Rename{From: nameList(p.From), To: nameList(p.To), Body: u.proc(p.Body)}
	case *Comm:
		c := &syntax.Comm{Body: u.proc(p.Body)}
		for i, from := range p.From {
			to := p.To[i]
			if to == "" {
				to = "tau"
			}
			c.From, c.To = append(c.From, nameList(from)), append(c.To, name(to))
		}
		return c
	case *Allow:
		a := &syntax.Allow{Body: u.proc(p.Body)}
		for _, s := range p.Sets {
			a.Sets = append(a.Sets, nameList(s))
		}
		return a
	}
	return &syntax.Call{Name: "?"}
}

func nameList(list []string) []syntax.Name {
	var out []syntax.Name
	for _, s := range list {
		out = append(out, name(s))
	}
	return out
}
