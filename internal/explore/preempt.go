package explore

import (
	"encoding/binary"
	"fmt"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// Iterative context bounding (Musuvathi and Qadeer, PLDI 2007): first all
// executions without a preemption, then those with one, and so on. A preemption is
// a step of another actor where the one that moved last could go on. Most bugs
// need few of them, and a counterexample with few is easy to read.
//
// Within a bound the search is depth-first over steps that preempt nobody; those
// that do are kept for the next bound. What counts as visited is a state together
// with the actor that moved last. Since bounds come in order, each such pair is
// first reached with the fewest preemptions, and need never be visited again.
type preemptions struct {
	*search
	c     *cursor
	f     *forest
	w     *walker
	pairs stateset.Set // states with the actor that moved last
	stack []preemptFrame
	steps []lts.Step
	base  int        // depth of the first frame
	later []deferred // for the next bound
	pair  []byte
	dig   []byte // of the pair
}

type preemptFrame struct {
	frame
	node uint32 // in the forest, or noNode if it is not there yet
}

const noNode = ^uint32(0)

// deferred is a step that waits for the next bound, at a state that is known by
// its node and depth.
type deferred struct {
	node  uint32
	depth uint32
	step  lts.Step
}

func runPreemptions(s *search, c *cursor) error {
	if c.actors == nil {
		return diag.Usagef("preemption bounding needs a system that tells its actors")
	}
	p := &preemptions{search: s, c: c, f: newForest(), pairs: s.o.NewSet()}
	defer p.pairs.Close()
	s.frontier = func() (int64, int64, int) {
		bytes := p.f.bytes() + int64(cap(p.later))*12 + int64(cap(p.stack))*frameBytes + p.pairs.Bytes()
		return bytes, int64(len(p.later) + len(p.stack)), p.base + len(p.stack)
	}
	p.w = newWalker(c, p.f)
	p.arrive(0, -1)
	if p.run() != "" || p.decided() {
		return nil
	}
	p.bound = 0
	for bound := 1; len(p.later) > 0 && !p.decided(); bound++ {
		if most := s.o.MaxPreemptions; most >= 0 && bound > most {
			s.leave(Left{Reason: LimitPreemptions, Count: int64(len(p.later)),
				Text: fmt.Sprintf("bound of %d preemptions: steps not taken", most)})
			return nil
		}
		now := p.later
		p.later = nil
		for i, d := range now {
			p.w.goTo(d.node, int(d.depth))
			p.base = int(d.depth)
			p.steps = append(p.steps[:0], d.step)
			p.stack = append(p.stack[:0], preemptFrame{frame{hi: 1}, d.node})
			if why := p.run(); why != "" {
				p.leave(Left{Reason: why, Count: int64(len(now) - i - 1), Text: p.left[len(p.left)-1].Text})
				return nil
			}
			if p.decided() {
				return nil
			}
		}
		p.bound = bound
	}
	return nil
}

// run empties the stack. It returns the limit that it came to, or "".
func (p *preemptions) run() Reason {
	defer crash(p.where)
	for len(p.stack) > 0 && !p.decided() {
		top := &p.stack[len(p.stack)-1]
		if top.next == top.hi {
			p.steps = p.steps[:top.lo]
			p.stack = p.stack[:len(p.stack)-1]
			continue
		}
		if why := p.over(); why != "" {
			n := int64(len(p.later))
			for _, f := range p.stack {
				n += int64(f.hi - f.next)
			}
			p.abandon(why, n, "steps not taken")
			return why
		}
		if top.next > top.lo {
			p.c.Restore(top.mark)
		} else if top.hi-top.lo > 1 {
			top.mark = p.c.Save()
		}
		s := p.steps[top.next]
		top.next++
		p.c.Take(s)
		mover := p.c.actors.Mover()
		p.transitions++
		for _, f := range p.c.checkStep() {
			p.find(f, p.path)
		}
		p.arrive(noNode, mover)
	}
	return ""
}

// arrive looks at the state that a step of the mover led to.
func (p *preemptions) arrive(node uint32, mover int) {
	digest := p.c.digest(p.set)
	p.pair = binary.AppendVarint(append(p.pair[:0], digest...), int64(mover))
	p.dig = p.pairs.Digest(p.dig[:0], p.pair)
	if !p.pairs.Add(p.dig) {
		return
	}
	isNew := p.set.Add(digest)
	depth := p.base + len(p.stack)
	p.maxDepth = max(p.maxDepth, depth)
	if isNew {
		for _, f := range p.c.checkState() {
			p.find(f, p.path)
		}
	}
	lo := len(p.steps)
	p.steps = p.c.steps(p.steps)
	switch limit := p.o.Limits.Depth; {
	case len(p.steps) == lo:
		if isNew {
			p.end()
		}
		return
	case limit > 0 && depth >= limit:
		p.tooDeep()
		p.steps = p.steps[:lo]
		return
	}
	p.stack = append(p.stack, preemptFrame{frame{lo: uint32(lo), next: uint32(lo)}, node})
	p.postpone(lo, mover, depth)
	p.stack[len(p.stack)-1].hi = uint32(len(p.steps))
}

// postpone keeps for the next bound those of the last frame's steps that preempt
// the mover, and removes them from its list.
func (p *preemptions) postpone(lo, mover, depth int) {
	canGoOn := false
	for _, s := range p.steps[lo:] {
		canGoOn = canGoOn || p.c.actors.Actor(s) == mover
	}
	if !canGoOn {
		return
	}
	free := p.steps[:lo]
	for _, s := range p.steps[lo:] {
		if p.c.actors.Actor(s) == mover {
			free = append(free, s)
			continue
		}
		p.later = append(p.later, deferred{p.nodeOf(len(p.stack) - 1), uint32(depth), s})
	}
	p.steps = free
}

// nodeOf returns the node of a frame and makes it if need be, with all those
// before.
func (p *preemptions) nodeOf(i int) uint32 {
	known := i
	for p.stack[known].node == noNode {
		known--
	}
	for ; known < i; known++ {
		from := p.stack[known]
		p.stack[known+1].node = p.f.add(from.node, p.steps[from.next-1])
	}
	return p.stack[i].node
}

// path returns the steps to the state just arrived at.
func (p *preemptions) path() lts.Path {
	if len(p.stack) == 0 {
		return lts.Path{}
	}
	path := p.f.path(p.stack[0].node)
	for _, f := range p.stack {
		path = append(path, p.steps[f.next-1])
	}
	return path
}

// where is path at a moment when anything may have happened.
func (p *preemptions) where() lts.Path {
	if n := len(p.stack); n > 0 && p.stack[n-1].next == p.stack[n-1].lo {
		p.stack = p.stack[:n-1]
	}
	return p.path()
}

func (p *preemptions) end() {
	switch dead, beyond := p.c.stuck(); {
	case beyond != nil:
		p.leave(Left{Reason: SystemBound, Count: 1, Text: beyond.Error(), Path: p.path()})
	case dead:
		p.find(deadlock, p.path)
	}
}
