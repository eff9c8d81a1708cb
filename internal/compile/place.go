package compile

import (
	"cmp"
	"slices"
)

// place gives each unit its words of the frame: first fit, first those that
// contain no call's window, in order of their start, then the others, above
// everything that lives across their calls. If a register in a window would live
// across an earlier placed call it becomes a unit of its own, and all begins
// anew.
func (g *gen) place() {
	for !g.tryPlace() {
		g.unite()
	}
	al := &g.al
	for i := range g.vregs {
		v := &g.vregs[i]
		v.slot = al.units[v.unit].base + v.off
	}
	if al.frame > maxFrame {
		g.fail("a frame of %d words: limit is %d", al.frame, maxFrame)
	}
}

func (g *gen) tryPlace() bool {
	al := &g.al
	for i := range al.slots {
		al.slots[i] = al.slots[i][:0]
	}
	al.frame = int32(g.out.Params)
	if g.closure.ok() {
		al.frame++
	}
	var plain, calls []int32
	for i := range al.units {
		u := &al.units[i]
		u.placed = false
		switch {
		case u.gone:
		case u.pinned:
			g.occupy(u, 0)
		case len(u.calls) > 0:
			calls = append(calls, int32(i))
		default:
			plain = append(plain, int32(i))
		}
	}
	byStart := func(a, b int32) int { return cmp.Compare(al.units[a].start, al.units[b].start) }
	slices.SortStableFunc(plain, byStart)
	slices.SortStableFunc(calls, func(a, b int32) int {
		return cmp.Compare(g.unitStart(a), g.unitStart(b))
	})
	for _, i := range plain {
		u := &al.units[i]
		base := int32(0)
		for !g.fits(u, base) {
			base++
		}
		g.occupy(u, base)
	}
	ok := true
	for _, i := range calls {
		ok = g.placeCalls(&al.units[i]) && ok
	}
	return ok
}

// unitStart is where a unit with calls begins: a window without arguments and
// results begins at its call.
func (g *gen) unitStart(i int32) int32 {
	u := &g.al.units[i]
	start := u.start
	for _, c := range u.calls {
		start = min(start, 2*g.al.calls[c].at)
	}
	return start
}

// placeCalls places a unit with windows.
func (g *gen) placeCalls(u *unit) bool {
	al := &g.al
	base := int32(0)
	for _, c := range u.calls {
		w := &al.calls[c]
		off := g.vregs[w.anchor].off
		for _, v := range w.across {
			vr := &g.vregs[v]
			if x := &al.units[vr.unit]; x.placed {
				base = max(base, x.base+vr.off+vr.words-off)
			}
		}
	}
	for !g.fits(u, base) {
		base++
	}
	u.base, u.placed = base, true
	// Does anything of this unit live in the window of a call that has its place?
	ok, progress := true, false
	for v := u.head; v >= 0; v = g.vregs[v].next {
		vr := &g.vregs[v]
		for _, c := range vr.crosses {
			anchor := &g.vregs[al.calls[c].anchor]
			x := &al.units[anchor.unit]
			if x.placed && base+vr.off+vr.words > x.base+anchor.off {
				progress = progress || !al.solo[v]
				al.solo[v] = true
				ok = false
			}
		}
	}
	if !ok && !progress {
		g.c.bug("%s: no place for the window of a call", g.out.Name)
	}
	u.placed = ok
	if ok {
		g.occupy(u, base)
	}
	return ok
}

// fits says whether a unit's words are free at a base.
func (g *gen) fits(u *unit, base int32) bool {
	al := &g.al
	for i, list := range u.words {
		k := int(base) + i
		if k < len(al.slots) && overlap(al.slots[k], list) {
			return false
		}
	}
	return true
}

// overlap says whether two sorted lists of spans have a position in common.
func overlap(a, b []span) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	// Spans of a that end before b begins do not matter.
	i, _ := slices.BinarySearchFunc(a, b[0].from, func(s span, from int32) int {
		if s.to <= from {
			return -1
		}
		return 1
	})
	a = a[i:]
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].to <= b[0].from:
			a = a[1:]
		case b[0].to <= a[0].from:
			b = b[1:]
		default:
			return true
		}
	}
	return false
}

// occupy places a unit.
func (g *gen) occupy(u *unit, base int32) {
	al := &g.al
	u.base, u.placed = base, true
	for i, list := range u.words {
		k := int(base) + i
		for len(al.slots) <= k {
			al.slots = append(al.slots, nil)
		}
		al.slots[k] = insertSpans(al.slots[k], list)
	}
	al.frame = max(al.frame, base+int32(len(u.words)))
	for _, c := range u.calls {
		al.frame = max(al.frame, base+g.vregs[al.calls[c].anchor].off)
	}
}

// insertSpans adds spans to a sorted list that none of them overlaps.
func insertSpans(list, add []span) []span {
	for _, s := range add {
		if n := len(list); n == 0 || list[n-1].to <= s.from {
			list = append(list, s)
			continue
		}
		i, _ := slices.BinarySearchFunc(list, s, func(a, b span) int { return cmp.Compare(a.from, b.from) })
		list = slices.Insert(list, i, s)
	}
	return list
}
