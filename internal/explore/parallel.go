package explore

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/heddle-mc/heddle/internal/lts"
)

// Several workers search depth-first with one set of visited states. Each state
// is new to one of them, so that together they take every step of every state
// once, as one worker would: complete searches count the same. Who is idle asks,
// and who has work gives away the step nearest to the start that it has not
// taken, as a path.
//
// Which of several findings is seen first, and on which path, depends on the
// scheduling of the workers. So once there is one, a single worker looks for it
// again, and its answer is the same each time. That costs at most what the
// search would have cost without workers, and only where something is wrong. If
// all findings are wanted, it stops when it has them.

// jobs hands paths from worker to worker.
type jobs struct {
	mu     sync.Mutex
	wake   sync.Cond
	queue  []lts.Path
	idle   int
	team   int
	over   bool
	hungry atomic.Int32 // idle workers without a job waiting for them
}

func newJobs(workers int) *jobs {
	j := &jobs{team: workers}
	j.wake.L = &j.mu
	return j
}

// put offers a path.
func (j *jobs) put(p lts.Path) {
	j.mu.Lock()
	j.queue = append(j.queue, p)
	j.hungry.Store(int32(j.idle - len(j.queue)))
	j.mu.Unlock()
	j.wake.Signal()
}

// get waits for a path. It returns false when all workers wait, or at the end.
func (j *jobs) get() (lts.Path, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.idle++
	for len(j.queue) == 0 && !j.over {
		if j.idle == j.team {
			j.over = true
			j.wake.Broadcast()
			break
		}
		j.hungry.Store(int32(j.idle - len(j.queue)))
		j.wake.Wait()
	}
	if j.over {
		return nil, false
	}
	j.idle--
	p := j.queue[0]
	j.queue = j.queue[1:]
	j.hungry.Store(int32(j.idle - len(j.queue)))
	return p, true
}

// close ends the work of all.
func (j *jobs) close() {
	j.mu.Lock()
	j.over = true
	j.mu.Unlock()
	j.wake.Broadcast()
}

// share gives work away if somebody waits. It returns false if the search was
// stopped.
func (d *depthFirst) share() bool {
	if d.team.stop.Load() {
		return false
	}
	if d.ticks&tickMask == 0 {
		d.team.transitions.Add(tickMask + 1)
	}
	if d.jobs.hungry.Load() <= 0 {
		return true
	}
	for i := range d.stack {
		f := &d.stack[i]
		left := f.hi - f.next
		if left == 0 || left == 1 && i == len(d.stack)-1 {
			continue
		}
		p := slices.Clone(d.base)
		for k := range i {
			p = append(p, d.steps[d.stack[k].next-1])
		}
		f.hi--
		d.jobs.put(append(p, d.steps[f.hi]))
		break
	}
	return true
}

// accept makes a path the work to do: its last step is not yet taken.
func (d *depthFirst) accept(p lts.Path) {
	last := len(p) - 1
	d.base = p[:last]
	lts.MustReplay(d.c, d.base)
	d.steps = append(d.steps[:0], p[last])
	d.stack = append(d.stack[:0], frame{lo: 0, next: 0, hi: 1})
	d.away = false
}

// work is what one worker does.
func (d *depthFirst) work() {
	for {
		if err := d.run(); err != nil || d.decided() || len(d.stack) > 0 {
			d.team.stop.Store(true)
			d.jobs.close()
			return
		}
		p, ok := d.jobs.get()
		if !ok {
			return
		}
		d.accept(p)
	}
}

func runParallel(newSystem func() (lts.System, error), o Options) (*Result, error) {
	s := newSearch(o)
	defer s.set.Close()
	s.team = &team{}
	jobs := newJobs(o.Workers)
	workers := make([]*depthFirst, o.Workers)
	for i := range workers {
		sys, err := newSystem()
		if err != nil {
			return nil, err
		}
		own := *s // counts of its own, and all the rest shared
		workers[i] = newDepthFirst(&own, newCursor(sys, o.Reduce))
		workers[i].jobs = jobs
		if i > 0 {
			own.o.Progress, own.o.Beside = nil, nil
		}
	}
	workers[0].start()
	stop := func() {
		s.team.stop.Store(true)
		jobs.close()
	}
	together(o.Workers, stop, func(i int) {
		if i > 0 { // the first one has the initial state on its stack
			p, ok := jobs.get()
			if !ok {
				return
			}
			workers[i].accept(p)
		}
		workers[i].work()
	})
	for _, w := range workers {
		s.merge(&w.tally)
		defer w.free()
	}
	s.maxDepth = 0
	for i := range s.left {
		s.left[i].Path = nil
	}
	s.left = countLeft(s.left, workers, jobs)
	if len(s.findings) == 0 || o.AsFound {
		return s.result(), nil
	}
	return s.settle(newSystem)
}

// countLeft adds to what is left by a limit what workers had to do when another
// worker came to it.
func countLeft(left []Left, workers []*depthFirst, jobs *jobs) []Left {
	untaken := int64(len(jobs.queue))
	for _, w := range workers {
		if !slices.ContainsFunc(w.left, Left.endsSearch) {
			untaken += w.untaken()
		}
	}
	if i := slices.IndexFunc(left, Left.endsSearch); i >= 0 {
		left[i].Count += untaken
	}
	return left
}

// settle looks for the findings of a parallel search again, with one worker.
func (s *search) settle(newSystem func() (lts.System, error)) (*Result, error) {
	parallel := s.result()
	o := s.o
	o.Workers, o.Progress, o.Beside, o.enough = 1, nil, nil, len(parallel.Findings)
	if o.All && slices.ContainsFunc(parallel.Left, Left.endsSearch) {
		return parallel, nil // cut off: not the same each time, whatever we do
	}
	single, err := Run(newSystem, o)
	switch {
	case err != nil:
		return nil, err
	case len(single.Findings) < len(parallel.Findings) && len(single.Left) > 0:
		return parallel, nil // a limit came first
	case o.All:
		parallel.Findings = single.Findings
		return parallel, nil
	}
	return single, nil
}
