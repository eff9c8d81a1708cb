package graph

import (
	"encoding/binary"
	"slices"
)

// A weaver finds the coarsest weak bisimulation of a graph in which tau has no
// cycles and leads to lower numbers. The signature of a state is all it can do with
// any number of tau before and after:
//
//	sig(s) = {(tau, block(t)) | s ⇒ t} ∪ {(a, block(t)) | s ⇒ -a-> ⇒ t}
//
// All signatures are computed anew in each round; the graph should be small, that
// is, reduced by branching bisimulation, which is finer.
type weaver struct {
	g     *Graph
	out   *adjacency
	tau   int32
	block []int32
	count int
	after [][]int32 // of each state: the blocks that tau leads to, with its own
	sigs  [][]uint64
}

func newWeaver(g *Graph, tau int32) *weaver {
	n := g.States
	return &weaver{
		g: g, out: g.outgoing(), tau: tau, count: 1,
		block: make([]int32, n), after: make([][]int32, n), sigs: make([][]uint64, n),
	}
}

// run refines until the number of blocks stays.
func (w *weaver) run() {
	for {
		for s := range int32(w.g.States) {
			w.after[s] = w.closure(s)
		}
		for s := range int32(w.g.States) {
			w.sigs[s] = w.signature(s)
		}
		numbers := map[string]int32{}
		next := make([]int32, len(w.block))
		var key []byte
		for s, sig := range w.sigs {
			key = binary.LittleEndian.AppendUint32(key[:0], uint32(w.block[s]))
			for _, x := range sig {
				key = binary.LittleEndian.AppendUint64(key, x)
			}
			n, ok := numbers[string(key)]
			if !ok {
				n = int32(len(numbers))
				numbers[string(key)] = n
			}
			next[s] = n
		}
		if len(numbers) == w.count {
			return // w.block and the signatures belong together
		}
		w.block, w.count = next, len(numbers)
	}
}

// pair is an element of a signature.
func pair(label, block int32) uint64 { return uint64(label)<<32 | uint64(block) }

// closure computes where tau leads to, from the same of states with lower numbers.
func (w *weaver) closure(s int32) []int32 {
	list := []int32{w.block[s]}
	for _, t := range w.out.of(s) {
		if t.Label == w.tau {
			list = append(list, w.after[t.To]...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// signature computes a signature from those of states with lower numbers.
func (w *weaver) signature(s int32) []uint64 {
	var sig []uint64
	for _, b := range w.after[s] {
		sig = append(sig, pair(w.tau, b))
	}
	for _, t := range w.out.of(s) {
		if t.Label == w.tau {
			sig = append(sig, w.sigs[t.To]...)
			continue
		}
		for _, b := range w.after[t.To] {
			sig = append(sig, pair(t.Label, b))
		}
	}
	slices.Sort(sig)
	return slices.Compact(sig)
}

// quotient returns the graph of blocks with no transition that follows from
// others: those of the signatures, without s =a=> t if tau leads from s to another
// block that can do the same, or if s =a=> t' and tau leads from t' to t. Since tau
// has no cycles between blocks there is one such graph.
func (w *weaver) quotient() *Graph {
	sigs := make([][]uint64, w.count)
	for s, b := range w.block {
		sigs[b] = w.sigs[s]
	}
	has := func(b int32, x uint64) bool {
		_, ok := slices.BinarySearch(sigs[b], x)
		return ok
	}
	q := &Graph{Initial: int(w.block[w.g.Initial]), States: w.count, Labels: w.g.Labels}
	for b := range int32(w.count) {
		for _, x := range sigs[b] {
			label, to := int32(x>>32), int32(uint32(x))
			if label == w.tau && to == b {
				continue
			}
			follows := slices.ContainsFunc(sigs[b], func(y uint64) bool {
				l, via := int32(y>>32), int32(uint32(y))
				switch {
				case l == w.tau && via != b && (label != w.tau || via != to) && has(via, x):
					return true
				case l == label && via != to && (label != w.tau || via != b) && has(via, pair(w.tau, to)):
					return true
				}
				return false
			})
			if !follows {
				q.Transitions = append(q.Transitions, Transition{b, label, to})
			}
		}
	}
	return q
}
