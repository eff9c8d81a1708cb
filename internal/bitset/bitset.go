// Package bitset has sets of small numbers: goroutines, owners, actors.
package bitset

import (
	"iter"
	"math/bits"
)

// A Set is a set of numbers from 0 on, a bit each. All sets that are combined must
// have room for the same numbers (see Words). The nil Set is empty and has no room.
type Set []uint64

// Words returns how many words a set of numbers below n takes.
func Words(n int) int { return (n + 63) / 64 }

// Make returns an empty set with room for numbers below n.
func Make(n int) Set { return make(Set, Words(n)) }

// Fit returns an empty set with room for numbers below n, in the memory of s if that
// is enough.
func (s Set) Fit(n int) Set {
	w := Words(n)
	if cap(s) < w {
		return make(Set, w)
	}
	s = s[:w]
	clear(s)
	return s
}

// Has reports whether i is in the set.
func (s Set) Has(i int) bool { return i>>6 < len(s) && s[i>>6]>>(i&63)&1 != 0 }

// Add adds i.
func (s Set) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Remove removes i.
func (s Set) Remove(i int) { s[i>>6] &^= 1 << (i & 63) }

// AddRange adds the numbers from lo up to hi, without hi.
func (s Set) AddRange(lo, hi int) {
	for ; lo < hi && lo&63 != 0; lo++ {
		s.Add(lo)
	}
	for ; lo+64 <= hi; lo += 64 {
		s[lo>>6] = ^uint64(0)
	}
	for ; lo < hi; lo++ {
		s.Add(lo)
	}
}

// Union adds all of t.
func (s Set) Union(t Set) {
	for i, w := range t {
		s[i] |= w
	}
}

// Within reports whether all of s is in t.
func (s Set) Within(t Set) bool {
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// Empty reports whether there is nothing in the set.
func (s Set) Empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// Len returns how many numbers are in the set.
func (s Set) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Common returns how many numbers are in both sets.
func (s Set) Common(t Set) int {
	n := 0
	for i, w := range s {
		n += bits.OnesCount64(w & t[i])
	}
	return n
}

// Next returns the smallest number in s that is not in without, -1 if there is
// none.
func (s Set) Next(without Set) int {
	for i, w := range s {
		if w &^= without[i]; w != 0 {
			return i<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// All yields the numbers in the set, the smallest first.
func (s Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}
