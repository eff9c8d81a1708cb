package distribute

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestSampleSize: the size is the least one that catches as many forged results with the
// probability, counted over all samples.
func TestSampleSize(t *testing.T) {
	// choose returns the binomial coefficient.
	choose := func(n, k int) float64 {
		x := 1.0
		for i := range k {
			x *= float64(n-i) / float64(i+1)
		}
		return x
	}
	for _, test := range []struct {
		n, m, want int
	}{
		{4, 1, 4}, {20, 1, 20}, {200, 1, 199}, {200, 2, 186}, {200, 20, 45}, {128, 12, 44}, {1, 1, 1}, {3, 9, 1},
	} {
		a := Assurance{Confidence: 0.99}
		got := a.size(test.n, test.m, 1)
		m := min(test.m, test.n)
		probability := func(s int) float64 {
			if s > test.n-m {
				return 0
			}
			return choose(test.n-m, s) / choose(test.n, s)
		}
		if probability(got) > 0.005*(1+1e-9) || got > 0 && probability(got-1) <= 0.005 {
			t.Errorf("%d of %d: got %d, which misses with %v, and one less with %v", test.m, test.n, got, probability(got), probability(got-1))
		}
		if got != test.want {
			t.Errorf("%d of %d: got %d, want %d", test.m, test.n, got, test.want)
		}
	}
	if a := (Assurance{Share: 0.5}); a.size(9, 1, 1) != 5 {
		t.Errorf("got %d of 9, want half of them", a.size(9, 1, 1))
	}
	if a := (Assurance{Confidence: 0.99}); a.size(200, 20, 2) <= a.size(200, 20, 1) {
		t.Errorf("got %d after a lie, want more than %d", a.size(200, 20, 2), a.size(200, 20, 1))
	}
}

// TestLiarsFlag: a number or a share.
func TestLiarsFlag(t *testing.T) {
	for text, want := range map[string]int{"1": 1, "7": 7, "10%": 20, "0.1%": 1, "100%": 200, "900": 200} {
		var l Liars
		if err := l.Set(text); err != nil || l.String() != text || l.of(200) != want {
			t.Errorf("%s: got %s, %d of 200, %v, want %d", text, &l, l.of(200), err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "x", "0%", "101%", "NaN%", "1.5"} {
		if err := new(Liars).Set(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// cutSize returns how large parts have to be so that there are n.
func cutSize(t testing.TB, e *examination, n int) uint64 {
	t.Helper()
	for size := e.cert.Reader.Counts.Transitions/uint64(n) + 1; size > 0; size-- {
		if len(partsOf(t, e.cert.Reader, size)) == n {
			return size
		}
	}
	t.Fatalf("it cannot be cut into %d parts", n)
	return 0
}

// wrongAt returns a model like another one with one more finding, in a state.
func wrongAt(m ltstest.Model, wrong []byte) ltstest.Model {
	m.Wrong = func(s []byte) string {
		if bytes.Equal(s, wrong) {
			return "it is wrong"
		}
		return ""
	}
	return m
}

// TestLyingWorker: one of four workers does not say what is wrong with one part, and lies
// about nothing else. With -confidence 0.99 -liars 1 it is caught, and what it has not said
// is told, in at least 985 of 1,000 runs.
func TestLyingWorker(t *testing.T) {
	for _, test := range []struct{ parts, depth, runs int }{
		{4, 9, testlong.Or(100, 1000)}, {20, 9, testlong.Or(100, 1000)}, {200, 14, testlong.Or(10, 1000)},
	} {
		fine := ltstest.Tree(test.depth)
		file, r := recorded(t, fine)
		e := examination{cert: Certificate{File: file, Reader: r}}
		slice := cutSize(t, &e, test.parts)
		caught := 0
		for run := range test.runs {
			rnd := rand.New(rand.NewPCG(uint64(run), uint64(test.parts)))
			sys := ltstest.New(fine)
			for steps := sys.Enabled(nil); len(steps) > 0; steps = sys.Enabled(nil) {
				sys.Take(steps[rnd.IntN(len(steps))])
			}
			caught += lyingWorker(t, e.cert, slice, fine, wrongAt(fine, sys.AppendKey(nil)), rnd)
		}
		t.Logf("%d parts: caught in %d of %d runs", test.parts, caught, test.runs)
		if caught*1000 < 985*test.runs {
			t.Errorf("%d parts: got it caught in %d of %d runs", test.parts, caught, test.runs)
		}
	}
}

// lyingWorker makes a run, and returns 1 if the liar was caught. All workers have a system
// with which nothing is wrong, so the one with the part that has the wrong state lies.
func lyingWorker(t *testing.T, c Certificate, slice uint64, fine, wrong ltstest.Model, rnd *rand.Rand) int {
	c.Assurance = Assurance{Confidence: 0.99, Liars: Liars{Number: 1}}
	c.below = rnd.IntN
	e := &examination{s: newMemService(), own: wrong, cert: c, job: Job{Slice: slice}}
	e.s.hand = func(worker, task string) bool { // so that all have something to do
		return worker == fmt.Sprintf("w%d", partNumber(task)%4)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var crew []chan struct{}
	for i := range 4 {
		crew = append(crew, e.work(t, ctx, fmt.Sprintf("w%d", i), fine, nil))
	}
	res, err := e.run(ctx)
	cancel()
	for _, done := range crew {
		<-done
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Findings) == 0 {
		return 0
	}
	if said := strings.Join(e.view.said, "\n"); !strings.Contains(said, "it does not say") {
		t.Errorf("got a finding, and nobody has lied: %s", said)
	}
	return 1
}
