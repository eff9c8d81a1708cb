package cert

import (
	"io"
	"slices"
)

// A splitter follows a script and hands its events to parts. It knows the way
// from the start.
type splitter struct {
	s    *Script
	kind Kind
	way  []Way
	low  int    // the place of the first state on the way that was come back to since the part began
	next uint32 // number of the next new state
	made int

	short *Shortcuts
}

func newSplitter(c *Reader) *splitter {
	return &splitter{s: c.quick(), kind: c.Header.Kind, way: []Way{{State: 1}}, next: 2, short: c.Shortcuts}
}

// begin returns a part that begins with the event that is followed next.
func (t *splitter) begin() *Part {
	t.made++
	t.low = len(t.way) - 1
	return &Part{Kind: t.kind, Number: t.made, Way: slices.Clone(t.way), First: t.next}
}

// beginAt is begin for a part that never comes back to the states before low, without what shorten leaves out.
func (t *splitter) beginAt(low int) *Part {
	t.made++
	p := &Part{Kind: t.kind, Number: t.made, Way: t.way, First: t.next}
	t.shorten(p, low)
	p.Way = slices.Clone(p.Way)
	return p
}

// shorten leaves out the beginning of the way to a part which never comes back to the states before low, if there is a shorter
// way to one of those that are left.
func (t *splitter) shorten(p *Part, low int) {
	for i := low; i > 0; i-- {
		short, ok := t.short.To(p.Way[i].State)
		if !ok {
			continue
		}
		if len(short) < i {
			p.Base, p.Short, p.Way = i, short, p.Way[i:]
		}
		return
	}
}

// follow goes where an event leads.
func (t *splitter) follow(e Event) {
	if e.Op == Back {
		t.way = t.way[:len(t.way)-1]
		t.way[len(t.way)-1].Index = 0
		t.low = min(t.low, len(t.way)-1)
		return
	}
	top := &t.way[len(t.way)-1]
	if top.Done == 0 {
		top.Choice = e.Choice
	}
	top.Done, top.Index = uint32(e.Index)+1, uint32(e.Index)
	t.way = append(t.way, Way{State: e.State})
	t.next++
}

// Slices cuts a script into pieces of about so many transitions, the last one perhaps
// with fewer, and passes them on one after the other. A part need not be a
// subgraph, since who knows the way to a state can go on from there: so parts can
// be of one size whatever the shape of the graph.
func (c *Reader) Slices(transitions uint64, emit func(*Part) error) error {
	return c.slices(func(n int) uint64 { return uint64(n) * transitions }, emit)
}

// Cut cuts a script into k pieces of one size: of transitions, as far as the script
// tells (balance.go), or of the states that a tree has. There may be fewer if there are
// hardly more states.
func (c *Reader) Cut(k int, emit func(*Part) error) error {
	total, start := c.Counts.Transitions, uint64(0)
	if c.Header.Kind == Tree {
		total, start = uint64(c.Counts.States), 1 // the start, which no transition leads to
	}
	k = int(min(uint64(k), max(total, 1)))
	if c.Header.Kind != Tree && total/uint64(k) < maxWeighed && total < 1<<32 && c.Counts.States <= maxScale {
		return c.cutWeighed(k, emit)
	}
	share, rest := total/uint64(k), total%uint64(k)
	return c.slices(func(n int) uint64 { return max(uint64(n)*share+min(uint64(n), rest), start) - start }, emit)
}

// cutWeighed cuts a script into k small pieces.
func (c *Reader) cutWeighed(k int, emit func(*Part) error) error {
	w, err := c.weigh()
	if err != nil {
		return err
	}
	t := splitter{kind: c.Header.Kind, way: []Way{{State: 1}}, next: 2, short: c.Shortcuts} // the script has been read
	from, left := 0, c.Counts.Transitions
	for _, end := range w.cut(k) {
		p := t.beginAt(w.low(from, min(end, len(w.events)-1), len(t.way)-1))
		p.Transitions = min((w.size(from, end)+weighOne/2)/weighOne, left)
		if p.Last = end == len(w.events); p.Last {
			p.Transitions = left
			end-- // the way back from the start is no event of a part
		}
		for ; from < end; from++ {
			e := w.events[from].event(t.next)
			t.follow(e)
			p.add(e)
		}
		left -= p.Transitions
		if err := emit(p); err != nil {
			return err
		}
	}
	return nil
}

// slices cuts a script. The n-th part ends after end(n) transitions, or as close to
// that as an event is.
func (c *Reader) slices(end func(n int) uint64, emit func(*Part) error) error {
	t := newSplitter(c)
	p := t.begin()
	from, done := uint64(0), uint64(0)
	cut := func() error {
		p.Transitions = done - from
		from = done
		t.shorten(p, t.low)
		err := emit(p)
		p = t.begin()
		return err
	}
	for {
		e, err := t.s.Next()
		if err == io.EOF {
			p.Last, p.Transitions = true, c.Counts.Transitions-from
			return emit(p)
		}
		if err != nil {
			return err
		}
		now, want := t.s.Now(), end(p.Number)
		if done > from && now > want && now-want > want-done {
			if err := cut(); err != nil {
				return err
			}
		}
		t.follow(e)
		p.add(e)
		done = now
		if done >= end(p.Number) && done < c.Counts.Transitions {
			if err := cut(); err != nil {
				return err
			}
		}
	}
}

// Greedy returns the roots of k-1 subgraphs, chosen as figure 4 of paper 002
// does: each time the one whose size is closest to an equal share of what is
// left. What remains when all are cut out is the k-th part.
func (s *Subgraphs) Greedy(k int, transitions uint64) []uint32 {
	list := slices.Clone(s.List)
	var roots []uint32
	left := transitions
	for i := 0; i < k-1; i++ {
		share := left / uint64(k-i)
		best, distance := -1, uint64(0)
		for j, sub := range list {
			d := max(sub.Transitions, share) - min(sub.Transitions, share)
			if sub.State != 1 && sub.Transitions > 0 && (best < 0 || d < distance) {
				best, distance = j, d
			}
		}
		if best < 0 {
			break
		}
		cut := list[best]
		roots = append(roots, cut.State)
		left -= min(left, cut.Transitions)
		kept := list[:0]
		for _, sub := range list {
			inside := sub.State >= cut.State && sub.State-cut.State < cut.States
			above := sub.State < cut.State && cut.State-sub.State < sub.States
			if above {
				sub.Transitions -= min(sub.Transitions, cut.Transitions)
			}
			if !inside {
				kept = append(kept, sub)
			}
		}
		list = kept
	}
	return roots
}

// Parts cuts the subgraphs with these roots out of a script and returns one part
// for each, and one for the rest.
func (c *Reader) Parts(roots []uint32) ([]*Part, error) {
	t := newSplitter(c)
	rest := t.begin()
	parts := []*Part{rest}
	// The parts that the script is inside of, with the depth of their roots.
	type nested struct {
		part  *Part
		depth int
		root  uint32
	}
	stack := []nested{{rest, 0, 1}}
	for last := uint64(0); ; {
		e, err := t.s.Next()
		stack[len(stack)-1].part.Transitions += t.s.Now() - last
		last = t.s.Now()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		t.follow(e)
		top := stack[len(stack)-1]
		top.part.add(e)
		switch {
		case e.Op == Fresh && slices.Contains(roots, e.State):
			p := t.begin()
			parts = append(parts, p)
			stack = append(stack, nested{p, t.s.Depth(), e.State})
		case e.Op == Back && t.s.Depth() < top.depth:
			stack = stack[:len(stack)-1]
			stack[len(stack)-1].part.add(Event{Op: Skip, State: t.s.Found() - top.root})
		}
	}
	rest.Last = true
	for _, p := range parts[1:] {
		t.shorten(p, len(p.Way)-2) // they end by going back from their roots
	}
	return parts, nil
}
