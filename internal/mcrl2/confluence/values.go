package confluence

import (
	"encoding/binary"
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
)

// values are those that parameters may have, each by itself, or together with one other
// that tells where a process stands: there may be more than in states that can be reached.
type values struct {
	sys     *state.System
	owner   []int                         // by parameter: who tells where its process stands, or -1
	of      [][]data.Value                // by parameter
	at      []map[data.Value][]data.Value // by parameter that has an owner: by the value of that
	unknown []bool                        // by parameter: there are too many
	found   []map[string]steps
	key     []byte
	read    int   // combinations
	seen    []int // by summand: how many values there were when it was applied last
}

// steps are what a summand does where it reads some values.
type steps struct {
	list []step
	ok   bool
}

const (
	maxValues = 200    // of a parameter
	maxReads  = 20_000 // combinations of what a summand reads
	maxRead   = 2_000_000
)

// valuesOf finds the values of the parameters: the initial ones, and what summands make of
// them, whatever values the others have.
func valuesOf(sys *state.System) *values {
	n := len(sys.Initial())
	v := &values{sys: sys, of: make([][]data.Value, n), unknown: make([]bool, n), found: make([]map[string]steps, sys.Summands()), seen: make([]int, sys.Summands())}
	for p := range n {
		v.owner = append(v.owner, ownerOf(sys, p))
		v.at = append(v.at, map[data.Value][]data.Value{})
	}
	for p, x := range sys.Initial() {
		v.of[p] = []data.Value{x}
		if c := v.owner[p]; c >= 0 {
			v.at[p][sys.Initial()[c]] = []data.Value{x}
		}
	}
	for i := range v.found {
		v.found[i] = map[string]steps{}
	}
	for again := true; again; {
		again = false
		for i := range v.found {
			again = v.apply(i) || again
		}
	}
	return v
}

// ownerOf returns a parameter of which all summands that write it, or the given one, want a
// value, or -1.
func ownerOf(sys *state.System, p int) int {
	for c := range sys.Initial() {
		ok := c != p
		for i := 0; i < sys.Summands() && ok; i++ {
			if slices.Contains(sys.Writes(i), p) || slices.Contains(sys.Writes(i), c) {
				_, ok = sys.Wants(i, c)
			}
		}
		if ok {
			return c
		}
	}
	return -1
}

// apply adds what a summand writes, and reports whether that is new.
func (v *values) apply(i int) (more bool) {
	reads, writes := v.sys.Reads(i), v.sys.Writes(i)
	forget := func() bool {
		for _, p := range writes {
			more = more || !v.unknown[p]
			v.unknown[p] = true
		}
		return more
	}
	sets := make([][]data.Value, len(reads))
	combinations := 1
	for k, p := range reads {
		var ok bool
		if sets[k], ok = v.possible(p, i); !ok {
			return forget()
		}
		if combinations *= len(sets[k]); combinations > maxReads {
			return forget()
		}
	}
	n := v.sizes(i, sets)
	if n == v.seen[i] {
		return false
	}
	v.seen[i] = n
	if v.read += combinations; v.read > maxRead {
		return forget()
	}
	state := make([]data.Value, len(v.of))
	ok := true
	each(sets, func(list []data.Value) bool {
		for k, p := range reads {
			state[p] = list[k]
		}
		var found []step
		if found, ok = v.steps(i, state); !ok {
			return false
		}
		for _, x := range found {
			more = v.add(i, state, x) || more
		}
		return true
	})
	if !ok {
		return forget()
	}
	return more
}

// sizes returns how many values there are that matter to a summand: what it reads, and what
// stays as it is where the process goes on. They only get more.
func (v *values) sizes(i int, sets [][]data.Value) int {
	n := 1
	for _, s := range sets {
		n += len(s)
	}
	for p, c := range v.owner {
		if c >= 0 {
			if x, ok := v.sys.Wants(i, c); ok {
				n += len(v.at[p][x])
			}
		}
	}
	return n
}

// add adds what is so behind a step, and reports whether that is new.
func (v *values) add(i int, state []data.Value, x step) (more bool) {
	reads, writes := v.sys.Reads(i), v.sys.Writes(i)
	for k, p := range writes {
		if !v.unknown[p] && !slices.Contains(v.of[p], x.written[k]) {
			v.of[p] = append(v.of[p], x.written[k])
			more = true
			v.unknown[p] = len(v.of[p]) > maxValues
		}
	}
	for p, c := range v.owner {
		if c < 0 {
			continue
		}
		from, ok := v.sys.Wants(i, c)
		if !ok {
			continue // it writes neither
		}
		to := from
		if k := slices.Index(writes, c); k >= 0 {
			to = x.written[k]
		}
		list := v.at[p][from]
		if k := slices.Index(writes, p); k >= 0 {
			list = x.written[k : k+1]
		} else if slices.Contains(reads, p) {
			list = state[p : p+1]
		}
		for _, y := range list {
			if !slices.Contains(v.at[p][to], y) {
				v.at[p][to] = append(v.at[p][to], y)
				more = true
			}
		}
	}
	return more
}

// possible returns the values that a parameter may have where some summands can do
// something. It reports false if they are not known.
func (v *values) possible(p int, summands ...int) ([]data.Value, bool) {
	list, known := v.of[p], !v.unknown[p]
	if c := v.owner[p]; c >= 0 && known {
		for _, i := range summands {
			if x, ok := v.sys.Wants(i, c); ok {
				list = v.at[p][x]
				break
			}
		}
	}
	for _, i := range summands {
		if x, ok := v.sys.Wants(i, p); ok {
			if known && !slices.Contains(list, x) {
				return nil, true
			}
			return []data.Value{x}, true
		}
	}
	return list, known
}

// steps returns what a summand does where parameters have some values. It reports false if
// that is not known.
func (v *values) steps(i int, state []data.Value) ([]step, bool) {
	reads := v.sys.Reads(i)
	v.key = v.key[:0]
	for _, p := range reads {
		v.key = binary.LittleEndian.AppendUint64(v.key, uint64(state[p]))
	}
	if s, ok := v.found[i][string(v.key)]; ok {
		return s.list, s.ok
	}
	list := make([]data.Value, len(reads))
	for k, p := range reads {
		list[k] = state[p]
	}
	var s steps
	key := string(v.key)
	err := v.sys.EachStep(i, list, func(l lts.Label, written []data.Value) {
		s.list = append(s.list, step{l, slices.Clone(written)})
	})
	s.ok = err == nil
	v.found[i][key] = s
	return s.list, s.ok
}
