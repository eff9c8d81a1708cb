package explore

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// TestEstimate: when searches of toys are cut off, the states that are left are guessed within a factor of ten. Real programs are
// for make estimates.
func TestEstimate(t *testing.T) {
	for _, test := range []struct {
		name string
		m    ltstest.Model
	}{
		{"tree", ltstest.Tree(14)},
		{"grid", ltstest.Grid(4, 8)},
		{"many steps", ltstest.Grid(8, 2)},
	} {
		all := runToy(t, test.m, Options{All: true}).States
		for _, percent := range []int64{5, 10, 30, 50, 90} {
			o := Options{All: true, Limits: Limits{States: all * percent / 100}}
			r := runToy(t, test.m, o)
			e := r.Estimate
			guess := r.States + e.Left
			if !e.Known() || guess > 10*all || guess < all/10 {
				t.Errorf("%s: after %d states got %d (%+v), want about %d", test.name, r.States, guess, e, all)
			}
			if again := runToy(t, test.m, o).Estimate; again != e {
				t.Errorf("%s: got %+v and %+v, want the same from equal searches", test.name, e, again)
			}
		}
	}
}

// TestNoEstimate: nothing is said of a search that may have no end, nor of one that was over.
func TestNoEstimate(t *testing.T) {
	counts := func(state []byte) {
		for i := range state {
			if state[i]++; state[i] != 0 {
				break
			}
		}
	}
	endless := ltstest.Model{
		Start:   make([]byte, 4),
		Enabled: func(_ []byte, dst []lts.Step) []lts.Step { return append(dst, 0) },
		Take:    func(state []byte, _ lts.Step) { counts(state) },
	}
	// A step that leads back comes before the one that counts, and so all but the last of them is always done.
	back := endless
	back.Enabled = func(_ []byte, dst []lts.Step) []lts.Step { return append(dst, 0, 1) }
	back.Take = func(state []byte, s lts.Step) {
		if s == 0 {
			clear(state)
		} else {
			counts(state)
		}
	}
	// Each count has a few states besides.
	wide := endless
	wide.Start = make([]byte, 5)
	wide.Enabled = func(state []byte, dst []lts.Step) []lts.Step {
		if state[0] < 10 {
			dst = append(dst, 0)
		}
		if state[0] == 0 {
			dst = append(dst, 1)
		}
		return dst
	}
	wide.Take = func(state []byte, s lts.Step) {
		if s == 0 {
			state[0]++
		} else {
			counts(state[1:])
		}
	}
	for name, m := range map[string]ltstest.Model{"counter": endless, "back": back, "wide": wide} {
		for _, states := range []int64{10, 100, 1000, 20_000} {
			if r := runToy(t, m, Options{Limits: Limits{States: states}}); r.Estimate.Known() {
				t.Errorf("%s, %d states: got %+v, want nothing", name, states, r.Estimate)
			}
		}
	}
	if r := runToy(t, ltstest.Grid(3, 3), Options{}); r.Estimate.Known() {
		t.Errorf("got %+v of a search that is over", r.Estimate)
	}
}
