package randconc

import (
	"slices"
	"strings"
)

// fault plants one fault. It may turn out to be harmless.
func (g *generator) fault() {
	r := g.routines[g.rnd.IntN(len(g.routines))]
	if len(r.stmts) == 0 || r.server {
		return
	}
	i := g.rnd.IntN(len(r.stmts))
	switch g.rnd.IntN(8) {
	case 0: // An operation is missing.
		r.stmts = slices.Delete(r.stmts, i, i+1)
	case 1: // An operation happens twice.
		lines := append([]string{"{"}, append(slices.Clone(r.stmts[i].lines), "}")...)
		r.stmts = slices.Insert(r.stmts, i, stmt{lines: lines})
	case 2: // Two operations change places.
		if i > 0 {
			r.stmts[i-1], r.stmts[i] = r.stmts[i], r.stmts[i-1]
		}
	case 3, 4:
		g.loseLine(r)
	case 5: // The WaitGroup counts something else.
		if g.ending == "wg" {
			if g.chance(2) {
				g.wgCount += 1 - 2*g.rnd.IntN(2)
			} else {
				r.done = ""
			}
		}
	case 6, 7:
		g.extraUnlock(r)
	}
}

// loseLine removes one call on a lock. Without races, only an Unlock goes.
func (g *generator) loseLine(r *routine) {
	for _, i := range g.rnd.Perm(len(r.stmts)) {
		s := &r.stmts[i]
		for _, k := range g.rnd.Perm(len(s.lines)) {
			l := s.lines[k]
			lock := strings.HasSuffix(l, "Lock()")
			if lock && g.has(Races) || strings.HasSuffix(l, "Unlock()") {
				s.lines = slices.Delete(slices.Clone(s.lines), k, k+1)
				return
			}
		}
	}
}

// extraUnlock unlocks after a critical section once more, a fatal error unless
// another routine has the lock.
func (g *generator) extraUnlock(r *routine) {
	if !g.has(Races) {
		return
	}
	for _, i := range g.rnd.Perm(len(r.stmts)) {
		s := &r.stmts[i]
		for k, l := range s.lines {
			if strings.HasSuffix(l, "Unlock()") && !strings.HasPrefix(l, "defer") {
				s.lines = slices.Insert(slices.Clone(s.lines), k, l)
				return
			}
		}
	}
}
