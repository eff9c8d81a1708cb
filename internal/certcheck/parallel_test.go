package certcheck

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// TestOrderOfResults: what several workers end with does not depend on who of them is faster: results, refusals and disagreements may
// come in any order.
func TestOrderOfResults(t *testing.T) {
	data, _ := record(t, ltstest.Philosophers(5, true), cert.Full, false)
	for name, other := range map[string]ltstest.Model{
		"the same": ltstest.Philosophers(5, true), "deadlocks": ltstest.Philosophers(5, false), "another": ltstest.Philosophers(6, true),
	} {
		c := open(t, data)
		sys, _ := maker(other)()
		var list []examined
		if err := c.Slices(20, func(p *cert.Part) error {
			res, err := CheckPart(p, sys, false, false, Options{Seed: 7})
			list = append(list, examined{res, err})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if len(list) < 6 {
			t.Fatalf("%s: got %d parts, want 6", name, len(list))
		}
		// Two parts with one state under two numbers disagree.
		spoil := func(from, to int) {
			if name == "the same" {
				list[to].res.own[0].print = list[from].res.own[0].print
			}
		}
		spoil(1, 4)
		spoil(5, 3)
		want := ""
		for i := range 50 {
			r := &crew{all: NewCollector(false), stop: make(chan struct{}), waiting: map[int]examined{}, next: 1}
			order := rand.New(rand.NewPCG(uint64(i), 0)).Perm(len(list))
			if i == 0 {
				for n := range order {
					order[n] = n
				}
			}
			for _, n := range order {
				r.done(n+1, list[n])
			}
			got := fmt.Sprint(r.err, r.over, len(r.all.result.Findings), r.sum)
			if i == 0 {
				want = got
				if r.err == nil && len(r.all.result.Findings) == 0 {
					t.Errorf("%s: got no refusal and no finding", name)
				}
			} else if got != want {
				t.Errorf("%s, order %v: got %s, want %s", name, order, got, want)
			}
		}
	}
}
