package trace

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// started returns a minimiser that knows a path.
func started(t *testing.T, sys lts.System, path lts.Path, f diag.Finding) *minimiser {
	t.Helper()
	m := &minimiser{w: newWalker(newProbe(sys), 10_000), same: SameAs(f), limit: len(path)}
	if err := m.start(path); err != nil {
		t.Fatal(err)
	}
	return m
}

// Each way to change a path, alone, on a path that it is made for.
func TestEdits(t *testing.T) {
	write := func(object int) ltstest.Op { return ltstest.Op{Kind: ltstest.OpWrite, Object: object, Value: 1} }
	lock := func(object int) ltstest.Op { return ltstest.Op{Kind: ltstest.OpLock, Object: object} }
	wrong := ltstest.Op{Kind: ltstest.OpAssert, Object: 0, Value: 1}
	program := func(p ltstest.Program) lts.System { return ltstest.New(p.Model()) }
	overwrite := ltstest.Program{{write(0), {Kind: ltstest.OpWrite, Object: 1, Value: 2}, wrong}, {write(1), write(1)}}
	jugs := diag.Finding{Kind: "wrong", Message: "4 gallons in the big jug"}
	failed := diag.Finding{Kind: "wrong", Message: "an assertion failed"}
	for _, test := range []struct {
		name    string
		sys     lts.System
		path    lts.Path
		finding diag.Finding
		edit    func(*minimiser)
		want    lts.Path
	}{
		// The steps do not depend on each other. The last one stays where it is.
		{"commute", program(ltstest.Program{{write(0), write(0), write(0), wrong}, {write(1), write(1), write(1)}}),
			lts.Path{0, 1, 0, 1, 0, 1, 0}, failed, (*minimiser).commute, lts.Path{0, 0, 0, 1, 1, 1, 0}},
		// Moved together, the steps of the second thread leave another state behind.
		{"join", program(overwrite), lts.Path{1, 0, 0, 1, 0}, failed, (*minimiser).join, lts.Path{1, 1, 0, 0, 0}},
		{"commute keeps states", program(overwrite), lts.Path{1, 0, 0, 1, 0}, failed, (*minimiser).commute, lts.Path{0, 0, 1, 1, 0}},
		{"drop actors", program(ltstest.Program{{write(0), wrong}, {write(1), write(1)}, {write(2)}}),
			lts.Path{1, 0, 2, 1, 0}, failed, (*minimiser).dropActors, lts.Path{0, 0}},
		// A meal is three steps: to leave out one or two of them will not do.
		{"drop steps", ltstest.New(ltstest.Philosophers(3, false)),
			lts.Path{0, 2, 0, 0, 0, 1}, deadlock, (*minimiser).dropSteps, lts.Path{0, 2, 1}},
		// The small jug is filled and emptied again.
		{"cut loops", ltstest.New(ltstest.Jugs()),
			lts.Path{0, 2, 1, 5, 2, 5, 1, 5}, jugs, (*minimiser).cutLoops, lts.Path{1, 5, 2, 5, 1, 5}},
		// The last one to be picked first deadlocks soonest.
		{"schedules", program(ltstest.Program{{lock(0), write(1)}, {lock(1), write(1)}, {lock(0)}}),
			lts.Path{0, 1, 0, 1}, deadlock, (*minimiser).schedules, lts.Path{2, 1, 1}},
	} {
		m := started(t, test.sys, test.path, test.finding)
		test.edit(m)
		if got := m.best.path(); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// A path as a depth-first search finds it: twenty threads that lock and unlock in
// turns, and at last lock for good. The budget is much too small for a proof.
func TestMinimiseLongPath(t *testing.T) {
	var p ltstest.Program
	for thread := range 20 {
		var ops []ltstest.Op
		for i := range 40 {
			object := (thread + i) % ltstest.Objects
			ops = append(ops, ltstest.Op{Kind: ltstest.OpLock, Object: object},
				ltstest.Op{Kind: ltstest.OpWrite, Object: i % ltstest.Objects, Value: byte(thread)},
				ltstest.Op{Kind: ltstest.OpUnlock, Object: object})
		}
		p = append(p, append(ops, ltstest.Op{Kind: ltstest.OpLock}))
	}
	sys := ltstest.New(p.Model())
	var path lts.Path
	for x := uint64(1); ; x = x*6364136223846793005 + 1442695040888963407 {
		enabled := sys.Enabled(nil)
		if len(enabled) == 0 {
			break
		}
		s := enabled[x>>33%uint64(len(enabled))]
		sys.Take(s)
		path = append(path, s)
	}
	before, _ := lts.Switches(sys, path)
	m, err := Minimise(sys, path, SameAs(deadlock), 50_000)
	if err != nil {
		t.Fatal(err)
	}
	if before < 1000 || m.Switches > 20 || m.Fewest() {
		t.Errorf("got %d switches of at least %d, want no more than 20 of the %d", m.Switches, m.AtLeast, before)
	}
	if _, err := Record(sys, m.Path, m.Finding); err != nil {
		t.Error(err)
	}
}
