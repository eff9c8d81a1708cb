package drive

import (
	"encoding/binary"

	"github.com/heddle-mc/heddle/internal/mem"
)

// AppendNextKey appends the key of the state that a step leads to without taking
// it, if its effect is known and nothing is wrong with it. Otherwise it reports
// false; if such a step is taken next, its effect is noted.
//
// A key has two sums, of goroutines and of changed base objects. They, and the
// number of goroutines, are all that an effect changes of it.
func (m *Machine) AppendNextKey(dst []byte, who, alt int) ([]byte, bool) {
	x := m.foresee(who, alt)
	if x == nil || m.opts.Exact {
		return dst, false
	}
	e, k, g := &m.effects, m.currentKey(), m.gs[who]
	if k.tied {
		return dst, false
	}
	start := len(dst)
	dst = append(dst, k.bytes...)
	x.apply(dst[start:], m.countAt(), k.sumAt, g.sum())
	e.known, e.effect = g, x
	return m.appendOutside(dst), true
}

// apply changes a key to that of the state that the step of a goroutine with the
// given digest leads to.
func (x *stepEffect) apply(key []byte, countAt, sumAt int, before mem.Sum) {
	if x.gone {
		addWord(key[countAt:], ^uint64(0))
	}
	addSum(key[countAt+8:], x.sum.Sub(before))
	addSum(key[sumAt:], x.heap)
}

func addSum(b []byte, d mem.Sum) {
	addWord(b, d.Hi)
	addWord(b[8:], d.Lo)
}

func addWord(b []byte, d uint64) {
	binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+d)
}

// tied reports whether the order of some goroutines depends on more than they
// themselves.
func (m *Machine) tied() bool {
	for i := 1; i < len(m.gs); i++ {
		if m.gs[i].ties(m.gs[i-1]) {
			return true
		}
	}
	return false
}

// foresee returns the effect that a step has here, nil if it is not known or if
// something would be wrong with the step.
func (m *Machine) foresee(who, alt int) *stepEffect {
	e := &m.effects
	e.wanted, e.known = nil, nil
	if who == ClockStep || alt != 0 || m.opts.Access || len(m.gs) < 3 || m.checked.nWatches > 0 || m.HasTimers() {
		return nil
	}
	g := m.gs[who]
	if !g.plain || m.isolated(g) {
		return nil
	}
	l := e.localOf(m, g)
	if l.never {
		return nil
	}
	x := l.tree.find(m.Heap, l.root)
	if x == nil {
		if l.vain < maxVain {
			e.wanted = g
		}
		return nil
	}
	if len(x.wakes) > 0 && m.anyWaits(x.wakes) || len(x.block)+len(x.op) > 0 && m.wouldCollide(g, x) {
		return nil
	}
	return x
}

// anyWaits reports whether a goroutine waits on one of some objects.
func (m *Machine) anyWaits(objs []mem.Ptr) bool {
	for _, g := range m.gs {
		if !g.Waiting() {
			continue
		}
		for _, p := range objs {
			if g.Wait().Obj == p {
				return true
			}
		}
	}
	return false
}

// wouldCollide reports whether the accesses of an effect of g collide with the
// blocks of others.
func (m *Machine) wouldCollide(g *G, x *stepEffect) bool {
	for _, o := range m.gs {
		if o == g || len(o.block) == 0 {
			continue
		}
		for _, b := range o.block {
			for _, a := range x.block {
				if a.Conflicts(b) {
					return true
				}
			}
			for _, a := range x.op {
				if a.Conflicts(b) {
					return true
				}
			}
		}
	}
	return false
}
