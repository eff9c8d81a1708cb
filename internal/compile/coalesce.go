package compile

import (
	"cmp"
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// An allocator gives registers their words of the frame. Registers that must
// lie at fixed distances (the arguments of a call, the words of a group, the two
// sides of a copy that is to vanish) form a unit, which moves as a whole.
type allocator struct {
	ties   []tie
	pinned []pin
	calls  []window

	units []unit
	solo  []bool // by register: not to be united with others
	slots [][]span

	wordLists [][]span // of the units before they unite
	list      []copyPair
	frame     int32
}

// A tie asks for a register to begin off words after another.
type tie struct {
	anchor, v int32
	off       int32
}

// A pin asks for a register to begin at a word of the frame.
type pin struct{ v, slot int32 }

// A window is that of a call. What lives across the call must lie below it.
type window struct {
	anchor int32
	at     int32   // number of the instruction, -1 if it was dropped
	across []int32 // registers
}

// A unit has one list of live spans for each of its words.
type unit struct {
	words   [][]span
	head    int32 // of its registers, which next links
	tail    int32
	members int32   // how many
	calls   []int32 // windows
	pinned  bool    // word 0 is that of the frame
	start   int32   // first position at which a word is live
	base    int32   // of word 0 in the frame, if placed
	placed  bool
	gone    bool // united with another
}

// coalesce forms the units.
func (g *gen) coalesce() {
	al := &g.al
	g.findCalls()
	al.solo = zeroed(al.solo, len(g.vregs))
	g.unite()
}

// unite makes a unit of each register, of each group, and then of the sides of
// as many copies as possible, those in inner loops first.
func (g *gen) unite() {
	al := &g.al
	al.units = slices.Grow(al.units[:0], len(g.vregs))
	al.wordLists = slices.Grow(al.wordLists[:0], g.lv.words)
	for i := range g.vregs {
		v := &g.vregs[i]
		v.unit, v.off = int32(i), 0
		v.next = -1
		u := unit{head: int32(i), tail: int32(i), members: 1}
		from := len(al.wordLists)
		for range v.words {
			al.wordLists = append(al.wordLists, v.ranges)
		}
		u.words = al.wordLists[from:len(al.wordLists):len(al.wordLists)]
		if len(v.ranges) > 0 {
			u.start = v.ranges[0].from
		} else {
			u.start = 1 << 30
		}
		al.units = append(al.units, u)
	}
	for k := range al.calls {
		if c := &al.calls[k]; c.at >= 0 {
			u := &al.units[c.anchor]
			u.calls = append(u.calls, int32(k))
		}
	}
	if len(al.pinned) > 0 {
		first := al.pinned[0]
		al.units[g.vregs[first.v].unit].pinned = true
		g.vregs[first.v].off = first.slot
		u := &al.units[g.vregs[first.v].unit]
		u.words = append(make([][]span, first.slot), u.words...)
		for _, p := range al.pinned[1:] {
			g.join(first.v, p.v, p.slot-first.slot, true)
		}
	}
	for _, t := range al.ties {
		g.join(t.anchor, t.v, t.off, true)
	}
	for _, c := range g.copies() {
		if !al.solo[c.dst.v-1] && !al.solo[c.src.v-1] {
			g.join(c.dst.v-1, c.src.v-1, c.dst.w-c.src.w, false)
		}
	}
}

// findCalls finds where the calls are and what lives across them.
func (g *gen) findCalls() {
	al := &g.al
	for k := range al.calls {
		al.calls[k].at = -1
	}
	var order []int32
	for _, b := range g.blocks {
		for k := range b.ins {
			if i := &b.ins[k]; i.x != nil && i.op < bytecode.NumOps && bytecode.Ops[i.op].Flags&bytecode.Call != 0 && i.op != bytecode.OpRundefers {
				al.calls[i.x.call].at = b.first + int32(k)
				order = append(order, int32(i.x.call))
			}
		}
	}
	for v := range g.vregs {
		for _, s := range g.vregs[v].ranges {
			lo, _ := slices.BinarySearchFunc(order, s.from, func(c, from int32) int { return cmp.Compare(2*al.calls[c].at, from) })
			for _, c := range order[lo:] {
				w := &al.calls[c]
				if s.to < 2*w.at+2 {
					break
				}
				w.across = append(w.across, int32(v))
				g.vregs[v].crosses = append(g.vregs[v].crosses, c)
			}
		}
	}
}

// A copyPair is a copy that may vanish.
type copyPair struct {
	dst, src reg
	depth    int32
}

// copies lists all copies between registers, in the order in which to try.
func (g *gen) copies() []copyPair {
	list := g.al.list[:0]
	for _, b := range g.blocks {
		for k := range b.ins {
			switch i := &b.ins[k]; i.op {
			case bytecode.OpMov, bytecode.OpMov2, bytecode.OpMov3, bytecode.OpMovn:
				list = append(list, copyPair{i.a, i.b, b.depth})
			case opCopies:
				for _, c := range i.x.copies {
					if !c.con {
						list = append(list, copyPair{c.dst.reg, c.src.reg, b.depth})
					}
				}
			}
		}
	}
	g.al.list = list
	slices.SortStableFunc(list, func(a, b copyPair) int { return cmp.Compare(b.depth, a.depth) })
	return list
}

// join unites the units of registers v and w so that w begins dist words after
// v, or v after w if dist is negative. It reports whether that is possible;
// must says that it is.
func (g *gen) join(v, w, dist int32, must bool) bool {
	al := &g.al
	a, b := g.vregs[v].unit, g.vregs[w].unit
	shift := g.vregs[v].off + dist - g.vregs[w].off // of b's words in a
	if a == b {
		if shift != 0 && must {
			g.c.bug("%s: register %d cannot be %d words after %d", g.out.Name, w, dist, v)
		}
		return shift == 0
	}
	if al.units[b].pinned && !al.units[a].pinned || shift < 0 && !al.units[a].pinned {
		a, b, shift = b, a, -shift
	}
	ua, ub := &al.units[a], &al.units[b]
	if shift < 0 { // a is pinned: nothing can lie before the frame
		for m := ub.head; m >= 0; m = g.vregs[m].next {
			if g.vregs[m].off+shift < 0 {
				return g.refuse(must, v, w)
			}
		}
	}
	if !must && !g.compatible(ua, ub, shift) {
		return false
	}
	g.absorb(a, b, shift)
	return true
}

func (g *gen) refuse(must bool, v, w int32) bool {
	if must {
		g.c.bug("%s: registers %d and %d cannot be tied", g.out.Name, v, w)
	}
	return false
}

// compatible says whether unit b can begin shift words after unit a.
func (g *gen) compatible(ua, ub *unit, shift int32) bool {
	al := &g.al
	if ua.pinned && ub.pinned || ua.members+ub.members > 400 {
		return false
	}
	for i := range ub.words {
		if k := i + int(shift); k >= 0 && k < len(ua.words) && clash(ua.words[k], ub.words[i]) {
			return false
		}
	}
	// What one unit keeps across a call of the other must lie below the window.
	below := func(u, of *unit, shift int32) bool {
		for _, c := range of.calls {
			at := 2 * al.calls[c].at
			off := g.vregs[al.calls[c].anchor].off + shift
			for k := max(0, int(off)); k < len(u.words); k++ {
				if covers(u.words[k], at) {
					return false
				}
			}
		}
		return true
	}
	if !below(ua, ub, shift) || !below(ub, ua, -shift) {
		return false
	}
	if ua.pinned || ub.pinned {
		// A window with a fixed place: nothing else may live across the call.
		for _, u := range []*unit{ua, ub} {
			for _, c := range u.calls {
				for _, v := range al.calls[c].across {
					if w := &al.units[g.vregs[v].unit]; w != ua && w != ub {
						return false
					}
				}
			}
		}
	}
	return true
}

// clash says whether two lists of spans overlap. The last use of one value may
// coincide with the definition of the other.
func clash(a, b []span) bool {
	for len(a) > 0 && len(b) > 0 {
		x, y := a[0], b[0]
		if x.from > y.from {
			x, y = y, x
		}
		if y.from < x.to {
			// x began first. Position y.from is odd if y is defined there.
			if !(x.from < y.from && y.from&1 == 1 && x.to == y.from+1) {
				return true
			}
		}
		if a[0].to < b[0].to {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return false
}

// covers says whether a value lives across the call that reads at a position.
func covers(list []span, at int32) bool {
	i, _ := slices.BinarySearchFunc(list, at, func(s span, at int32) int {
		if s.to <= at {
			return -1
		}
		return 1
	})
	return i < len(list) && list[i].from <= at && list[i].to >= at+2
}

// absorb makes unit b part of unit a. The shift is negative only if a is pinned
// and b's first words are not used.
func (g *gen) absorb(a, b, shift int32) {
	al := &g.al
	ua, ub := &al.units[a], &al.units[b]
	for i := range ub.words {
		k := i + int(shift)
		if k < 0 {
			continue
		}
		for len(ua.words) <= k {
			ua.words = append(ua.words, nil)
		}
		ua.words[k] = mergeSpans(ua.words[k], ub.words[i])
	}
	for v := ub.head; v >= 0; v = g.vregs[v].next {
		g.vregs[v].unit = a
		g.vregs[v].off += shift
	}
	g.vregs[ua.tail].next = ub.head
	ua.tail = ub.tail
	ua.members += ub.members
	ua.calls = append(ua.calls, ub.calls...)
	ua.start = min(ua.start, ub.start)
	*ub = unit{gone: true}
}

// mergeSpans unites two lists of spans.
func mergeSpans(a, b []span) []span {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := make([]span, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		var s span
		if len(b) == 0 || len(a) > 0 && a[0].from <= b[0].from {
			s, a = a[0], a[1:]
		} else {
			s, b = b[0], b[1:]
		}
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
		} else {
			out = append(out, s)
		}
	}
	return out
}
