package types

import (
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// declared reports whether an action is declared, and tells if it is not.
func (p *procChecker) declared(n syntax.Name) bool {
	if len(p.actions[n.Text]) == 0 {
		p.fail(n.At, "action %s is not declared", n.Text)
		return false
	}
	return true
}

// nameSet returns the names of block and hide, each once.
func (p *procChecker) nameSet(names []syntax.Name) []string {
	var out []string
	for _, n := range names {
		if p.declared(n) && !slices.Contains(out, n.Text) {
			out = append(out, n.Text)
		}
	}
	return out
}

// common returns the lists of sorts that all actions of these names have.
func (p *procChecker) common(names []syntax.Name) [][]*spec.Sort {
	var out [][]*spec.Sort
	for _, a := range p.actions[names[0].Text] {
		ok := true
		for _, n := range names[1:] {
			ok = ok && slices.ContainsFunc(p.actions[n.Text], func(b *spec.Action) bool { return slices.Equal(a.Args, b.Args) })
		}
		if ok {
			out = append(out, a.Args)
		}
	}
	return out
}

func (p *procChecker) rename(sc *scope, x *syntax.Rename) spec.Proc {
	r := &spec.Rename{Place: spec.Place{At: x.At}}
	for i, n := range x.From {
		if ok := p.declared(n); !p.declared(x.To[i]) || !ok {
			continue
		}
		switch {
		case slices.Contains(r.From, n.Text):
			p.fail(n.At, "action %s is renamed twice", n.Text)
		case len(p.common([]syntax.Name{n, x.To[i]})) == 0:
			p.fail(n.At, "action %s cannot be renamed to %s: they have no sorts in common", n.Text, x.To[i].Text)
		}
		r.From, r.To = append(r.From, n.Text), append(r.To, x.To[i].Text)
	}
	r.Body = p.proc(sc, x.Body)
	return r
}

func (p *procChecker) comm(sc *scope, x *syntax.Comm) spec.Proc {
	c := &spec.Comm{Place: spec.Place{At: x.At}}
	good := make([]bool, len(x.From))
	in := map[string]int{} // which communication a name is on the left of
	for i, names := range x.From {
		if good[i] = p.communication(names, x.To[i]); !good[i] {
			continue
		}
		for _, n := range names {
			if j, ok := in[n.Text]; ok && j != i {
				p.fail(n.At, "action %s is in two communications", n.Text)
			}
			in[n.Text] = i
		}
		to := x.To[i].Text
		if to == "tau" {
			to = ""
		}
		c.From, c.To = append(c.From, sortedNames(names)), append(c.To, to)
	}
	for i, n := range x.To {
		if j, ok := in[n.Text]; ok && j != i && good[i] {
			p.fail(n.At, "action %s is the result of one communication and part of another", n.Text)
		}
	}
	c.Body = p.proc(sc, x.Body)
	return c
}

// communication checks one communication by itself.
func (p *procChecker) communication(names []syntax.Name, to syntax.Name) bool {
	ok := true
	for _, n := range names {
		ok = p.declared(n) && ok
	}
	all := names
	if to.Text != "tau" {
		ok = p.declared(to) && ok
		all = append(slices.Clone(names), to)
	}
	switch {
	case !ok:
		return false
	case len(names) == 1:
		p.fail(names[0].At, "a communication needs two actions or more, found %s alone: rename does that", names[0].Text)
		return false
	case len(p.common(all)) == 0:
		p.fail(names[0].At, "actions %s cannot communicate to %s: they have no sorts in common", multiName(names), to.Text)
		return false
	}
	return true
}

func (p *procChecker) allow(sc *scope, x *syntax.Allow) spec.Proc {
	a := &spec.Allow{Place: spec.Place{At: x.At}}
	for _, names := range x.Sets {
		ok := true
		for _, n := range names {
			ok = p.declared(n) && ok
		}
		set := sortedNames(names)
		if ok && !slices.ContainsFunc(a.Sets, func(s []string) bool { return slices.Equal(s, set) }) {
			a.Sets = append(a.Sets, set)
		}
	}
	a.Body = p.proc(sc, x.Body)
	return a
}

func sortedNames(names []syntax.Name) []string {
	var out []string
	for _, n := range names {
		out = append(out, n.Text)
	}
	slices.Sort(out)
	return out
}

func multiName(names []syntax.Name) string {
	var out []string
	for _, n := range names {
		out = append(out, n.Text)
	}
	return strings.Join(out, "|")
}
