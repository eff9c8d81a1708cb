package types

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// A procChecker checks the processes of a specification.
type procChecker struct {
	*checker
	spec    *spec.Spec
	actions map[string][]*spec.Action
	procs   map[string][]*spec.Process
}

// processes checks actions, global variables, processes and the initial process.
func (c *checker) processes(s *spec.Spec, tree *syntax.Spec) {
	p := &procChecker{checker: c, spec: s, actions: map[string][]*spec.Action{}, procs: map[string][]*spec.Process{}}
	for _, d := range tree.Actions {
		p.declareAction(d)
	}
	globals := c.bind(nil, tree.Globals, "global variable")
	s.Globals = globals.vars
	scopes := make([]*scope, len(tree.Procs))
	made := make([]*spec.Process, len(tree.Procs))
	for i, d := range tree.Procs {
		scopes[i] = c.bind(globals, d.Params, "parameter")
		made[i] = p.declareProcess(d, scopes[i].vars)
	}
	for i, d := range tree.Procs {
		made[i].Body = p.proc(scopes[i], d.Body)
		c.forget()
	}
	if tree.Init != nil {
		s.Init = p.proc(globals, tree.Init)
	}
}

func (p *procChecker) declareAction(d *syntax.ActDecl) {
	a := &spec.Action{Name: d.Name.Text, Args: p.table.resolveAll(d.Args), At: d.Name.At}
	for _, b := range p.actions[a.Name] {
		if slices.Equal(a.Args, b.Args) {
			p.fail(a.At, "action %s is declared twice with the same sorts: first at %s", a.Name, place(b.At))
			return
		}
	}
	p.actions[a.Name] = append(p.actions[a.Name], a)
	p.spec.Actions = append(p.spec.Actions, a)
}

func (p *procChecker) declareProcess(d *syntax.ProcDecl, params []*spec.Var) *spec.Process {
	q := &spec.Process{Name: d.Name.Text, Params: params, At: d.Name.At}
	if a := p.actions[q.Name]; a != nil {
		p.fail(q.At, "process %s has the name of an action: declared at %s", q.Name, place(a[0].At))
		return q
	}
	for _, r := range p.procs[q.Name] {
		if slices.EqualFunc(params, r.Params, func(x, y *spec.Var) bool { return x.Of == y.Of }) {
			p.fail(q.At, "process %s is declared twice with the same sorts: first at %s", q.Name, place(r.At))
			return q
		}
	}
	p.procs[q.Name] = append(p.procs[q.Name], q)
	p.spec.Procs = append(p.spec.Procs, q)
	return q
}

// proc checks a process expression. What has an error becomes delta.
func (p *procChecker) proc(sc *scope, x syntax.Proc) spec.Proc {
	at := spec.Place{At: x.Pos()}
	switch x := x.(type) {
	case *syntax.Call:
		return p.call(sc, x)
	case *syntax.CallAssign:
		return p.callAssign(sc, x)
	case *syntax.Delta:
		return &spec.Delta{Place: at}
	case *syntax.Tau:
		return &spec.Tau{Place: at}
	case *syntax.BinaryProc:
		return p.binary(sc, x)
	case *syntax.Sum:
		in := p.bind(sc, x.Vars, "variable")
		return &spec.Sum{Vars: in.vars, Body: p.proc(in, x.Body), Place: at}
	case *syntax.Dist:
		in := p.bind(sc, x.Vars, "variable")
		return &spec.Dist{Vars: in.vars, Weight: p.expr(in, x.Weight, p.sorts.Basic(spec.Real)), Body: p.proc(in, x.Body), Place: at}
	case *syntax.Cond:
		c := &spec.Cond{If: p.expr(sc, x.If, p.sorts.Basic(spec.Bool)), Then: p.proc(sc, x.Then), Place: at}
		if x.Else != nil {
			c.Else = p.proc(sc, x.Else)
		}
		return c
	case *syntax.At:
		return &spec.At{Body: p.proc(sc, x.Body), Time: p.expr(sc, x.Time, p.sorts.Basic(spec.Real)), Place: at}
	case *syntax.NameSet:
		names := p.nameSet(x.Names)
		body := p.proc(sc, x.Body)
		if x.Op == "hide" {
			return &spec.Hide{Names: names, Body: body, Place: at}
		}
		return &spec.Block{Names: names, Body: body, Place: at}
	case *syntax.Rename:
		return p.rename(sc, x)
	case *syntax.Comm:
		return p.comm(sc, x)
	case *syntax.Allow:
		return p.allow(sc, x)
	}
	panic(diag.Bugf("process expression %T", x))
}

func (p *procChecker) binary(sc *scope, x *syntax.BinaryProc) spec.Proc {
	l, r, at := p.proc(sc, x.X), p.proc(sc, x.Y), spec.Place{At: x.At}
	switch x.Op {
	case "+":
		return &spec.Alt{Left: l, Right: r, Place: at}
	case "||":
		return &spec.Par{Left: l, Right: r, Place: at}
	case "||_":
		return &spec.LeftMerge{Left: l, Right: r, Place: at}
	case "<<":
		return &spec.Until{Left: l, Right: r, Place: at}
	case ".":
		return &spec.Seq{Left: l, Right: r, Place: at}
	}
	return &spec.Sync{Left: l, Right: r, Place: at}
}

// A target is an action or a process that a call may mean.
type target struct {
	action  *spec.Action
	process *spec.Process
	sorts   []*spec.Sort
}

func (p *procChecker) targets(name string) []target {
	var out []target
	for _, a := range p.actions[name] {
		out = append(out, target{a, nil, a.Args})
	}
	for _, q := range p.procs[name] {
		t := target{process: q}
		for _, v := range q.Params {
			t.sorts = append(t.sorts, v.Of)
		}
		out = append(out, t)
	}
	return out
}

func (p *procChecker) call(sc *scope, x *syntax.Call) spec.Proc {
	at := spec.Place{At: x.At}
	failed := &spec.Delta{Place: at}
	all := p.targets(x.Name)
	if len(all) == 0 {
		p.fail(x.At, "%s is neither a declared action nor a declared process", x.Name)
		return failed
	}
	var best target
	var args []spec.Expr
	var fit []target
	least := 0
	for _, t := range all {
		if len(t.sorts) != len(x.Args) {
			continue
		}
		fit = append(fit, t)
		sum, list := typed{}, []spec.Expr{}
		ok := true
		for i, a := range x.Args {
			y := p.check(sc, a, t.sorts[i])
			ok = sum.add(y) && ok
			list = append(list, y.e)
		}
		if !ok {
			continue
		}
		if sum.amb != nil {
			p.fail(sum.amb.at, "%s is ambiguous: %s and %s fit equally well", sum.amb.name, sum.amb.a, sum.amb.b)
			return failed
		}
		if args != nil && sum.cost == least {
			p.fail(x.At, "%s is ambiguous: (%s) and (%s) fit equally well", x.Name, sortList(best.sorts), sortList(t.sorts))
			return failed
		}
		if args == nil || sum.cost < least {
			best, args, least = t, list, sum.cost
		}
	}
	switch {
	case args == nil:
		p.explainTargets(sc, x, all, fit)
		return failed
	case best.action != nil:
		return &spec.Act{Action: best.action, Args: args, Place: at}
	}
	return &spec.Call{Process: best.process, Args: args, Place: at}
}

func (p *procChecker) explainTargets(sc *scope, x *syntax.Call, all, fit []target) {
	kind := "action"
	if all[0].process != nil {
		kind = "process"
	}
	switch len(fit) {
	case 0:
		var have []string
		for _, t := range all {
			have = append(have, count(len(t.sorts), "argument"))
		}
		slices.Sort(have)
		p.fail(x.At, "%s %s takes %s, found %d", kind, x.Name, orList(slices.Compact(have)), len(x.Args))
	case 1:
		for i, a := range x.Args {
			if p.check(sc, a, fit[0].sorts[i]).e == nil {
				p.explain(sc, a, fit[0].sorts[i])
			}
		}
	default:
		var found, have []string
		for _, a := range x.Args {
			cands := p.candidates(sc, a)
			if len(cands) == 0 {
				p.explain(sc, a, nil)
				return
			}
			found = append(found, describe(cands))
		}
		for _, t := range fit {
			have = append(have, "("+sortList(t.sorts)+")")
		}
		p.fail(x.At, "%s %s takes %s, found (%s)", kind, x.Name, orList(have), orList(found))
	}
}

func sortList(sorts []*spec.Sort) string {
	s := ""
	for i, x := range sorts {
		if i > 0 {
			s += ", "
		}
		s += x.String()
	}
	return s
}

// callAssign fills out P(x = e): parameters that are not mentioned get the value
// of the variable of that name.
func (p *procChecker) callAssign(sc *scope, x *syntax.CallAssign) spec.Proc {
	at := spec.Place{At: x.At}
	failed := &spec.Delta{Place: at}
	given := map[string]*syntax.Assign{}
	for _, a := range x.Args {
		if first := given[a.Name.Text]; first != nil {
			p.fail(a.Name.At, "parameter %s is given twice: first at %s", a.Name.Text, place(first.Name.At))
			return failed
		}
		given[a.Name.Text] = a
	}
	var fit []*spec.Process
	for _, q := range p.procs[x.Name] {
		if missingParam(q, x) == nil {
			fit = append(fit, q)
		}
	}
	switch {
	case len(p.procs[x.Name]) == 0 && len(p.actions[x.Name]) > 0 && len(x.Args) == 0:
		p.fail(x.At, "%s is an action: without arguments it is written without parentheses", x.Name)
		return failed
	case len(p.procs[x.Name]) == 0:
		p.fail(x.At, "%s is not a declared process", x.Name)
		return failed
	case len(fit) == 0:
		a := missingParam(p.procs[x.Name][0], x)
		p.fail(a.Name.At, "process %s has no parameter %s", x.Name, a.Name.Text)
		return failed
	case len(fit) > 1:
		p.fail(x.At, "%s is ambiguous: processes at %s and %s have these parameters", x.Name, place(fit[0].At), place(fit[1].At))
		return failed
	}
	call := &spec.Call{Process: fit[0], Place: at}
	for _, v := range fit[0].Params {
		if a := given[v.Name]; a != nil {
			call.Args = append(call.Args, p.expr(sc, a.Value, v.Of))
			continue
		}
		w := sc.lookupSort(v.Name, v.Of)
		if w == nil {
			p.fail(x.At, "parameter %s of process %s is not given, and there is no variable %s of sort %s to take its value from",
				v.Name, x.Name, v.Name, v.Of)
			return failed
		}
		call.Args = append(call.Args, w)
	}
	return call
}

// missingParam returns the first assignment to a parameter that q does not have.
func missingParam(q *spec.Process, x *syntax.CallAssign) *syntax.Assign {
	for _, a := range x.Args {
		if !slices.ContainsFunc(q.Params, func(v *spec.Var) bool { return v.Name == a.Name.Text }) {
			return a
		}
	}
	return nil
}
