package explore

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// A bounded search takes first what costs nothing, then what costs one, and so on. What a step costs depends on
// who moved last:
//
//   - Preemptions (iterative context bounding: Musuvathi and Qadeer, PLDI 2007). A step of another actor costs one where
//     the one that moved last could go on. Most bugs need few of these, and a counterexample with few is
//     easy to read.
//   - Delays (Emmi, Qadeer and Rakamarić, POPL 2011). Actors are in a circle, and the one that moved last goes on as
//     long as it can, then the next one that can; the clock comes last. A step costs as many as there are actors
//     before its own that could move. For nothing there is one schedule only, however many actors there are.
//   - Own. A preemption costs one where the actor that moved last stands in a library, and nothing elsewhere. For nothing
//     there are all schedules of the code that somebody asks about, while libraries, which others have written and
//     tested, run up to where they wait.
//
// Within a bound the search is depth-first over steps that cost nothing; others are kept for the next bounds. What
// counts as visited is a state together with the actor that moved last, at what it has cost to come there or less.
//
// With Options.Horizon, a path that has become long waits for the next bound too, so that one without an end does
// not keep others from being followed. That is not counted as cost, so what waits may cost less than the bound:
// everything was searched that costs less than whatever waits.
type bounded struct {
	*search
	c       *cursor
	f       *forest
	w       *walker
	others  lts.Libraries // nil if they are not told apart
	pairs   stateset.Set  // states with the actor that moved last, and what they cost
	stack   []boundedFrame
	steps   []lts.Step
	base    int        // depth of the first frame
	horizon int        // paths of this bound are that long at most, 0 if there is no such limit
	later   []deferred // for the next bound
	circle  []ranked
	pair    []byte
	dig     []byte // of the pair
}

// costs says what is counted.
var costs = map[Strategy]string{Preemptions: "preemptions", Delays: "delays", Own: "preemptions of libraries"}

type boundedFrame struct {
	frame
	node uint32 // in the forest, or noNode if it is not there yet
	cost int32  // of its steps, with what it has cost to come there
}

const noNode = ^uint32(0)

// deferred is a state with steps that wait for the next bound: those of its class with a number, if they are sorted
// by cost.
type deferred struct {
	node  uint32
	depth uint32
	mover int32
	class int32
	cost  int32 // to come there
}

const deferredBytes = 20

func runBounded(s *search, c *cursor) error {
	if c.actors == nil {
		return diag.Usagef("-search %v needs a system that tells its actors", s.o.Strategy)
	}
	p := &bounded{search: s, c: c, f: newForest(), pairs: s.o.NewSet(), horizon: s.o.Horizon}
	if s.o.Strategy == Own {
		var ok bool
		if p.others, ok = c.System.(lts.Libraries); !ok {
			return diag.Usagef("-search %v needs a system that tells libraries from other code", s.o.Strategy)
		}
	}
	defer p.pairs.Close()
	s.frontier = func() (int64, int64, int) {
		bytes := p.f.bytes() + int64(cap(p.later))*deferredBytes + int64(cap(p.stack))*frameBytes + p.pairs.Bytes()
		return bytes, int64(len(p.later) + len(p.stack)), p.base + len(p.stack)
	}
	p.w = newWalker(c, p.f, 0)
	if !p.sound() {
		return nil
	}
	p.arrive(0, -1, 0)
	if p.run() != "" || p.decided() {
		return nil
	}
	p.complete(0)
	for bound := 1; len(p.later) > 0 && !p.decided(); bound++ {
		if most := s.o.MaxPreemptions; most >= 0 && bound > most {
			s.leave(Left{Reason: LimitPreemptions, Count: int64(len(p.later)),
				Text: fmt.Sprintf("bound of %d %s: states with steps that were not taken", most, costs[s.o.Strategy])})
			return nil
		}
		now := p.later
		p.later, p.horizon = nil, 2*p.horizon
		for i, d := range now {
			p.resume(d)
			if why := p.run(); why != "" {
				p.leave(Left{Reason: why, Count: int64(len(now) - i - 1), Text: p.left[len(p.left)-1].Text})
				return nil
			}
			if p.decided() {
				return nil
			}
		}
		p.complete(bound)
	}
	return nil
}

// sound makes the horizon as far as the natural schedule needs, if that ends soon. It reports false if the search is to end meanwhile. With delays
// that schedule comes first in any case.
func (p *bounded) sound() bool {
	if p.horizon == 0 || p.o.Strategy == Delays {
		return true
	}
	start := p.c.Save()
	for depth, mover := 0, -1; depth < soundings*p.horizon; depth++ {
		p.steps = p.c.steps(p.steps[:0])
		if len(p.steps) == 0 {
			p.horizon = max(p.horizon, 2*depth)
			break
		}
		if why := p.over(); why != "" {
			p.abandon(why, int64(len(p.steps)), "steps not taken")
			return false
		}
		p.rank(p.steps, mover)
		p.c.Take(p.circle[0].step)
		mover = p.c.actors.Mover()
	}
	p.steps = p.steps[:0]
	p.c.Restore(start)
	return true
}

// soundings is how many times the horizon a schedule is followed to find its end.
const soundings = 4

// complete notes up to which cost all was searched, when that is so up to a bound but for what was too long.
func (p *bounded) complete(bound int) {
	for _, d := range p.later {
		bound = min(bound, int(d.cost+d.class)-1)
	}
	p.bound = bound
}

// run empties the stack. It returns the limit that it came to, or "".
func (p *bounded) run() Reason {
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
		p.arrive(noNode, mover, top.cost)
	}
	return ""
}

// arrive looks at the state that a step of the mover led to, at some cost.
func (p *bounded) arrive(node uint32, mover int, cost int32) {
	digest := p.c.digest(p.set)
	if !p.isNewPair(digest, mover, cost) {
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
	p.stack = append(p.stack, boundedFrame{frame{lo: uint32(lo), next: uint32(lo)}, node, cost})
	if p.horizon > 0 && depth >= p.horizon {
		p.steps = p.steps[:lo]
		p.later = append(p.later, deferred{p.nodeOf(len(p.stack) - 1), uint32(depth), int32(mover), 0, cost})
		p.stack = p.stack[:len(p.stack)-1]
		return
	}
	p.keep(0, mover, depth)
}

// isNewPair adds a state with the actor that moved last, and reports whether it was not there at this cost or less.
func (p *bounded) isNewPair(digest []byte, mover int, cost int32) bool {
	p.pair = binary.AppendVarint(append(p.pair[:0], digest...), int64(mover))
	n := len(p.pair)
	for less := range cost + 1 {
		p.pair = binary.AppendVarint(p.pair[:n], int64(less))
		p.dig = p.pairs.Digest(p.dig[:0], p.pair)
		if less < cost && p.pairs.Has(p.dig) {
			return false
		}
	}
	return p.pairs.Add(p.dig)
}

// resume goes to a state and puts the steps of it that have waited on the stack.
func (p *bounded) resume(d deferred) {
	if err := p.w.goTo(d.node, int(d.depth)); err != nil {
		panic(diag.Bugf("%v", err)) // nobody has told of a path
	}
	p.base = int(d.depth)
	p.steps = p.c.steps(p.steps[:0])
	p.stack = append(p.stack[:0], boundedFrame{frame{}, d.node, d.cost})
	p.keep(int(d.class), int(d.mover), int(d.depth))
}

// A ranked step is one with what it costs.
type ranked struct {
	step lts.Step
	cost int
}

// keep keeps those steps of the last frame that are in a class. The next class waits for the next bound.
func (p *bounded) keep(class, mover, depth int) {
	top := &p.stack[len(p.stack)-1]
	p.rank(p.steps[top.lo:], mover)
	kept := p.steps[:top.lo]
	for _, r := range p.circle {
		if r.cost == class {
			kept = append(kept, r.step)
		}
	}
	if p.circle[len(p.circle)-1].cost > class {
		p.later = append(p.later, deferred{p.nodeOf(len(p.stack) - 1), uint32(depth), int32(mover), int32(class + 1), top.cost})
	}
	top.cost += int32(class)
	p.steps = kept
	top.hi = uint32(len(kept))
}

// rank sorts the steps of a state by cost, and else leaves them in their order.
func (p *bounded) rank(steps []lts.Step, mover int) {
	p.circle = p.circle[:0]
	goesOn := (p.others == nil || p.others.InLibrary(mover)) &&
		slices.ContainsFunc(steps, func(s lts.Step) bool { return p.c.actors.Actor(s) == mover })
	for _, s := range steps {
		actor, place := p.c.actors.Actor(s), 0
		switch {
		case p.o.Strategy != Delays:
			if goesOn && actor != mover {
				place = 1
			}
		case p.c.outside(s):
			place = 2<<32 + actor
		case actor < mover:
			place = 1<<32 + actor
		default:
			place = actor
		}
		p.circle = append(p.circle, ranked{s, place})
	}
	slices.SortStableFunc(p.circle, func(a, b ranked) int { return cmp.Compare(a.cost, b.cost) })
	cost, last := -1, -1
	for i := range p.circle {
		r := &p.circle[i]
		if r.cost != last {
			cost, last = cost+1, r.cost
		}
		r.cost = cost
	}
}

// nodeOf returns the node of a frame and makes it if need be, with all those
// before.
func (p *bounded) nodeOf(i int) uint32 {
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
func (p *bounded) path() lts.Path {
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
func (p *bounded) where() lts.Path {
	if n := len(p.stack); n > 0 && p.stack[n-1].next == p.stack[n-1].lo {
		p.stack = p.stack[:n-1]
	}
	return p.path()
}

func (p *bounded) end() {
	switch dead, beyond := p.c.stuck(); {
	case beyond != nil:
		p.leave(Left{Reason: SystemBound, Count: 1, Text: beyond.Error(), Path: p.path()})
	case dead:
		p.find(deadlock, p.path)
	}
}
