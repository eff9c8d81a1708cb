package bitset

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSet holds sets against maps.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "room")
		number := rapid.IntRange(0, n-1)
		draw := func(name string) (Set, map[int]bool) {
			s, m := Make(n), map[int]bool{}
			for _, i := range rapid.SliceOf(number).Draw(t, name) {
				s.Add(i)
				m[i] = true
			}
			return s, m
		}
		a, am := draw("a")
		b, bm := draw("b")
		lo, hi := number.Draw(t, "lo"), number.Draw(t, "hi")
		r := Make(n)
		r.AddRange(lo, hi)
		common, within, next := 0, true, -1
		for i := range n {
			if a.Has(i) != am[i] {
				t.Fatalf("Has(%d): got %v", i, a.Has(i))
			}
			if r.Has(i) != (lo <= i && i < hi) {
				t.Fatalf("AddRange(%d, %d): got %v for %d", lo, hi, r.Has(i), i)
			}
			if am[i] && bm[i] {
				common++
			}
			within = within && (!am[i] || bm[i])
			if next < 0 && am[i] && !bm[i] {
				next = i
			}
		}
		if a.Len() != len(am) || a.Empty() != (len(am) == 0) || a.Common(b) != common || a.Within(b) != within || a.Next(b) != next {
			t.Fatalf("got len %d, common %d, within %v, next %d, want %d, %d, %v, %d", a.Len(), a.Common(b), a.Within(b), a.Next(b), len(am), common, within, next)
		}
		for i := range bm {
			am[i] = true
		}
		a.Union(b)
		got := slices.Collect(a.All())
		if len(got) != len(am) || !slices.IsSorted(got) || !b.Within(a) {
			t.Fatalf("Union: got %v, want %v", got, am)
		}
		if len(got) > 0 {
			if a.Remove(got[0]); a.Has(got[0]) {
				t.Fatalf("Remove(%d): it is still there", got[0])
			}
		}
		if f := a.Fit(n); !f.Empty() || len(f) != Words(n) {
			t.Fatalf("Fit: got %v", f)
		}
	})
}
