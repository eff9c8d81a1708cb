package execute

import (
	"github.com/zeebo/xxh3"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mem"
)

// NoteActs makes steps note what they act on, or ends that.
func (s *System) NoteActs(on bool) { s.acts = on }

// Acts tells what the step just taken acted on.
func (s *System) Acts(a *lts.Acts) {
	*a = lts.Acts{Movers: a.Movers[:0], Ordered: a.Ordered[:0], Open: a.Open[:0]}
	appendActs(a, s.m, 0)
}

// NoteActs makes steps note what they act on, or ends that.
func (g *Group) NoteActs(on bool) {
	for _, p := range g.parts {
		p.acts = on
	}
}

// Acts tells what the step just taken acted on.
func (g *Group) Acts(a *lts.Acts) {
	*a = lts.Acts{Movers: a.Movers[:0], Ordered: a.Ordered[:0], Open: a.Open[:0]}
	appendActs(a, g.ms[g.last], g.last)
}

// appendActs adds what the last step of a machine acted on. That it has looked at the clock is left out.
func appendActs(a *lts.Acts, m *drive.Machine, part int) {
	for _, g := range m.Movers() {
		a.Movers = append(a.Movers, memberOf(part, uint64(g.ID)))
	}
	writes, reads := m.Operated()
	for _, t := range writes {
		a.Ordered = append(a.Ordered, tokenPlace(t))
	}
	for _, r := range reads {
		a.Ordered = append(a.Ordered, accessPlace(r, part))
	}
	things, all := m.ActedOutside()
	for _, t := range things {
		a.Ordered = append(a.Ordered, tokenPlace(t))
	}
	a.All = all
	m.EachOpen(func(g *drive.G, x drive.Access, atomic bool) {
		where := uint64(part)<<60 ^ x.Where()
		a.Open = append(a.Open, lts.Open{Place: accessPlace(x, part), Who: memberOf(part, uint64(g.ID)), Where: where, Atomic: atomic})
	})
}

// memberOf numbers the goroutines of several processes.
func memberOf(part int, id uint64) uint64 { return uint64(part)<<32 | id }

// objectThing is the thing that an object is.
func objectThing(part int, id mem.ObjID) uint64 { return uint64(part)<<32 | uint64(id) }

func accessPlace(x drive.Access, part int) lts.Place {
	lo, hi := x.Range()
	return lts.Place{Thing: objectThing(part, x.Obj), Lo: lo, Hi: hi, Write: x.Write}
}

// tokenPlace is where a token is. Who operates on the whole of an object does it at an address, where others do it, too: two locks in one
// object have nothing to do with each other.
func tokenPlace(t effect.Token) lts.Place {
	if t.Ptr != 0 {
		return lts.Place{Thing: objectThing(int(t.Process), t.Ptr.Obj()), Lo: t.Ptr.Off(), Hi: t.Ptr.Off() + max(t.Size, 1), Write: true}
	}
	return lts.Place{Thing: 1<<63 | xxh3.HashString(t.String()), Hi: 1, Write: true}
}
