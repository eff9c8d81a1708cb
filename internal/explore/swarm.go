package explore

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sync/atomic"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// A swarm (Holzmann, Joshi and Groce, 2008) is for systems that are too large:
// many depth-first searches, each with limits and perhaps a lossy set of its own,
// and each taking steps in an order of its own. They see more different states
// than one search with the same memory. Limits are those of each member.
//
// Members do not share anything, so each one's result is the same each time. The
// swarm's result is that of the members in their order up to the first that
// decides: it found something, or it left nothing.

const defaultMembers = 8

// byHash returns an order of steps that depends on the state and a seed.
func byHash(seed uint64) func([]byte, []lts.Step) {
	return func(digest []byte, steps []lts.Step) {
		h := seed
		for len(digest) >= 8 {
			h = mix(h ^ binary.LittleEndian.Uint64(digest))
			digest = digest[8:]
		}
		for _, b := range digest {
			h = mix(h ^ uint64(b))
		}
		slices.SortFunc(steps, func(a, b lts.Step) int {
			return cmp.Or(cmp.Compare(mix(h^uint64(a)), mix(h^uint64(b))), cmp.Compare(a, b))
		})
	}
}

func runSwarm(newSystem func() (lts.System, error), o Options) (*Result, error) {
	runs := o.Members()
	results := make([]*Result, runs)
	errs := make([]error, o.Workers)
	var next, decided atomic.Int64
	decided.Store(int64(runs))
	together(min(o.Workers, runs), func() { decided.Store(0) }, func(w int) {
		own := o
		if w > 0 {
			own.Progress = nil
		}
		sys, err := newSystem()
		if err != nil {
			errs[w] = err
			return
		}
		c := newCursor(sys, o.Reduce)
		for i := next.Add(1) - 1; i < decided.Load(); i = next.Add(1) - 1 {
			results[i] = member(own, c, i)
			if decides(results[i], o.All) {
				lower(&decided, i)
			}
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return gather(results, o), nil
}

// Members returns how many searches a swarm has.
func (o *Options) Members() int {
	if o.Runs <= 0 {
		return defaultMembers
	}
	return o.Runs
}

// RunMember runs one search of a swarm, for swarms whose members are in different
// processes. Members are numbered from 0.
func RunMember(sys lts.System, o Options, i int) (*Result, error) {
	if o.Limits.Time > 0 && o.Clock == nil {
		return nil, diag.Usagef("a limit of time needs a clock")
	}
	if o.NewSet == nil {
		o.NewSet = func() stateset.Set { return stateset.NewFingerprints() }
	}
	o.Workers = 1
	return member(o, newCursor(sys, o.Reduce), int64(i)), nil
}

// Decides reports whether a swarm is over with the result of a member: it found
// something, unless all findings are wanted, or left nothing.
func Decides(r *Result, all bool) bool { return decides(r, all) }

// Gather makes one result of those of the members of a swarm, in their order. Those
// that did not end are nil.
func Gather(results []*Result, all bool) *Result {
	ended := slices.DeleteFunc(slices.Clone(results), func(r *Result) bool { return r == nil })
	return gather(ended, Options{All: all})
}

// member runs one search of a swarm. The first has the usual order.
func member(o Options, c *cursor, i int64) *Result {
	s := newSearch(o)
	defer s.set.Close()
	d := newDepthFirst(s, c)
	defer d.free()
	if i > 0 {
		d.order = byHash(mix(o.Seed ^ mix(uint64(i))))
	}
	d.start()
	d.run() // fails only with a checkpoint, and there is none
	return s.result()
}

// decides reports whether members after this one are not needed.
func decides(r *Result, all bool) bool {
	return len(r.Left) == 0 || len(r.Findings) > 0 && !all
}

// lower stores x if it is less.
func lower(a *atomic.Int64, x int64) {
	for old := a.Load(); x < old && !a.CompareAndSwap(old, x); old = a.Load() {
	}
}

// gather makes one result of those of the members.
func gather(results []*Result, o Options) *Result {
	sum := &Result{Verdict: Inconclusive, Bound: -1}
	t := tally{all: o.All}
	for _, r := range results {
		sum.States += r.States
		sum.Transitions += r.Transitions
		sum.Revisited += r.Revisited
		sum.MaxDepth = max(sum.MaxDepth, r.MaxDepth)
		sum.Bytes = max(sum.Bytes, r.Bytes)
		sum.More += r.More
		for _, f := range r.Findings {
			t.find(f.Finding, func() lts.Path { return f.Path })
		}
		if len(r.Left) == 0 {
			t.left = nil // it has seen everything, whatever the others left
		} else {
			for _, l := range r.Left {
				t.leave(l)
			}
		}
		if decides(r, o.All) {
			if len(r.Left) == 0 && len(r.Findings) == 0 {
				sum.Verdict = Verified
			}
			break
		}
	}
	sum.Findings, sum.Left, sum.More = t.findings, t.left, sum.More+t.more
	if len(sum.Findings) > 0 {
		sum.Verdict = Violation
	}
	return sum
}
