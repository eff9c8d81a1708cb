package explore

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/room"
)

// A depthFirst search goes forward as long as it finds new states, and back to
// the last one with a step that was not taken. Its frontier is the stack of
// those: a mark and the rest of the steps.
type depthFirst struct {
	*search
	c *cursor
	// base leads to the state of the first frame; it is empty unless the work
	// came from another worker.
	base   lts.Path
	stack  []frame
	steps  []lts.Step // of all frames
	next   []lts.Step // of the state that is arrived at
	order  func(digest []byte, steps []lts.Step)
	jobs   *jobs // nil with one worker
	watch  watcher
	sizing sizing
	away   bool // the cursor has left the state of the last frame
}

// A frame is a state on the stack: its steps are steps[lo:hi] of the search, and
// those below next were taken. The mark exists if the state was left and there
// were more steps: it is returned to.
type frame struct {
	mark         lts.Mark
	lo, next, hi uint32
	saved        bool
}

const frameBytes = 24 + 8 // with its steps, about

func newDepthFirst(s *search, c *cursor) *depthFirst {
	d := &depthFirst{search: s, c: c, watch: watcher{Observer: s.o.Observer}}
	s.frontier = func() (int64, int64, int) {
		return int64(len(d.stack)) * frameBytes, int64(len(d.stack)), d.depth()
	}
	s.guess = d.estimate
	return d
}

func runDepthFirst(s *search, c *cursor) error {
	d := newDepthFirst(s, c)
	defer d.free()
	if s.o.Resume != "" {
		if err := d.resume(s.o.Resume); err != nil {
			return err
		}
	} else {
		d.start()
	}
	return d.run()
}

// start visits the initial state.
func (d *depthFirst) start() {
	d.c.Reset()
	digest := d.c.digest(d.set)
	if d.set.Add(digest) {
		d.arrive(digest)
	}
}

// depth is the length of the path to the state that the last frame is about to
// be left to.
func (d *depthFirst) depth() int { return len(d.base) + len(d.stack) }

// path returns the steps to the state that was just arrived at.
func (d *depthFirst) path() lts.Path {
	p := slices.Clone(d.base)
	for i := range d.stack {
		p = append(p, d.steps[d.stack[i].next-1])
	}
	return p
}

// where is path at a moment when anything may have happened.
func (d *depthFirst) where() lts.Path {
	p := slices.Clone(d.base)
	for i := range d.stack {
		if f := d.stack[i]; f.next > f.lo {
			p = append(p, d.steps[f.next-1])
		}
	}
	return p
}

// run empties the stack, or stops.
func (d *depthFirst) run() error {
	defer crash(d.where)
	saved := d.states()
	for len(d.stack) > 0 && !d.decided() {
		top := &d.stack[len(d.stack)-1]
		if top.next == top.hi {
			d.steps = d.steps[:top.lo]
			d.stack = d.stack[:len(d.stack)-1]
			d.watch.pop()
			d.away = true
			continue
		}
		if why := d.over(); why != "" {
			d.abandon(why, d.untaken(), "steps not taken")
			d.estimated = d.estimate()
			d.unsaved = d.checkpoint()
			return nil
		}
		if d.o.Beside != nil && d.o.Beside(At{d.transitions, d.depth(), len(d.steps) - len(d.stack), d.passes(), d.sizing.distant}) {
			d.abandon(Interrupted, d.untaken(), "steps not taken")
			return nil
		}
		if every := d.o.CheckpointEvery; every > 0 && d.states() >= saved+every {
			saved = d.states()
			if err := d.checkpoint(); err != nil {
				return err
			}
		}
		if d.jobs != nil && !d.share() {
			return nil
		}
		if d.transitions >= d.sizing.next {
			d.remember()
		}
		d.take(top)
	}
	return nil
}

// passes reports whether the search has come straight to a state, which is about to be left for the first time, and reduction leaves out steps of it.
func (d *depthFirst) passes() bool {
	top := d.stack[len(d.stack)-1]
	if len(d.steps) > len(d.stack) || d.away || d.c.reducer == nil || top.next > top.lo {
		return false
	}
	d.next = d.c.Enabled(d.next[:0])
	return len(d.next) > int(top.hi-top.lo)
}

// untaken counts the steps that are left on the stack.
func (d *depthFirst) untaken() int64 {
	n := int64(0)
	for i := range d.stack {
		n += int64(d.stack[i].hi - d.stack[i].next)
	}
	return n
}

// take takes the next step of the last frame, unless it is known to lead to a
// state that was seen.
func (d *depthFirst) take(top *frame) {
	if d.away {
		d.c.Restore(top.mark)
		d.away = false
	}
	s := d.steps[top.next]
	top.next++
	d.transitions++
	var digest []byte
	foreseen := false
	if d.watch.Observer == nil {
		if digest, foreseen = d.c.foresee(d.set, s); foreseen && d.set.Has(digest) {
			return
		}
	}
	if top.next < top.hi && !top.saved {
		top.mark, top.saved = d.c.Save(), true
	}
	label := d.c.Take(s)
	if found := d.c.checkStep(); len(found) > 0 {
		d.note(found)
	}
	if !foreseen {
		digest = d.c.digest(d.set)
		d.watch.step(d.c.System, digest, s, label)
	}
	d.away = true
	if d.set.Add(digest) {
		d.arrive(digest)
	}
}

func (d *depthFirst) note(found []diag.Finding) {
	for _, f := range found {
		d.find(f, d.path)
	}
}

// arrive looks at a new state and puts it on the stack.
func (d *depthFirst) arrive(digest []byte) {
	depth := d.depth()
	d.maxDepth = max(d.maxDepth, depth)
	d.watch.push(d.c.System, digest, depth)
	if found := d.c.checkState(); len(found) > 0 {
		d.note(found)
	}
	lo := len(d.steps)
	d.follow()
	d.watch.follow(d.c.System, d.steps[lo:])
	switch limit := d.o.Limits.Depth; {
	case len(d.steps) == lo:
		d.end()
		d.watch.pop()
		return
	case limit > 0 && depth >= limit:
		d.tooDeep()
		d.steps = d.steps[:lo]
		d.watch.pop()
		return
	}
	if d.order != nil {
		d.order(digest, d.steps[lo:])
	}
	d.stack = append(room.For(d.stack, 1), frame{lo: uint32(lo), next: uint32(lo), hi: uint32(len(d.steps))})
	d.away = false
}

// follow puts the steps to follow on top of those of all frames.
func (d *depthFirst) follow() {
	d.next = d.c.steps(d.next[:0])
	d.steps = append(room.For(d.steps, len(d.next)), d.next...)
}

// free gives back the memory of the stack.
func (d *depthFirst) free() {
	room.Free(d.stack)
	room.Free(d.steps)
	d.stack, d.steps = nil, nil
}

// end judges a state without steps.
func (d *depthFirst) end() {
	switch dead, beyond := d.c.stuck(); {
	case beyond != nil:
		d.leave(Left{Reason: SystemBound, Count: 1, Text: beyond.Error(), Path: d.path()})
	case dead:
		d.find(deadlock, d.path)
	}
}
