package certcheck

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/recheck"
	"pgregory.net/rapid"
)

func maker(m ltstest.Model) func() (lts.System, error) {
	return func() (lts.System, error) { return ltstest.New(m), nil }
}

// record searches a toy and returns its certificate, and what the search found.
func record(t testing.TB, m ltstest.Model, kind cert.Kind, reduce bool) ([]byte, *explore.Result) {
	t.Helper()
	var out bytes.Buffer
	w, err := cert.NewWriter(&out, cert.Header{Kind: kind, Reduce: reduce})
	if err != nil {
		t.Fatal(err)
	}
	r := cert.NewRecorder(w)
	res, err := explore.Run(maker(m), explore.Options{All: true, Reduce: reduce, Observer: r})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(nil); err != nil {
		t.Fatal(err)
	}
	twice(t, out.Bytes(), m, kind, res)
	return out.Bytes(), res
}

// twice has the second checker examine a certificate, which finds something wrong if the search has.
func twice(t interface{ Fatalf(string, ...any) }, data []byte, m ltstest.Model, kind cert.Kind, res *explore.Result) {
	if kind != cert.Full {
		return // it has to be trusted
	}
	err := recheck.Examine(data, ltstest.New(m), 1_000_000)
	if right := len(res.Findings) == 0; right != (err == nil) || diag.ExitCode(err) == diag.ExitIncomplete {
		t.Fatalf("the search has found %v, and the second checker says: %v", res.Findings, err)
	}
}

func open(t testing.TB, data []byte) *cert.Reader {
	t.Helper()
	c, err := cert.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var toys = map[string]ltstest.Model{
	"grid":         ltstest.Grid(4, 5),
	"philosophers": ltstest.Philosophers(7, true),
	"deadlock":     ltstest.Philosophers(5, false),
	"ring":         ltstest.Ring(6),
	"mutex":        ltstest.Mutex(3, false),
	"tree":         ltstest.Tree(9),
	"lasso":        ltstest.Lasso(300, 50),
	"jugs":         ltstest.Jugs(),
	"one":          ltstest.Grid(1, 0),
}

// same compares what was found with what the search found.
func same(got *Result, want *explore.Result) error {
	if int64(got.Counts.States) != want.States || int64(got.Counts.Transitions) != want.Transitions {
		return fmt.Errorf("got %d states, %d transitions, want %d, %d", got.Counts.States, got.Counts.Transitions, want.States, want.Transitions)
	}
	if g, w := findings(got.Findings, func(f Found) string { return f.Error() }), findings(want.Findings, func(f explore.Found) string { return f.Error() }); !slices.Equal(g, w) {
		return fmt.Errorf("got findings %q, want %q", g, w)
	}
	return nil
}

func findings[F any](list []F, text func(F) string) []string {
	var out []string
	for _, f := range list {
		out = append(out, text(f))
	}
	slices.Sort(out)
	return out
}

// TestCheck: what the search saw is what is examined, with one worker and with
// more, whatever the size of slices; and findings are where they say.
func TestCheck(t *testing.T) {
	for name, m := range toys {
		data, want := record(t, m, cert.Full, false)
		c := open(t, data)
		for _, o := range []Options{{All: true}, {All: true, Workers: 3, Slice: 7}, {All: true, Workers: 2, Slice: 1, Seed: 5}, {All: true, Workers: 2}} {
			got, err := Check(c, maker(m), false, o)
			if err != nil {
				t.Errorf("%s, %d workers: %v", name, o.Workers, err)
				continue
			}
			if err := same(got, want); err != nil {
				t.Errorf("%s, %d workers: %v", name, o.Workers, err)
			}
			ahead, err := Check(c, foreseeing(m), false, o)
			if err != nil {
				t.Errorf("%s, %d workers, looking ahead: %v", name, o.Workers, err)
			} else if err := same(ahead, want); err != nil {
				t.Errorf("%s, %d workers, looking ahead: %v", name, o.Workers, err)
			}
			for _, f := range got.Findings {
				if f.Kind != "wrong" {
					continue
				}
				sys := ltstest.New(m)
				if err := lts.Replay(sys, f.Path); err != nil || len(sys.(lts.Checker).CheckState(nil)) == 0 {
					t.Errorf("%s: %v is not at %v: %v", name, f.Error(), f.Path, err)
				}
			}
		}
	}
}

// TestReduced: the graph of a reduction is certified with it, and not without.
func TestReduced(t *testing.T) {
	m := ltstest.Grid(3, 3)
	data, want := record(t, m, cert.Full, true)
	got, err := Check(open(t, data), maker(m), false, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := same(got, want); err != nil {
		t.Error(err)
	}
	m.Reduced = nil
	var d *Deviation
	if _, err := Check(open(t, data), maker(m), false, Options{}); !errors.As(err, &d) || d.Reason != FalseSeen {
		t.Errorf("got %v, want %q", err, FalseSeen)
	}
}

// TestTrustful: each state is seen once, and what is wrong with states is found.
func TestTrustful(t *testing.T) {
	for name, m := range toys {
		for _, kind := range []cert.Kind{cert.Full, cert.Tree} {
			data, want := record(t, m, kind, false)
			c := open(t, data)
			if kind == cert.Tree {
				if _, err := Check(c, maker(m), false, Options{}); err == nil {
					t.Errorf("%s: a tree was examined as if it were everything", name)
				}
			}
			for _, workers := range []int{1, 3} {
				got, err := Check(c, maker(m), true, Options{All: true, Workers: workers, Slice: 10})
				if err != nil {
					t.Errorf("%s %s: %v", name, kind, err)
					continue
				}
				want := *want
				want.Transitions = want.States - 1
				if err := same(got, &want); err != nil || !got.Trusted {
					t.Errorf("%s %s, %d workers: %v", name, kind, workers, err)
				}
			}
		}
	}
}

// TestGreedy: the parts of figure 4 together are the whole, and none is empty.
func TestGreedy(t *testing.T) {
	for name, m := range toys {
		data, want := record(t, m, cert.Full, false)
		c := open(t, data)
		for _, k := range []int{1, 2, 5, 20} {
			parts, err := c.Parts(c.Subgraphs.Greedy(k, c.Counts.Transitions))
			if err != nil {
				t.Fatal(err)
			}
			all := NewCollector(false)
			for _, p := range parts {
				p, err := cert.ReadPart(p.Append(nil))
				if err != nil {
					t.Fatal(err)
				}
				r, err := CheckPart(p, ltstest.New(m), false, false, Options{All: true})
				if err != nil {
					t.Fatalf("%s, part %d of %d: %v", name, p.Number, k, err)
				}
				for range 2 { // a result may come twice
					if err := all.Add(r); err != nil {
						t.Fatal(err)
					}
				}
			}
			got, err := all.Result(c)
			if err != nil {
				t.Fatal(err)
			}
			if err := same(got, want); err != nil {
				t.Errorf("%s in %d parts: %v", name, k, err)
			}
		}
	}
}

// TestBalance pins how large the largest part is, of those of figure 4 and of
// slices.
func TestBalance(t *testing.T) {
	data, _ := record(t, ltstest.Philosophers(9, true), cert.Full, false)
	c := open(t, data)
	for _, test := range []struct {
		k             int
		slice, greedy float64
	}{{10, 0.102, 0.16}, {100, 0.013, 0.08}} {
		largest := uint64(0)
		n := 0
		all := NewCollector(false)
		err := c.Cut(test.k, func(p *cert.Part) error {
			n++
			r, err := CheckPart(p, ltstest.New(ltstest.Philosophers(9, true)), false, false, Options{})
			if err != nil {
				return err
			}
			largest = max(largest, r.Counts.Transitions)
			return all.Add(r)
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := all.Result(c); err != nil {
			t.Error(err)
		}
		if got := float64(largest) / float64(c.Counts.Transitions); got > test.slice || n != test.k {
			t.Errorf("%d slices, largest %.4f, want %d, %.4f", n, got, test.k, test.slice)
		}
		parts, err := c.Parts(c.Subgraphs.Greedy(test.k, c.Counts.Transitions))
		if err != nil {
			t.Fatal(err)
		}
		largest = 0
		for _, p := range parts {
			largest = max(largest, p.Transitions)
		}
		got := float64(largest) / float64(c.Counts.Transitions)
		t.Logf("%d parts: greedy largest %.4f", len(parts), got)
		if got > test.greedy {
			t.Errorf("%d parts, largest %.4f, want %.4f", len(parts), got, test.greedy)
		}
	}
}

// TestTreeBalance: of a tree it is known what each event stands for, so parts differ by
// one at most.
func TestTreeBalance(t *testing.T) {
	m := ltstest.Philosophers(8, true)
	data, _ := record(t, m, cert.Tree, false)
	c := open(t, data)
	const k = 50
	n, sum, least, most := 0, uint64(0), c.Counts.Transitions, uint64(0)
	err := c.Cut(k, func(p *cert.Part) error {
		r, err := CheckPart(p, ltstest.New(m), false, true, Options{})
		if err == nil {
			n++
			sum, least, most = sum+r.Counts.Transitions, min(least, r.Counts.Transitions), max(most, r.Counts.Transitions)
		}
		return err
	})
	if err != nil || n != k || sum != c.Counts.Transitions || most > least+1 {
		t.Errorf("got %d parts of %d to %d, %d in all, %v, want %d, %d in all", n, least, most, sum, err, k, c.Counts.Transitions)
	}
}

// TestRandomPrograms: certificates of generated programs, reduced and not.
func TestRandomPrograms(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := ltstest.DrawProgram(rt).Model()
		reduce := rapid.Bool().Draw(rt, "reduce")
		data, want := record(t, m, cert.Full, reduce)
		for _, workers := range []int{1, 2} {
			got, err := Check(open(t, data), maker(m), false, Options{All: true, Workers: workers, Slice: 5})
			if err == nil {
				err = same(got, want)
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
	})
}

// TestOtherProgram: a script of one system does not fit another one.
func TestOtherProgram(t *testing.T) {
	data, _ := record(t, ltstest.Philosophers(5, true), cert.Full, false)
	for _, m := range []ltstest.Model{ltstest.Philosophers(5, false), ltstest.Philosophers(6, true), ltstest.Grid(5, 2), ltstest.Ring(5)} {
		var d *Deviation
		if _, err := Check(open(t, data), maker(m), false, Options{}); !errors.As(err, &d) {
			t.Errorf("got %v, want a deviation", err)
		}
	}
}

// TestInterrupt ends an examination.
func TestInterrupt(t *testing.T) {
	data, _ := record(t, toys["philosophers"], cert.Full, false)
	for _, workers := range []int{1, 2} {
		_, err := Check(open(t, data), maker(toys["philosophers"]), false, Options{Workers: workers, Interrupt: func() bool { return true }})
		if err != error(Stopped) {
			t.Errorf("%d workers: got %v, want %v", workers, err, Stopped)
		}
	}
}

// readAll returns the events of a certificate.
func readAll(t testing.TB, c *cert.Reader) []cert.Event {
	var events []cert.Event
	for s := c.Script(); ; {
		e, err := s.Next()
		if err == io.EOF {
			return events
		}
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
}
