package certcheck

import (
	"math/rand/v2"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// scattered is a graph of so many states, each with one to seven steps to states that
// are not far away.
func scattered(seed uint64, states int) ltstest.Model {
	r := rand.New(rand.NewPCG(seed, 0))
	g := make(ltstest.Graph, states)
	for i := range g {
		for range 1 + r.IntN(7) {
			g[i] = append(g[i], (i+1+r.IntN(9))%states)
		}
	}
	return g.Model(0, -1)
}

// cutSizes examines k parts of a certificate and returns the largest one.
func cutSizes(t *testing.T, m ltstest.Model, kind cert.Kind, k int) (largest, total uint64, parts int) {
	t.Helper()
	data, _ := record(t, m, kind, false)
	c := open(t, data)
	trustful := kind == cert.Tree
	all := NewCollector(trustful)
	err := c.Cut(k, func(p *cert.Part) error {
		parts++
		r, err := CheckPart(p, ltstest.New(m), false, trustful, Options{All: true})
		if err != nil {
			return err
		}
		size := r.Counts.Transitions
		if trustful {
			size = uint64(r.Counts.States)
		}
		largest, total = max(largest, size), total+size
		return all.Add(r)
	})
	if err == nil {
		_, err = all.Result(c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return largest, total, parts
}

// TestSmallParts pins how large the largest of parts of a few transitions is, and that
// there are as many as were asked for. A hundredth is 2.19, 1.56 and 43.2 transitions,
// and 3 states.
func TestSmallParts(t *testing.T) {
	for _, test := range []struct {
		name string
		m    ltstest.Model
		kind cert.Kind
		want uint64
	}{
		{"philosophers", ltstest.Philosophers(5, true), cert.Full, 5},
		{"mutex", ltstest.Mutex(3, false), cert.Full, 3},
		{"grid", ltstest.Grid(4, 5), cert.Full, 47},
		{"scattered", scattered(0, 300), cert.Tree, 3},
	} {
		if got, total, parts := cutSizes(t, test.m, test.kind, 100); got > test.want || parts != 100 {
			t.Errorf("%s: got %d parts, the largest of %d of %d, want 100 parts of at most %d", test.name, parts, got, total, test.want)
		}
	}
}
