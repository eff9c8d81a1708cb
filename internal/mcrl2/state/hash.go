package state

import (
	"encoding/binary"
	"math/bits"

	"github.com/heddle-mc/heddle/internal/mcrl2/data"
)

// A sum is the hash of a state: the sum of the hashes of its parameters, each of
// place and value. So the hash of the next state is that of this one, less what
// a step overwrites, plus what it writes. Hashes are of what values are, not of
// their numbers, and are the same in every System. Two states have one sum with
// the probability with which two visited states have one fingerprint.
type sum struct{ hi, lo uint64 }

func (a sum) plus(b sum) sum {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return sum{a.hi + b.hi + carry, lo}
}

func (a sum) minus(b sum) sum {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	return sum{a.hi - b.hi - borrow, lo}
}

// scatter is the output function of SplitMix64.
func scatter(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hashAt returns the hash of a value at a place.
func (s *System) hashAt(p int, v data.Value) sum {
	seed := &s.seeds[p]
	hi, lo := s.engine.Hash(v)
	x := scatter(hi ^ seed.hi)
	return sum{x, scatter(lo + seed.lo + bits.RotateLeft64(x, 23))}
}

// Seed makes all keys others, and goes to the initial state. Without it they are the same in every run, so the author of a model can find two states with one
// key: hashes that are added up can be chosen to have a given sum, if there are many of them. Values that are terms have a hash of their own, which
// does not depend on it.
func (s *System) Seed(n uint64) {
	if n != s.seed {
		s.seed, s.seeds = n, makeSeeds(n, len(s.state))
		s.results = append(s.results[:0], 0) // they have what is to be added
		for _, c := range s.summands {
			if c.cache = (cache{}); !c.uncached {
				c.cache.start(len(c.reads))
			}
		}
	}
	s.Reset()
}

func makeSeeds(from uint64, n int) []sum {
	seeds := make([]sum, n)
	x := scatter(from) // 0 of 0
	for i := range seeds {
		x += 0x9e3779b97f4a7c15
		seeds[i].hi = scatter(x)
		x += 0x9e3779b97f4a7c15
		seeds[i].lo = scatter(x)
	}
	return seeds
}

// after returns the sum of the state that a step leads to.
func (s *System) after(c *summand, t []data.Value) sum {
	h := s.sum
	for _, p := range c.blind {
		h = h.minus(s.hashAt(p, s.state[p]))
	}
	n := len(c.writes)
	return h.plus(sum{uint64(t[1+n]), uint64(t[2+n])})
}

func (h sum) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, h.hi)
	return binary.LittleEndian.AppendUint64(dst, h.lo)
}
