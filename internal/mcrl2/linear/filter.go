package linear

import (
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A filter says which multi-actions of a process can still become something
// that the operators around it let through. Data do not matter to it, and it may
// let through too much: the operators themselves have the last word. The nil
// filter lets everything through.
//
// The names of a multi-action that are not in free have to be one of sets, or
// part of one if partial is set. If all is set, everything passes that has no
// name in blocked, and where a name in joins has the company that it needs.
type filter struct {
	all     bool
	blocked map[string]bool
	joins   []join
	sets    [][]string // sorted each
	free    map[string]bool
	partial bool
}

// A join is a name that has to communicate, since it is blocked otherwise, and
// the left side of the communication, sorted.
type join struct {
	name string
	from []string
}

// maxSets is how many sets a filter may have before it gets coarser.
const maxSets = 2000

// names returns the sorted names of a multi-action.
func names(m []spec.ActionCall) []string {
	out := make([]string, len(m))
	for i, a := range m {
		out[i] = a.Action.Name
	}
	slices.Sort(out)
	return out
}

// matches reports whether a multi-action with these names, sorted, passes.
func (f *filter) matches(names []string) bool {
	if f == nil {
		return true
	}
	if f.all {
		return f.unblocked(names, nil)
	}
	bound := f.bound(names)
	if len(bound) == 0 {
		return true
	}
	for _, s := range f.sets {
		if f.partial && included(bound, s) || slices.Equal(bound, s) {
			return true
		}
	}
	return false
}

// unblocked is matches for a filter with all set. Company may also come from
// later.
func (f *filter) unblocked(names []string, later map[string]bool) bool {
	for _, n := range names {
		if f.blocked[n] {
			return false
		}
	}
	for _, j := range f.joins {
		has := count(names, j.name)
		for _, n := range j.from {
			if count(names, n)*count(j.from, j.name) < has*count(j.from, n) && !later[n] {
				return false
			}
		}
		if has%count(j.from, j.name) != 0 && !later[j.name] {
			return false
		}
	}
	return true
}

func count(names []string, name string) int {
	n := 0
	for _, m := range names {
		if m == name {
			n++
		}
	}
	return n
}

// bound returns the names that are not free.
func (f *filter) bound(names []string) []string {
	if len(f.free) == 0 {
		return names
	}
	var out []string
	for _, n := range names {
		if !f.free[n] {
			out = append(out, n)
		}
	}
	return out
}

// completable reports whether a multi-action passes or can be completed by names
// that are in later.
func (f *filter) completable(names []string, later map[string]bool) bool {
	if f != nil && f.all {
		return f.unblocked(names, later)
	}
	if f == nil || f.partial {
		return f.matches(names)
	}
	bound := f.bound(names)
	if len(bound) == 0 {
		return true
	}
next:
	for _, s := range f.sets {
		if !included(bound, s) {
			continue
		}
		for _, n := range without(s, bound) {
			if !later[n] {
				continue next
			}
		}
		return true
	}
	return false
}

// included reports whether the sorted multiset s is part of t.
func included(s, t []string) bool {
	j := 0
	for _, n := range s {
		for j < len(t) && t[j] < n {
			j++
		}
		if j == len(t) || t[j] != n {
			return false
		}
		j++
	}
	return true
}

// without returns the sorted multiset t without s, which is part of it.
func without(t, s []string) []string {
	var out []string
	j := 0
	for _, n := range t {
		if j < len(s) && s[j] == n {
			j++
		} else {
			out = append(out, n)
		}
	}
	return out
}

// part returns the filter for one side of a parallel operator.
func (f *filter) part() *filter {
	if f == nil || f.partial {
		return f
	}
	g := *f
	g.partial = !f.all
	g.joins = nil
	return &g
}

// through returns the filter for the body of an operator whose result has to
// pass f.
func (f *filter) through(p spec.Proc) *filter {
	if f == nil {
		f = &filter{all: true}
	}
	switch p := p.(type) {
	case *spec.Allow:
		g := &filter{}
		for _, s := range p.Sets {
			if f.matches(s) {
				g.sets = append(g.sets, s)
			}
		}
		return g.tidy()
	case *spec.Block:
		return f.throughBlock(p.Names)
	case *spec.Hide:
		return f.throughHide(p.Names)
	case *spec.Rename:
		return f.throughRename(p)
	case *spec.Comm:
		return f.throughComm(p)
	}
	return nil
}

func (f *filter) throughBlock(names []string) *filter {
	g := &filter{all: f.all, blocked: union(f.blocked, names), free: copyOf(f.free), partial: f.partial}
	for _, n := range names {
		delete(g.free, n)
	}
	for _, s := range f.sets {
		kept := slices.DeleteFunc(slices.Clone(s), func(n string) bool { return slices.Contains(names, n) })
		if f.partial || len(kept) == len(s) {
			g.sets = append(g.sets, kept)
		}
	}
	return g.tidy()
}

func (f *filter) throughHide(names []string) *filter {
	g := f.throughBlock(names) // what is hidden does not come out
	if g.all {
		g.blocked = copyOf(f.blocked)
		for _, n := range names {
			delete(g.blocked, n)
		}
	}
	g.free = union(g.free, names)
	return g
}

func (f *filter) throughRename(p *spec.Rename) *filter {
	before := func(name string) []string {
		var out []string
		if !slices.Contains(p.From, name) {
			out = append(out, name)
		}
		for i, to := range p.To {
			if to == name {
				out = append(out, p.From[i])
			}
		}
		return out
	}
	g := &filter{all: f.all, blocked: map[string]bool{}, free: map[string]bool{}, partial: f.partial}
	for n := range f.blocked {
		g.blocked = union(g.blocked, before(n))
	}
	for n := range f.free {
		g.free = union(g.free, before(n))
	}
	g.expand(f.sets, func(n string) [][]string {
		var out [][]string
		for _, b := range before(n) {
			out = append(out, []string{b})
		}
		if f.partial && out == nil {
			out = [][]string{nil}
		}
		return out
	})
	return g.tidy()
}

func (f *filter) throughComm(p *spec.Comm) *filter {
	g := &filter{all: f.all, blocked: copyOf(f.blocked), free: copyOf(f.free), partial: f.partial}
	for i, from := range p.From {
		for k, n := range from {
			delete(g.blocked, n)
			if f.all && f.blocked[n] && (k == 0 || from[k-1] != n) {
				g.joins = append(g.joins, join{n, from})
			}
		}
		if p.To[i] == "" || f.free[p.To[i]] {
			g.free = union(g.free, from)
		}
	}
	g.expand(f.sets, func(n string) [][]string {
		out := [][]string{{n}}
		for i, to := range p.To {
			if to == n {
				out = append(out, p.From[i])
			}
		}
		return out
	})
	return g.tidy()
}

// expand adds all sets that come from sets by replacing each name by one of its
// options. If there are too many, the names become free.
func (g *filter) expand(sets [][]string, options func(string) [][]string) {
	for _, s := range sets {
		partial := [][]string{nil}
		for _, n := range s {
			var next [][]string
			for _, p := range partial {
				for _, o := range options(n) {
					next = append(next, append(slices.Clone(p), o...))
				}
			}
			partial = next
			if len(partial) > maxSets {
				break
			}
		}
		if len(partial)+len(g.sets) > maxSets {
			for _, n := range s {
				for _, o := range options(n) {
					g.free = union(g.free, o)
				}
			}
			continue
		}
		g.sets = append(g.sets, partial...)
	}
	for _, s := range g.sets {
		slices.Sort(s)
	}
}

// tidy takes free names out of sets and drops sets that occur twice.
func (g *filter) tidy() *filter {
	seen := map[string]bool{}
	var sets [][]string
	for _, s := range g.sets {
		s = g.bound(s)
		k := strings.Join(s, "|")
		if !seen[k] {
			seen[k] = true
			sets = append(sets, s)
		}
	}
	g.sets = sets
	return g
}

func union(set map[string]bool, names []string) map[string]bool {
	out := copyOf(set)
	for _, n := range names {
		out[n] = true
	}
	return out
}

func copyOf(set map[string]bool) map[string]bool {
	out := make(map[string]bool, len(set))
	for n := range set {
		out[n] = true
	}
	return out
}
