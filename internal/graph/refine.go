package graph

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"
)

// A refiner finds the coarsest partition of the states in which the states of one
// block can do the same: it computes signatures and splits blocks whose states
// have different ones, until there are none (Blom and Orzan, "A distributed
// algorithm for strong bisimulation reduction of state spaces").
//
//	strong:    sig(s) = {(a, block(t)) | s -a-> t}
//	branching: sig(s) = {(a, block(t)) | s ⇒ s' -a-> t, s' in the block of s,
//	                     not both a = tau and t in the block of s}
//
// where ⇒ is zero or more tau. Of the parts of a block that was split, the largest
// keeps the number. So a state gets a new number at most log n times, and only
// then do signatures change that have it in them: those states are dirty. A dirty
// state's signature has a number in it that is younger than all in those of the
// clean states of its block, so it differs from theirs, and the clean ones stay
// together. Signatures are compared by a hash of 128 bits.
type refiner struct {
	out, in *adjacency
	tau     int32 // the label, or -1 for strong bisimulation; tau has no cycles then
	// rank orders states so that tau leads to lower ones; nil without tau.
	rank []int32

	block []int32
	// The states of a block lie side by side in states; place is the inverse.
	states, place []int32
	start, end    []int32 // of each block

	sigs   [][]uint64 // the last signature of each state; only with tau
	buffer []uint64
	bytes  []byte
	dirty  []bool

	// How blocks came about: the round in which each was cut, and from which one.
	round        int32
	born, parent []int32
}

// newRefiner starts with one block.
func newRefiner(g *Graph, tau int32, rank []int32) *refiner {
	n := g.States
	r := &refiner{
		out: g.outgoing(), in: g.incoming(), tau: tau, rank: rank,
		block: make([]int32, n), states: make([]int32, n), place: make([]int32, n),
		start: []int32{0}, end: []int32{int32(n)}, dirty: make([]bool, n),
		born: []int32{0}, parent: []int32{0},
	}
	for s := range int32(n) {
		r.states[s], r.place[s] = s, s
	}
	if tau >= 0 {
		r.sigs = make([][]uint64, n)
	}
	return r
}

// run refines until nothing is left to split.
func (r *refiner) run() {
	dirty := slices.Clone(r.states)
	for len(dirty) > 0 {
		r.round++
		dirty = r.touched(r.split(r.signatures(dirty)))
	}
}

// A signed state is one with its signature.
type signed struct {
	hash         xxh3.Uint128
	block, state int32
}

func compareSigned(a, b signed) int {
	return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.hash.Hi, b.hash.Hi),
		cmp.Compare(a.hash.Lo, b.hash.Lo), cmp.Compare(a.state, b.state))
}

// signatures returns the signatures of states, those of a block together and of
// these those with equal signatures.
func (r *refiner) signatures(dirty []int32) []signed {
	if r.rank != nil { // a signature is made of those of tau's targets
		slices.SortFunc(dirty, func(a, b int32) int { return cmp.Compare(r.rank[a], r.rank[b]) })
	}
	list := make([]signed, len(dirty))
	for i, s := range dirty {
		sig := r.signature(s)
		r.bytes = r.bytes[:0]
		for _, x := range sig {
			r.bytes = binary.LittleEndian.AppendUint64(r.bytes, x)
		}
		list[i] = signed{xxh3.Hash128(r.bytes), r.block[s], s}
	}
	slices.SortFunc(list, compareSigned)
	return list
}

// signature returns a signature as a sorted list of pairs of label and block. It
// is valid up to the next call.
func (r *refiner) signature(s int32) []uint64 {
	sig := r.buffer[:0]
	b := r.block[s]
	for _, t := range r.out.of(s) {
		if t.Label == r.tau && r.block[t.To] == b {
			sig = append(sig, r.sigs[t.To]...)
			continue
		}
		sig = append(sig, uint64(t.Label)<<32|uint64(r.block[t.To]))
	}
	slices.Sort(sig)
	r.buffer = sig
	sig = slices.Compact(sig)
	if r.sigs != nil {
		r.sigs[s] = slices.Clone(sig)
	}
	return sig
}

// split splits blocks by the signatures of their dirty states and returns the
// states that are in new blocks.
func (r *refiner) split(list []signed) []int32 {
	var moved []int32
	var ends []int32 // of the parts, in states
	for lo := 0; lo < len(list); {
		b := list[lo].block
		at := r.start[b]
		ends = ends[:0]
		hi := lo
		for ; hi < len(list) && list[hi].block == b; hi++ {
			if hi > lo && list[hi].hash != list[hi-1].hash {
				ends = append(ends, at)
			}
			r.swap(r.place[list[hi].state], at)
			at++
		}
		ends = append(ends, at)
		if at < r.end[b] { // the clean ones
			ends = append(ends, r.end[b])
		}
		if len(ends) > 1 {
			moved = r.cut(b, ends, moved)
		}
		lo = hi
	}
	return moved
}

// swap exchanges two states of a block.
func (r *refiner) swap(i, j int32) {
	s, t := r.states[i], r.states[j]
	r.states[i], r.states[j] = t, s
	r.place[s], r.place[t] = j, i
}

// cut makes blocks of the parts of a block, which keeps the largest, and appends
// the states of the others to moved.
func (r *refiner) cut(b int32, ends, moved []int32) []int32 {
	start, largest, size := r.start[b], 0, int32(0)
	for i, end := range ends {
		if end-start > size {
			largest, size = i, end-start
		}
		start = end
	}
	start = r.start[b]
	for i, end := range ends {
		if i == largest {
			r.start[b], r.end[b] = start, end
		} else {
			n := int32(len(r.start))
			r.start, r.end = append(r.start, start), append(r.end, end)
			r.born, r.parent = append(r.born, r.round), append(r.parent, b)
			for _, s := range r.states[start:end] {
				r.block[s] = n
				moved = append(moved, s)
			}
		}
		start = end
	}
	return moved
}

// touched returns the states whose signatures may have changed because states
// have moved to new blocks.
func (r *refiner) touched(moved []int32) []int32 {
	var list []int32
	mark := func(s int32) {
		if !r.dirty[s] {
			r.dirty[s] = true
			list = append(list, s)
		}
	}
	for _, s := range moved {
		if r.tau >= 0 { // what is tau within its block has changed
			mark(s)
		}
		for _, t := range r.in.of(s) {
			mark(t.From)
		}
	}
	if r.tau >= 0 { // and back along tau within blocks
		for i := 0; i < len(list); i++ {
			for _, t := range r.in.of(list[i]) {
				if t.Label == r.tau && r.block[t.From] == r.block[t.To] {
					mark(t.From)
				}
			}
		}
	}
	for _, s := range list {
		r.dirty[s] = false
	}
	slices.Sort(list)
	return list
}

// blockAt returns the block in which a state was after some rounds.
func (r *refiner) blockAt(s, round int32) int32 {
	b := r.block[s]
	for r.born[b] > round {
		b = r.parent[b]
	}
	return b
}

// level returns the round in which two states came into different blocks. They are
// in different ones now.
func (r *refiner) level(s, t int32) int32 {
	level := int32(0)
	for a, b := r.block[s], r.block[t]; a != b; {
		if r.born[a] < r.born[b] {
			a, b = b, a
		}
		level, a = r.born[a], r.parent[a]
	}
	return level
}

// quotient returns the graph of blocks.
func (r *refiner) quotient(g *Graph) *Graph {
	q := &Graph{Initial: int(r.block[g.Initial]), States: len(r.start), Labels: g.Labels}
	for b := range r.start {
		var sig []uint64
		if s := r.states[r.start[b]]; r.sigs != nil {
			sig = r.sigs[s]
		} else {
			sig = r.signature(s)
		}
		for _, x := range sig {
			q.Transitions = append(q.Transitions, Transition{int32(b), int32(x >> 32), int32(uint32(x))})
		}
	}
	return q
}
