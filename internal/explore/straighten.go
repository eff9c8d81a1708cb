package explore

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// straighten puts steps in an order with few changes of actors: each goes on as long as all has been that comes before its next step.
func (p *past) straighten(steps []*pastStep) []*pastStep {
	rest, list := slices.Clone(steps), make([]*pastStep, 0, len(steps))
	count := make(vector, len(p.actors)) // how many steps of each actor there were
	ready := func(x *pastStep) bool {
		for i, k := range x.clock {
			if k > count[i] && (k > count[i]+1 || int32(i) != x.actor && !p.moves(x, int32(i))) {
				return false
			}
		}
		return true
	}
	for last := int32(-1); len(rest) > 0; {
		at := slices.IndexFunc(rest, func(x *pastStep) bool { return x.actor == last })
		if at < 0 || !ready(rest[at]) {
			at = slices.IndexFunc(rest, ready)
		}
		if at < 0 {
			return steps
		}
		x := rest[at]
		rest = slices.Delete(rest, at, at+1)
		list = append(list, x)
		last = x.actor
		count.raise(x.clock)
	}
	return list
}

// moves reports whether an actor took part in a step.
func (p *past) moves(x *pastStep, actor int32) bool {
	return slices.ContainsFunc(x.movers, func(m uint64) bool { return p.numbers[m] == actor })
}

// simplify gives findings of the last walk, from the n-th of all on, paths that are easier to read: only the steps that come before the last
// one if that is enough, and as few changes of actors as they allow.
func (s *search) simplify(c *cursor, p *past, n int) {
	for i := n; i < len(s.findings); i++ {
		f := &s.findings[i]
		if len(f.Path) == 0 || len(f.Path) > len(p.steps) {
			continue
		}
		steps := p.steps[:len(f.Path)]
		last := steps[len(steps)-1]
		var needed []*pastStep
		for _, step := range steps {
			if last.after(step) {
				needed = append(needed, step)
			}
		}
		for _, list := range [][]*pastStep{needed, steps} {
			if path, ok := s.shows(c, p, p.straighten(list), &f.Finding); ok {
				f.Path = path
				break
			}
		}
	}
}

// shows takes steps of the last walk in some order, and reports whether a finding is there in the end, and on which path.
func (s *search) shows(c *cursor, p *past, steps []*pastStep, f *diag.Finding) (path lts.Path, ok bool) {
	found := func(list []diag.Finding) bool {
		return slices.ContainsFunc(list, func(g diag.Finding) bool { return sameFinding(f, &g) })
	}
	done, _ := s.retrace(c, p, steps, func(now lts.Path) bool {
		path, ok = now, found(c.checkStep())
		return ok
	})
	return path, done && (ok || found(c.checkState()))
}
