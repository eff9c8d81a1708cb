package syntax

// proc prints a process, in parentheses if it binds looser than least. Sums and
// conditions inside of operators that bind tighter always have parentheses, so
// that no <> is taken by the wrong condition.
func (p *printer) proc(x Proc, least int) {
	if procPrec(x) < least {
		p.put("(")
		defer p.put(")")
	}
	switch x := x.(type) {
	case *Call:
		p.put(x.Name)
		if len(x.Args) > 0 {
			p.put("(")
			p.exprs(x.Args)
			p.put(")")
		}
	case *CallAssign:
		p.put(x.Name, "(")
		p.assigns(x.Args)
		p.put(")")
	case *Delta:
		p.put("delta")
	case *Tau:
		p.put("tau")
	case *BinaryProc:
		b := procOps[x.Op]
		left, right := b.prec, b.prec+1
		if b.right {
			left, right = right, left
		}
		p.proc(x.X, left)
		p.put(" ", x.Op, " ")
		p.proc(x.Y, right)
	case *Sum:
		p.put("sum ")
		p.varDecls(x.Vars)
		p.put(". ")
		p.proc(x.Body, precSum)
	case *Dist:
		p.put("dist ")
		p.varDecls(x.Vars)
		p.put("[")
		p.expr(x.Weight, precWhere)
		p.put("]. ")
		p.proc(x.Body, precSum)
	case *Cond:
		p.unit(x.If)
		p.put(" -> ")
		if x.Else == nil {
			p.proc(x.Then, precCond)
			return
		}
		p.proc(x.Then, precCond+1)
		p.put(" <> ")
		p.proc(x.Else, precCond)
	case *At:
		p.proc(x.Body, precAt)
		p.put(" @ ")
		p.unit(x.Time)
	case *NameSet:
		p.put(x.Op, "({")
		p.list(len(x.Names), func(i int) { p.put(x.Names[i].Text) })
		p.setBody(x.Body)
	case *Rename:
		p.put("rename({")
		p.list(len(x.From), func(i int) { p.put(x.From[i].Text, " -> ", x.To[i].Text) })
		p.setBody(x.Body)
	case *Comm:
		p.put("comm({")
		p.list(len(x.From), func(i int) {
			p.multi(x.From[i])
			p.put(" -> ", x.To[i].Text)
		})
		p.setBody(x.Body)
	case *Allow:
		p.put("allow({")
		p.list(len(x.Sets), func(i int) { p.multi(x.Sets[i]) })
		p.setBody(x.Body)
	}
}

func (p *printer) setBody(x Proc) {
	p.put("}, ")
	p.proc(x, 0)
	p.put(")")
}

func (p *printer) multi(names []Name) {
	for i, n := range names {
		if i > 0 {
			p.put("|")
		}
		p.put(n.Text)
	}
}

func procPrec(x Proc) int {
	switch x := x.(type) {
	case *BinaryProc:
		return procOps[x.Op].prec
	case *Sum, *Dist:
		return precSum
	case *Cond:
		return precCond
	case *At:
		return precAt
	}
	return precProcs
}
