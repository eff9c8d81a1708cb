package certcheck

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/zeebo/xxh3"
	"pgregory.net/rapid"
)

// A searching system counts where its reduction is asked for in vain, since all steps
// are followed, and where it is not.
type searching struct {
	toy
	vain, useful int
}

func (s *searching) Reduced(dst []lts.Step) []lts.Step {
	n := len(dst)
	dst = s.toy.Reduced(dst)
	switch all := len(s.Enabled(nil)); {
	case all < 2: // it need not be looked for
	case all == len(dst)-n:
		s.vain++
	default:
		s.useful++
	}
	return dst
}

// TestChoices: who certifies asks for the reduction only where it leaves out something.
func TestChoices(t *testing.T) {
	m := halfReduced.Model()
	searched := &searching{toy: ltstest.New(m).(toy)}
	if _, err := explore.Run(func() (lts.System, error) { return searched, nil }, explore.Options{Reduce: true}); err != nil {
		t.Fatal(err)
	}
	if searched.vain < 10 || searched.useful < 5 {
		t.Fatalf("the search asked %d times in vain and %d times not: too few to tell", searched.vain, searched.useful)
	}
	data, want := record(t, m, cert.Full, true)
	for _, trustful := range []bool{false, true} {
		s := &searching{toy: ltstest.New(m).(toy)}
		got, err := Check(open(t, data), func() (lts.System, error) { return s, nil }, trustful, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := same(got, want); err != nil && !trustful {
			t.Error(err)
		}
		if s.vain > 0 || s.useful > searched.useful || s.useful == 0 {
			t.Errorf("trustful %v: got %d times in vain, %d times not, want 0, %d", trustful, s.vain, s.useful, searched.useful)
		}
	}
	// Ways to parts are gone without looking for sets, too.
	s := &searching{toy: ltstest.New(m).(toy)}
	c := open(t, data)
	all := NewCollector(false)
	err := c.Cut(9, func(p *cert.Part) error {
		p, err := cert.ReadPart(p.Append(nil))
		if err != nil {
			return err
		}
		r, err := CheckPart(p, s, true, false, Options{})
		if err != nil {
			return err
		}
		return all.Add(r)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := all.Result(c); err != nil {
		t.Error(err)
	} else if err := same(got, want); err != nil {
		t.Error(err)
	}
	if s.vain > 0 {
		t.Errorf("parts: got %d times in vain, want 0", s.vain)
	}
}

// TestFalseChoices: a script that says of one state what is not so is refused, unless it
// is one of which reduction keeps all steps.
func TestFalseChoices(t *testing.T) {
	m := halfReduced.Model()
	original := take(t, victim{m, true})
	got := map[string]int{}
	for i := range original.events {
		e := original.events[i]
		if e.op != fresh || e.choice == cert.Either {
			continue
		}
		s := original.clone()
		s.events[i].choice = cert.All - e.choice
		data, _ := s.bytes()
		reason := refuse(t, fmt.Sprint("event ", i), m, data, original, Options{})
		if (reason == "") != (e.choice == cert.All) {
			t.Errorf("event %d: choice %d is told as the other one: got %q", i, e.choice, reason)
		}
		got[string(reason)]++
	}
	if got[string(FalseSeen)]+got[string(Omitted)] == 0 || got[""] == 0 {
		t.Errorf("got %v: not all that there is", got)
	}
}

// A willful system keeps all steps of some states of which its reduction keeps fewer.
type willful struct {
	toy
	seed, odds uint64 // odds of 4
}

func (w *willful) Reduced(dst []lts.Step) []lts.Step {
	if xxh3.HashSeed(w.AppendKey(nil), w.seed)%4 < w.odds {
		return w.Enabled(dst)
	}
	return w.toy.Reduced(dst)
}

// TestMixedChoices: any choice of states in which all steps are followed is certified,
// and what is found is what a search of everything finds.
func TestMixedChoices(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := ltstest.DrawProgram(rt).Model()
		odds := rapid.Uint64Range(0, 4).Draw(rt, "odds")
		var out bytes.Buffer
		w, err := cert.NewWriter(&out, cert.Header{Kind: cert.Full, Reduce: true})
		if err != nil {
			rt.Fatal(err)
		}
		r := cert.NewRecorder(w)
		sys := &willful{toy: ltstest.New(m).(toy), seed: rapid.Uint64().Draw(rt, "seed"), odds: odds}
		want, err := explore.Run(func() (lts.System, error) { return sys, nil }, explore.Options{All: true, Reduce: true, Observer: r})
		if err != nil {
			rt.Fatal(err)
		}
		if err := r.Close(nil); err != nil {
			rt.Fatal(err)
		}
		twice(rt, out.Bytes(), m, cert.Full, want)
		plain, err := explore.Run(maker(m), explore.Options{All: true})
		if err != nil {
			rt.Fatal(err)
		}
		if odds == 4 && plain.Transitions != want.Transitions {
			rt.Fatalf("all steps are followed: got %d transitions, want %d", want.Transitions, plain.Transitions)
		}
		for _, workers := range []int{1, 2} {
			got, err := Check(open(t, out.Bytes()), maker(m), false, Options{All: true, Workers: workers, Slice: 5})
			if err == nil {
				err = same(got, want)
			}
			if err != nil {
				rt.Fatalf("%d workers: %v", workers, err)
			}
			text := func(f explore.Found) string { return f.Error() }
			if g, w := findings(got.Findings, func(f Found) string { return f.Error() }), findings(plain.Findings, text); !slices.Equal(g, w) {
				rt.Fatalf("%d workers: got %q, want %q", workers, g, w)
			}
		}
	})
}
