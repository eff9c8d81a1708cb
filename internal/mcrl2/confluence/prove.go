package confluence

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
)

// Find returns which summands of a system are confluent. The system stands nowhere
// afterwards, until it is Reset.
//
// All that do tau alone are taken to be, and those are dropped for which it cannot be
// shown that they fit to all others, given the ones that are left, until none is dropped.
// That two summands fit is shown by what they read and write, or by trying all values
// that the parameters which they read may have, if these are not too many.
func Find(sys *state.System) []bool {
	p := &prover{values: valuesOf(sys), confluent: make([]bool, sys.Summands())}
	for i := range p.confluent {
		p.confluent[i] = sys.Silent(i)
	}
	for again := true; again; {
		again = false
		for i, is := range p.confluent {
			if is && !p.fitsAll(i) {
				p.confluent[i], again = false, true
			}
		}
	}
	return p.confluent
}

// A prover shows that summands are confluent.
type prover struct {
	*values
	confluent []bool // those that may still be
	tried     int
}

const (
	// maxTried is how many combinations of values are tried for two summands, and
	// maxAll for all of them together.
	maxTried = 100_000
	maxAll   = 5_000_000
)

func (p *prover) fitsAll(i int) bool {
	for j := range p.confluent {
		if i == j && p.sys.Single(i) {
			continue // it is the same step
		}
		if !exclusive(p.sys, i, j) && (i == j || !independent(p.sys, i, j)) && !p.fits(i, j) {
			return false
		}
	}
	return true
}

// exclusive reports whether two summands want different values of a parameter: there is
// no state in which both can do something.
func exclusive(sys *state.System, i, j int) bool {
	for _, p := range sys.Reads(i) {
		if v, ok := sys.Wants(i, p); ok {
			if w, ok := sys.Wants(j, p); ok && v != w {
				return true
			}
		}
	}
	return false
}

// independent reports whether neither of two summands writes what the other one reads or
// writes.
func independent(sys *state.System, i, j int) bool {
	return apart(sys.Writes(i), sys.Reads(j)) && apart(sys.Writes(i), sys.Writes(j)) && apart(sys.Reads(i), sys.Writes(j))
}

// apart reports whether two ascending lists have nothing in common.
func apart(a, b []int) bool {
	return !slices.ContainsFunc(a, func(x int) bool {
		_, found := slices.BinarySearch(b, x)
		return found
	})
}

// A partial state has values of some parameters.
type partial struct {
	value []data.Value
	known []bool
}

func (s *partial) set(params []int, v []data.Value) {
	for k, p := range params {
		s.value[p], s.known[p] = v[k], true
	}
}

// after returns what is known behind a step.
func (s *partial) after(writes []int, v []data.Value) *partial {
	out := &partial{slices.Clone(s.value), slices.Clone(s.known)}
	out.set(writes, v)
	return out
}

// has reports whether some parameters are known.
func (s *partial) has(params []int) bool {
	return !slices.ContainsFunc(params, func(p int) bool { return !s.known[p] })
}

// equal reports whether two states that came of the same one are equal: a parameter that
// is known of one alone has another value, or its old one, in the other.
func (s *partial) equal(o *partial) bool {
	for p, known := range s.known {
		if known != o.known[p] || known && s.value[p] != o.value[p] {
			return false
		}
	}
	return true
}

// fits tries two summands, of which the first is confluent, on all values that they may
// read. Where the first one does nothing the values of what the other one reads do not
// matter.
func (p *prover) fits(i, j int) bool {
	own := p.sys.Reads(i)
	others := slices.DeleteFunc(slices.Clone(p.sys.Reads(j)), func(x int) bool { return slices.Contains(own, x) })
	first, ok1 := p.sets(own, i, j)
	second, ok2 := p.sets(others, i, j)
	if !ok1 || !ok2 {
		return false
	}
	s := &partial{make([]data.Value, len(p.of)), make([]bool, len(p.of))}
	ok := true
	tried := 0
	count := func() bool {
		tried++
		p.tried++
		ok = ok && tried <= maxTried && p.tried <= maxAll
		return ok
	}
	each(first, func(v []data.Value) bool {
		s.set(own, v)
		if list, known := p.steps(i, s.value); known && len(list) == 0 {
			return count()
		}
		each(second, func(v []data.Value) bool {
			s.set(others, v)
			ok = p.fitsAt(i, j, s)
			return count()
		})
		return ok
	})
	return ok
}

// sets returns the values that parameters may have where two summands can do something. It
// reports false if they are not known.
func (p *prover) sets(params []int, i, j int) (list [][]data.Value, ok bool) {
	for _, x := range params {
		set, ok := p.possible(x, i, j)
		if !ok {
			return nil, false
		}
		list = append(list, set)
	}
	return list, true
}

// fitsAt tries two summands where the parameters that they read have some values.
func (p *prover) fitsAt(i, j int, s *partial) bool {
	first, ok1 := p.steps(i, s.value)
	second, ok2 := p.steps(j, s.value)
	if !ok1 || !ok2 {
		return false
	}
	for _, x := range first {
		for _, y := range second {
			if i == j && slices.Equal(x.written, y.written) {
				continue
			}
			if !p.closes(j, y, s.after(p.sys.Writes(i), x.written), s.after(p.sys.Writes(j), y.written)) {
				return false
			}
		}
	}
	return true
}

// closes reports whether what was done instead of a confluent step, y of summand j, can be
// done behind it, where t is known, and leads to where a confluent step leads from u, which
// is known behind y. If y is a tau it need not be done, and the confluent step need not be.
// Behind a confluent y the step has to be confluent, too.
func (p *prover) closes(j int, y step, t, u *partial) bool {
	var ends []*partial // of u
	ends = append(ends, u)
	for k, is := range p.confluent {
		if is {
			list, ok := p.known(k, u)
			for _, x := range list {
				if ok {
					ends = append(ends, u.after(p.sys.Writes(k), x.written))
				}
			}
		}
	}
	meets := func(v *partial) bool { return slices.ContainsFunc(ends, v.equal) }
	if p.sys.Silent(j) && meets(t) {
		return true
	}
	for k := range p.confluent {
		if p.confluent[j] && !p.confluent[k] {
			continue
		}
		list, ok := p.known(k, t)
		for _, x := range list {
			if ok && x.label == y.label && meets(t.after(p.sys.Writes(k), x.written)) {
				return true
			}
		}
	}
	return false
}

// known returns the steps of a summand if all that it reads is known.
func (p *prover) known(k int, s *partial) ([]step, bool) {
	if !s.has(p.sys.Reads(k)) {
		return nil, false
	}
	return p.steps(k, s.value)
}

// each calls f with one value of each set, in all ways, until it returns false.
func each(sets [][]data.Value, f func([]data.Value) bool) {
	v := make([]data.Value, len(sets))
	var from func(k int) bool
	from = func(k int) bool {
		if k == len(sets) {
			return f(v)
		}
		for _, x := range sets[k] {
			v[k] = x
			if !from(k + 1) {
				return false
			}
		}
		return true
	}
	from(0)
}

// A step is what a summand does.
type step struct {
	label   lts.Label
	written []data.Value
}
