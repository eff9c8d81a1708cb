package certcheck

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// TestShortWays: parts of a deep search begin after a few steps, both kinds of parts, and a way that leads elsewhere is noticed.
func TestShortWays(t *testing.T) {
	for name, m := range map[string]ltstest.Model{"philosophers": ltstest.Philosophers(8, true), "scattered": scattered(1, 3000)} {
		data, _ := record(t, m, cert.Full, false)
		c := open(t, data)
		if c.Shortcuts == nil || c.Counts.Depth < 500 {
			t.Fatalf("%s: depth %d, short ways: %v", name, c.Counts.Depth, c.Shortcuts != nil)
		}
		var slices100, subgraphs []*cert.Part
		if err := c.Cut(100, func(p *cert.Part) error { slices100 = append(slices100, p); return nil }); err != nil {
			t.Fatal(err)
		}
		subgraphs, err := c.Parts(c.Subgraphs.Greedy(20, c.Counts.Transitions))
		if err != nil {
			t.Fatal(err)
		}
		for kind, parts := range map[string][]*cert.Part{"slices": slices100, "subgraphs": subgraphs} {
			all, steps, longest := NewCollector(false), 0, 0
			for _, p := range parts {
				sent, err := cert.ReadPart(p.Append(nil))
				if err != nil {
					t.Fatal(err)
				}
				r, err := CheckPart(sent, ltstest.New(m), false, false, Options{All: true})
				if err == nil {
					err = all.Add(r)
				}
				if err == nil {
					err = r.Accounts(p, false)
				}
				if err != nil {
					t.Fatalf("%s, %s, part %d: %v", name, kind, p.Number, err)
				}
				steps, longest = steps+p.Steps(), max(longest, p.Steps())
			}
			if _, err := all.Result(c); err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
			}
			t.Logf("%s, %s: depth %d, %d steps on average, %d at most", name, kind, c.Counts.Depth, steps/len(parts), longest)
			if steps/len(parts) > int(c.Counts.Depth)/4 {
				t.Errorf("%s, %s: %d steps to a part on average, in a search of depth %d", name, kind, steps/len(parts), c.Counts.Depth)
			}
		}
		for _, elsewhere := range []func(p *cert.Part){
			func(p *cert.Part) { p.Short = p.Short[:len(p.Short)-1] },
			func(p *cert.Part) { p.Short = append(slices.Clone(p.Short), p.Short[len(p.Short)-1]) },
			func(p *cert.Part) { p.Short = slices.Clone(p.Short); p.Short[0] = 1 << 20 },
			func(p *cert.Part) { p.Way = slices.Clone(p.Way); p.Way[0].State++ },
			func(p *cert.Part) { p.Base++ },
		} {
			if collect(c, m, slices100, elsewhere) == nil {
				t.Errorf("%s: a part that begins elsewhere is accepted", name)
			}
		}
		if err := collect(c, m, slices100, func(*cert.Part) {}); err != nil {
			t.Error(err)
		}
	}
}

// collect examines parts, of which the first that has a short way is changed.
func collect(c *cert.Reader, m ltstest.Model, parts []*cert.Part, change func(p *cert.Part)) error {
	all, changed := NewCollector(false), false
	for _, p := range parts {
		if len(p.Short) > 1 && !changed {
			own := *p
			p, changed = &own, true
			change(p)
		}
		r, err := CheckPart(p, ltstest.New(m), false, false, Options{})
		if err == nil {
			err = r.Accounts(p, false)
		}
		if err == nil {
			err = all.Add(r)
		}
		if err != nil {
			return err
		}
	}
	_, err := all.Result(c)
	return err
}
