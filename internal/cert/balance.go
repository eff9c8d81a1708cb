package cert

import (
	"cmp"
	"io"
	"math"
	"slices"
)

// How many transitions an event Back stands for is told by a script for whole blocks
// only (blocks.go). That is good enough for large parts. Small ones are cut by a guess
// of what each event stands for, and by how wrong that may be: a part that begins or
// ends inside of a block may be larger than it seems, and one of whole blocks may not.

// A scale has what the events of a script weigh.
type scale struct {
	events []burden
	blocks []weighed
}

// A burden is an event, and how many transitions it stands for, in units of 1/weighOne. Of
// an event Back that is a guess.
type burden struct {
	size   uint32
	index  uint32
	choice Choice
	back   bool
}

// event returns the event. If it is Fresh it leads to a state with this number.
func (w burden) event(next uint32) Event {
	if w.back {
		return Event{Op: Back, Choice: w.choice}
	}
	return Event{Op: Fresh, Index: int(w.index), State: next, Choice: w.choice}
}

// A weighed is a block of a scale.
type weighed struct {
	end  int    // its last event, and one
	vary uint64 // how much its events vary in all
}

const (
	weighOne = 1 << 10
	// A state without productive steps has more steps to other states than one with
	// some has after the last of these: 2.5 times as many, more or less.
	weighLeaf  = 5
	weighInner = 2
	// maxWeighed is from how many transitions on parts are large, and maxScale how many
	// states a script may have whose events are weighed one by one.
	maxWeighed = 1 << 12
	maxScale   = 1 << 20
)

// vary returns the variance of what an event stands for, in units of 1/weighOne.
func (w burden) vary() uint64 {
	if !w.back {
		return 0
	}
	return uint64(w.size) + weighOne/8
}

// weigh weighs the events of a script.
func (c *Reader) weigh() (*scale, error) {
	w := &scale{}
	s := c.quick()
	var shares []uint64 // of each event of a block of its tail
	fresh := false
	for {
		e, err := s.Next()
		if err != nil && err != io.EOF {
			return nil, err
		}
		share := uint64(0)
		switch {
		case e.Op == Fresh:
		case fresh:
			share = weighLeaf
		default:
			share = weighInner
		}
		fresh = e.Op == Fresh
		w.events = append(w.events, burden{saturated(uint64(s.block.passed[len(shares)]) * weighOne), uint32(e.Index), e.Choice, !fresh})
		if shares = append(shares, share); s.ended {
			w.spread(shares, s.block.tail)
			shares = shares[:0]
		}
		if err == io.EOF {
			return w, nil
		}
	}
}

// spread spreads the tail of a block over its events Back.
func (w *scale) spread(shares []uint64, tail uint64) {
	b := weighed{end: len(w.events)}
	all, done := uint64(0), uint64(0)
	for _, share := range shares {
		all += share
	}
	for i, share := range shares {
		if e := &w.events[b.end-len(shares)+i]; e.back {
			before := done * tail * weighOne / all
			done += share
			e.size = saturated(done*tail*weighOne/all - before)
			b.vary += e.vary()
		}
	}
	w.blocks = append(w.blocks, b)
}

// cut returns where k parts end, as numbers of events: the parts of which the one that
// may be the largest may have least. There are fewer if there are not as many events.
func (w *scale) cut(k int) []int {
	// One of them has the mean at least. From there on it goes up, and then to and fro, until
	// a thousandth would be gained.
	less := w.size(0, len(w.events)) / uint64(k)
	step := less/128 + 1
	ends := w.parts(less+step, k)
	for ; ends == nil; step *= 2 {
		less += step
		ends = w.parts(less+2*step, k)
	}
	for step > max(less>>10, 1) {
		step /= 2
		if better := w.parts(less+step, k); better != nil {
			ends = better
		} else {
			less += step
		}
	}
	for n := 0; len(ends) < k && n < len(ends); {
		n = len(ends)
		ends = w.halve(ends, k-n)
	}
	return ends
}

// low returns the place on the way of the first state that some events come back to, from one with this place on.
func (w *scale) low(from, end, place int) int {
	low := place
	for _, e := range w.events[from:end] {
		if place++; e.back {
			place -= 2
			low = min(low, place)
		}
	}
	return low
}

// size returns the size of some events.
func (w *scale) size(from, end int) (sum uint64) {
	for _, e := range w.events[from:end] {
		sum += uint64(e.size)
	}
	return sum
}

// parts returns where parts end of which none may have more than limit, or nil if
// there are more than k of them. Each one is as long as it can be.
func (w *scale) parts(limit uint64, k int) []int {
	var ends []int
	for from, block := 0, 0; from < len(w.events); {
		for w.blocks[block].end <= from {
			block++
		}
		end := w.longest(from, block, limit)
		if end == from || len(ends) == k {
			return nil
		}
		ends = append(ends, end)
		from = end
	}
	return ends
}

// longest returns where the longest part ends that begins with an event of a block and
// may not have more than limit: its size, and twice the deviation from that.
func (w *scale) longest(from, block int, limit uint64) int {
	size, before, inside, end := uint64(0), uint64(0), uint64(0), from
	for i := from; i < len(w.events); i++ {
		e, b := w.events[i], &w.blocks[block]
		if size += uint64(e.size); size > limit {
			break
		}
		// The size of a block is known, so what is outside of the part varies as much as
		// what is inside, and a block that is all inside does not vary.
		inside += e.vary()
		v := before
		if b.vary > 0 {
			v += inside * (b.vary - inside) / b.vary
		}
		if room := min(limit-size, 1<<30); room*room >= 4*v*weighOne {
			end = i + 1
		}
		if i+1 == b.end {
			before, inside = v, 0
			block++
		}
	}
	return end
}

// halve cuts some more parts in the middle, the largest first.
func (w *scale) halve(ends []int, more int) []int {
	type piece struct {
		from, end int
		size      uint64
	}
	var pieces []piece
	from := 0
	for _, end := range ends {
		if end-from > 1 {
			pieces = append(pieces, piece{from, end, w.size(from, end)})
		}
		from = end
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(b.size, a.size) })
	for _, p := range pieces[:min(more, len(pieces))] {
		middle := p.from + 1
		for sum := uint64(w.events[p.from].size); middle < p.end-1 && sum+uint64(w.events[middle].size) <= p.size/2; middle++ {
			sum += uint64(w.events[middle].size)
		}
		ends = append(ends, middle)
	}
	slices.Sort(ends)
	return ends
}

func saturated(x uint64) uint32 { return uint32(min(x, math.MaxUint32)) }
