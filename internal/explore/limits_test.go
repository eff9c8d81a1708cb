package explore

import (
	"errors"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// everyStrategy are searches to be cut off.
func everyStrategy() map[string]Options {
	o := complete()
	o["random"] = Options{Strategy: RandomWalk, Runs: 1 << 20}
	o["preemptions"] = Options{Strategy: Preemptions, MaxPreemptions: -1}
	return o
}

func leftFor(r *Result, why Reason) *Left {
	for i := range r.Left {
		if r.Left[i].Reason == why {
			return &r.Left[i]
		}
	}
	return nil
}

func TestLimits(t *testing.T) {
	m := ltstest.Grid(4, 9) // 10^4 states
	for name, o := range everyStrategy() {
		tick := int64(0)
		for why, limit := range map[Reason]func(*Options){
			LimitStates: func(o *Options) { o.Limits.States = 500 },
			LimitDepth:  func(o *Options) { o.Limits.Depth = 5 },
			LimitMemory: func(o *Options) { o.Limits.Memory = 1 },
			LimitTime: func(o *Options) {
				o.Workers = 1
				o.Clock = func() int64 { tick++; return tick }
				o.Limits.Time = 3
			},
			Interrupted: func(o *Options) { o.Interrupt = func() bool { return true } },
		} {
			if why == LimitDepth && o.Strategy == RandomWalk {
				continue // there it is the length of a walk
			}
			limited := o
			limit(&limited)
			r := runToy(t, m, limited)
			left := leftFor(r, why)
			if r.Verdict != Inconclusive || left == nil || left.Count == 0 || left.Text == "" {
				t.Errorf("%s, limit of %s: got %v", name, why, r)
			}
			if why == LimitStates && o.Strategy != Swarm && (r.States < 500 || r.States >= 500+int64(max(o.Workers, 1))) {
				t.Errorf("%s: got %d states, want 500", name, r.States)
			}
			if why == LimitDepth && r.MaxDepth > 5 {
				t.Errorf("%s: got depth %d, want 5", name, r.MaxDepth)
			}
		}
	}
	// Limits that are not reached leave nothing out.
	for name, o := range complete() {
		o.Limits = Limits{States: 10_001, Depth: 37, Memory: 1 << 30, Time: 1 << 40}
		o.Clock = func() int64 { return 0 }
		if r := runToy(t, m, o); r.Verdict != Verified || r.States != 10_000 {
			t.Errorf("%s: got %v, want 10000 states verified", name, r)
		}
	}
	// Breadth-first, the states within a depth are all seen: there are 35 ways to
	// write 4 or less as a sum of 3 numbers.
	r := runToy(t, ltstest.Grid(3, 9), Options{Strategy: BreadthFirst, Limits: Limits{Depth: 4}})
	if r.States != 35 || leftFor(r, LimitDepth).Count != 15 {
		t.Errorf("within 4 steps: got %v, want 35 states, 15 of them with steps", r)
	}
}

func TestLossySetsProveNothing(t *testing.T) {
	bits := func() stateset.Set { return stateset.NewBitstate(1 << 20) }
	for name, o := range everyStrategy() {
		o.NewSet = bits
		o.Runs = 3
		r := runToy(t, ltstest.Grid(2, 3), o)
		if r.Verdict != Inconclusive || leftFor(r, Store) == nil {
			t.Errorf("%s: got %v, want it inconclusive", name, r)
		}
	}
}

func TestSystemBounds(t *testing.T) {
	m := ltstest.Tree(3)
	m.Beyond = func(w []byte) error {
		if w[0] == 2 && w[2] != 0 {
			return errors.New("server.go:4:1: call of assembly: not supported")
		}
		return nil
	}
	for name, o := range everyStrategy() {
		o.Runs = 20
		r := runToy(t, m, o)
		left := leftFor(r, SystemBound)
		if r.Verdict != Inconclusive || left == nil || left.Path != nil && left.Path[0] != 1 {
			t.Errorf("%s: got %v, want it inconclusive", name, r)
			continue
		}
		if o.Strategy < RandomWalk && left.Count != 4 {
			t.Errorf("%s: got %d states at the bound, want 4", name, left.Count)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, o := range []Options{
		{Limits: Limits{Time: 1}},
		{Workers: 2, Checkpoint: "x"},
		{Strategy: Swarm, Resume: "x"},
		{Resume: "does not exist"},
	} {
		if _, err := Run(func() (lts.System, error) { return ltstest.New(ltstest.Jugs()), nil }, o); err == nil {
			t.Errorf("%+v: got no error", o)
		}
	}
	failed := errors.New("no peer")
	for name, o := range everyStrategy() {
		if _, err := Run(func() (lts.System, error) { return nil, failed }, o); err != failed {
			t.Errorf("%s: got %v, want the error of making a system", name, err)
		}
	}
	if s, err := ParseStrategy("bfs"); err != nil || s != BreadthFirst {
		t.Errorf("bfs: got %v, %v", s, err)
	}
	if _, err := ParseStrategy("best"); err == nil {
		t.Error("best: got no error")
	}
}

func TestProgress(t *testing.T) {
	for name, o := range complete() {
		var last Progress
		calls, clock := 0, int64(0)
		o.Clock = func() int64 { clock += 1e6; return clock }
		if o.Workers > 1 {
			o.Clock = nil // one worker alone may use this one
		}
		o.Progress = func(p Progress) {
			if p.States < last.States || p.Bytes <= 0 || o.Clock != nil && p.Rate <= 0 {
				t.Errorf("%s: got %+v after %+v", name, p, last)
			}
			last = p
			calls++
		}
		runToy(t, ltstest.Grid(4, 9), o)
		if o.Workers < 2 && (calls == 0 || last.Transitions == 0 || last.Depth == 0 || last.Frontier == 0) {
			t.Errorf("%s: got %d calls, the last with %+v", name, calls, last)
		}
	}
}
