package explore

import (
	"sync/atomic"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// A breadthFirst search visits states in the order of their distance from the
// start. The states of a level are cut into batches; workers expand batches, each
// on its own, and what they saw is then merged in the order of the level. So
// states are numbered alike, and paths are the same, with any number of workers.
//
//	level d    [ batch ][ batch ][ batch ] …      expand: in parallel, reads the set
//	               │        │        │
//	               └───►────┴───►────┴──► merge: in order, adds to the set
//	                                        │
//	level d+1  [ …                     ◄────┘
type breadthFirst struct {
	*search
	f       *forest
	walkers []*walker
	depth   int    // of the level
	next    uint32 // first node of the level that is not merged
	end     uint32 // first node of the next level
	told    uint32 // nodes below came from a checkpoint
}

const (
	batchNodes       = 64
	batchesPerWorker = 8 // between two merges
)

func runBreadthFirst(s *search, c *cursor, newSystem func() (lts.System, error)) error {
	b := &breadthFirst{search: s, f: newForest(), end: 1}
	s.frontier = func() (int64, int64, int) { return b.f.bytes(), int64(b.f.n - b.next), b.depth }
	c.Reset()
	if s.o.Resume != "" {
		if err := b.resume(s.o.Resume, c); err != nil {
			return err
		}
	} else {
		s.set.Add(c.digest(s.set))
		for _, f := range c.checkState() {
			s.find(f, func() lts.Path { return lts.Path{} })
		}
	}
	b.walkers = append(b.walkers, newWalker(c, b.f, b.told))
	for len(b.walkers) < s.o.Workers {
		sys, err := newSystem()
		if err != nil {
			return err
		}
		b.walkers = append(b.walkers, newWalker(newCursor(sys, s.o.Reduce), b.f, b.told))
	}
	return b.run()
}

func (b *breadthFirst) run() error {
	saved := b.states()
	for !b.decided() {
		if b.next == b.end {
			if b.end == b.f.n {
				return nil
			}
			b.depth, b.end = b.depth+1, b.f.n
		}
		b.maxDepth = b.depth
		for _, batch := range b.expandSome() {
			if batch.err != nil {
				return diag.Usagef("%s: %v", b.o.Resume, batch.err)
			}
			why := b.add(batch)
			if b.decided() {
				return nil
			}
			if why == "" && b.next < batch.hi { // not all of it was expanded
				why = b.stopped()
			}
			if why != "" && b.next < b.f.n {
				b.abandon(why, int64(b.f.n-b.next), "states not expanded")
				b.unsaved = b.checkpoint()
				return nil
			}
		}
		if every := b.o.CheckpointEvery; every > 0 && b.states() >= saved+every {
			saved = b.states()
			if err := b.checkpoint(); err != nil {
				return err
			}
		}
	}
	return nil
}

// A batch is some states of a level, one behind the other, and what a worker saw
// when it expanded them.
type batch struct {
	lo, hi   uint32
	expanded []expansion // by state
	reached  []reached
	digests  []byte
	events   []event
	watch    watcher
	notes    *notes      // or nil
	stop     func() bool // whether to expand no more states, or nil
	err      error       // a state of a checkpoint was not where that says
}

// An expansion is what one state has of the lists of its batch: up to there.
type expansion struct{ steps, reached, events int }

// reached is a state that was not in the set when it was reached.
type reached struct {
	step   lts.Step
	digest int // its end in digests
}

// An event is something to report: with the state itself, with a step from it,
// or with the state that the step led to, if that is new.
type event struct {
	finding diag.Finding
	left    Left // if it has a reason, this instead
	step    lts.Step
	about   subject
	reached int // how many states the batch had reached before
}

type subject uint8

const (
	aboutState subject = iota
	aboutStep
	aboutReached // the next reached state
)

// expandSome expands the next batches of the level, as many as the workers have
// to be busy for a while.
func (b *breadthFirst) expandSome() []*batch {
	var batches []*batch
	for lo := b.next; lo < b.end && len(batches) < batchesPerWorker*len(b.walkers); lo += batchNodes {
		batches = append(batches, &batch{lo: lo, hi: min(lo+batchNodes, b.end)})
	}
	var taken atomic.Int32
	work := func(w *walker) {
		for i := taken.Add(1) - 1; int(i) < len(batches); i = taken.Add(1) - 1 {
			batches[i].watch.Observer = b.observer(w, batches[i])
			batches[i].stop = b.o.Interrupt
			batches[i].expand(w, b.set, b.depth, b.o.Limits.Depth)
		}
	}
	if n := min(len(b.walkers), len(batches)); n > 1 {
		together(n, func() { taken.Store(int32(len(batches))) }, func(i int) { work(b.walkers[i]) })
	} else {
		work(b.walkers[0])
	}
	return batches
}

// observer returns who sees what a worker does: with several workers, notes.
func (b *breadthFirst) observer(w *walker, t *batch) Observer {
	distant, ok := b.o.Observer.(Distant)
	if !ok || len(b.walkers) == 1 {
		return b.o.Observer
	}
	if w.keys == nil {
		w.keys = map[lts.Label]string{}
	}
	t.notes = &notes{to: distant, keys: w.keys}
	return t.notes
}

// expand takes all steps of the batch's states.
func (b *batch) expand(w *walker, set stateset.Set, depth, limit int) {
	var steps []lts.Step
	n := b.lo
	defer crash(func() lts.Path { return w.f.path(n) })
	for ; n < b.hi && (b.stop == nil || !b.stop()); n++ {
		if b.err = w.goTo(n, depth); b.err != nil {
			return
		}
		if b.watch.Observer != nil {
			b.watch.push(w.c.System, w.c.digest(set), depth)
		}
		steps = w.c.steps(steps[:0])
		taken := 0
		switch {
		case len(steps) == 0:
			b.end(w.c)
		case limit > 0 && depth >= limit:
			b.events = append(b.events, event{left: Left{Reason: LimitDepth}, reached: len(b.reached)})
		default:
			away := false
			for _, s := range steps {
				if away {
					w.back()
				}
				away = b.take(w.c, s, set)
			}
			taken = len(steps)
		}
		b.watch.pop()
		b.expanded = append(b.expanded, expansion{taken, len(b.reached), len(b.events)})
	}
}

// take takes a step, unless it is known to lead to a state that was seen. It
// reports whether it was taken.
func (b *batch) take(c *cursor, s lts.Step, set stateset.Set) bool {
	if b.watch.Observer == nil {
		if digest, ok := c.foresee(set, s); ok && set.Has(digest) {
			return false
		}
	}
	label := c.Take(s)
	for _, f := range c.checkStep() {
		b.events = append(b.events, event{finding: f, step: s, about: aboutStep, reached: len(b.reached)})
	}
	digest := c.digest(set)
	b.watch.step(c.System, digest, s, label)
	if set.Has(digest) {
		return true
	}
	for _, f := range c.checkState() {
		b.events = append(b.events, event{finding: f, step: s, about: aboutReached, reached: len(b.reached)})
	}
	b.digests = append(b.digests, digest...)
	b.reached = append(b.reached, reached{s, len(b.digests)})
	return true
}

// end judges a state without steps.
func (b *batch) end(c *cursor) {
	switch dead, beyond := c.stuck(); {
	case beyond != nil:
		b.events = append(b.events, event{left: Left{Reason: SystemBound, Count: 1, Text: beyond.Error()}, reached: len(b.reached)})
	case dead:
		b.events = append(b.events, event{finding: deadlock, reached: len(b.reached)})
	}
}

// add adds what was seen in a batch, state by state. It stops at a finding, if
// one is enough, and at a limit; the state that it stops at is then expanded
// again by who resumes the search.
func (b *breadthFirst) add(t *batch) Reason {
	if t.notes != nil {
		t.notes.tell()
	}
	isNew := make([]bool, len(t.reached))
	var from expansion
	for _, to := range t.expanded {
		events := t.events[from.events:to.events]
		for i := from.reached; i < to.reached; i++ {
			r, lo := t.reached[i], 0
			if i > 0 {
				lo = t.reached[i-1].digest
			}
			digest := t.digests[lo:r.digest]
			if most := b.o.Limits.States; most > 0 && b.states() >= most && !b.set.Has(digest) {
				b.handle(events, isNew, i)
				return LimitStates
			}
			if isNew[i] = b.set.Add(digest); isNew[i] {
				b.f.add(b.next, r.step)
			}
		}
		b.handle(events, isNew, to.reached)
		b.transitions += int64(to.steps)
		b.next++
		from = to
		if b.decided() {
			return ""
		}
		if why := b.over(); why != "" && why != LimitStates {
			return why
		}
	}
	return ""
}

// handle reports events of the state that is being merged: those up to the next
// reached state that is not.
func (b *breadthFirst) handle(events []event, isNew []bool, merged int) {
	for _, e := range events {
		ofReached := e.about == aboutReached
		if e.reached > merged || ofReached && (e.reached == merged || !isNew[e.reached]) {
			continue
		}
		path := func() lts.Path {
			p := b.f.path(b.next)
			if e.about != aboutState {
				p = append(p, e.step)
			}
			return p
		}
		switch e.left.Reason {
		case "":
			b.find(e.finding, path)
		case LimitDepth:
			b.tooDeep()
		default:
			e.left.Path = path()
			b.leave(e.left)
		}
	}
}
