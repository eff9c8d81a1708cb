package certcheck

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// parts returns the parts of a certificate, as another process reads them, and what
// the examination of each one says.
func parts(t testing.TB, m ltstest.Model, data []byte, k int, trustful bool) (list []*cert.Part, results []*PartResult) {
	t.Helper()
	sys, _ := maker(m)()
	err := open(t, data).Cut(k, func(p *cert.Part) error {
		p, err := cert.ReadPart(p.Append(nil))
		if err != nil {
			return err
		}
		r, err := CheckPart(p, sys, false, trustful, Options{Seed: 7, All: true})
		if err != nil {
			return err
		}
		list, results = append(list, p), append(results, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, results
}

// TestPartResults: results of parts that went through bytes say the same as a search.
func TestPartResults(t *testing.T) {
	for name, m := range toys {
		data, want := record(t, m, cert.Full, false)
		for _, trustful := range []bool{false, true} {
			list, results := parts(t, m, data, 4, trustful)
			c := open(t, data)
			all := NewCollector(trustful)
			for i, r := range results {
				text := r.Append(nil)
				read, err := ReadPartResult(text, c.Counts.States)
				if err != nil {
					t.Fatalf("%s, part %d: %v", name, r.Number, err)
				}
				if again := read.Append(nil); !bytes.Equal(text, again) {
					t.Errorf("%s, part %d: got other bytes from what was read", name, r.Number)
				}
				if err := read.Accounts(list[i], trustful); err != nil {
					t.Errorf("%s, part %d: %v", name, r.Number, err)
				}
				if err := all.Add(read); err != nil {
					t.Errorf("%s, part %d: %v", name, r.Number, err)
				}
			}
			got, err := all.Result(c)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if err := same(got, want); err != nil && !trustful {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestLies: what a worker can get wrong about a part that it did not examine.
func TestLies(t *testing.T) {
	m := toys["philosophers"]
	data, _ := record(t, m, cert.Full, false)
	states := open(t, data).Counts.States
	fresh := func() ([]*cert.Part, []*PartResult) { return parts(t, m, data, 3, false) }
	for _, test := range []struct {
		name string
		lie  func(r *PartResult)
		want string
	}{
		{"the truth", func(*PartResult) {}, ""},
		{"another part", func(r *PartResult) { r.Number = 3 }, "not what part 2 has"},
		{"hardly a transition", func(r *PartResult) { r.Counts.Transitions = 1 }, "which has at least"},
		{"fewer transitions", func(r *PartResult) { r.Counts.Transitions-- }, "there are"},
		{"fewer states", func(r *PartResult) { r.Counts.States-- }, "not what part 2 has"},
		{"another depth", func(r *PartResult) { r.Counts.Depth++ }, "not what part 2 has"},
		{"no fingerprints", func(r *PartResult) { r.own = nil }, "fingerprints of 0 states"},
		{"a fingerprint is missing", func(r *PartResult) { r.own = r.own[1:] }, "fingerprints of"},
		{"a fingerprint too many", func(r *PartResult) { r.own = append(r.own, numbered{fingerprint{1, 2}, states}) }, "fingerprints of"},
		{"the start is another state", func(r *PartResult) { r.way[0].print = fingerprint{1, 2} }, "is not the same"},
		{"a state is another one", func(r *PartResult) { r.own[3].print = fingerprint{1, 2} }, "a false claim|is not the same"},
		{"a stranger is another state", func(r *PartResult) { r.far[0].print = fingerprint{1, 2} }, "no part has found"},
		{"a stranger is left out", func(r *PartResult) { r.far = r.far[1:] }, "a transition leads to another state"},
		{"names were not looked at", func(r *PartResult) { r.sums.Seen = 0 }, "another name"},
	} {
		list, results := fresh()
		test.lie(results[1])
		all := NewCollector(false)
		var got []string
		for i, r := range results {
			r, err := ReadPartResult(r.Append(nil), states)
			if err == nil {
				err = r.Accounts(list[i], false)
			}
			if err == nil {
				err = all.Add(r)
			}
			if err != nil {
				got = append(got, err.Error())
			}
		}
		if _, err := all.Result(open(t, data)); err != nil {
			got = append(got, err.Error())
		}
		if text := strings.Join(got, "; "); (test.want == "") != (text == "") || !regexp.MustCompile(test.want).MatchString(text) {
			t.Errorf("%s: got %q, want %q", test.name, text, test.want)
		}
	}
}

// TestKnows: the parts that two numbers have to be asked about are found.
func TestKnows(t *testing.T) {
	m := toys["grid"]
	data, _ := record(t, m, cert.Full, false)
	list, results := parts(t, m, data, 3, false)
	for i, p := range list {
		for state := uint32(1); state <= open(t, data).Counts.States; state++ {
			is := func(s numbered) bool { return s.state == state }
			if got, want := Knows(p, []uint32{state}), slices.ContainsFunc(results[i].own, is) || slices.ContainsFunc(results[i].way, is); got != want {
				t.Errorf("part %d, state %d: got %v, want %v", p.Number, state, got, want)
			}
		}
	}
}

// FuzzPartResult: no bytes make the reader panic, and what it reads it writes alike.
func FuzzPartResult(f *testing.F) {
	m := toys["deadlock"]
	data, _ := record(f, m, cert.Full, false)
	_, results := parts(f, m, data, 2, false)
	for _, r := range results {
		f.Add(r.Append(nil))
	}
	f.Add([]byte{1, 1, 1, 1, 2, '[', ']'})
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadPartResult(data, 1000)
		if err != nil {
			return
		}
		text := r.Append(nil)
		again, err := ReadPartResult(text, 1000)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if !bytes.Equal(text, again.Append(nil)) {
			t.Error("got other bytes the second time")
		}
	})
}
