package graph

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
)

// maxSubsets bounds what determinising may make of a graph: it can take two to the
// power of its states.
const maxSubsets = 1 << 21

// determinise returns a graph with the same traces in which each state has at most
// one transition a label: its states are sets of states. If tau is not negative it
// does not count, and does not occur in the result.
func determinise(g *Graph, tau int32) (*Graph, error) {
	d := &determiniser{out: g.outgoing(), tau: tau, numbers: map[string]int32{}, inSet: make([]bool, g.States)}
	r := &Graph{Labels: g.Labels}
	d.number([]int32{int32(g.Initial)})
	for n := 0; n < len(d.sets); n++ {
		if len(d.sets) > maxSubsets {
			return nil, diag.Incompletef("traces of a graph with %d states: more than %d sets of states", g.States, maxSubsets)
		}
		var steps []Transition
		for _, s := range d.sets[n] {
			for _, t := range d.out.of(s) {
				if t.Label != tau {
					steps = append(steps, Transition{0, t.Label, t.To})
				}
			}
		}
		d.sets[n] = nil
		slices.SortFunc(steps, func(a, b Transition) int {
			return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.To, b.To))
		})
		for lo := 0; lo < len(steps); {
			hi := lo
			var set []int32
			for ; hi < len(steps) && steps[hi].Label == steps[lo].Label; hi++ {
				set = append(set, steps[hi].To)
			}
			r.Transitions = append(r.Transitions, Transition{int32(n), steps[lo].Label, d.number(set)})
			lo = hi
		}
	}
	r.States = len(d.sets)
	return r, nil
}

type determiniser struct {
	out     *adjacency
	tau     int32
	numbers map[string]int32
	sets    [][]int32 // nil if done
	inSet   []bool
	key     []byte
}

// number returns the number of a set with all that tau leads to.
func (d *determiniser) number(from []int32) int32 {
	var set []int32
	add := func(s int32) {
		if !d.inSet[s] {
			d.inSet[s] = true
			set = append(set, s)
		}
	}
	for _, s := range from {
		add(s)
	}
	for i := 0; d.tau >= 0 && i < len(set); i++ {
		for _, t := range d.out.of(set[i]) {
			if t.Label == d.tau {
				add(t.To)
			}
		}
	}
	slices.Sort(set)
	d.key = d.key[:0]
	for _, s := range set {
		d.inSet[s] = false
		d.key = binary.LittleEndian.AppendUint32(d.key, uint32(s))
	}
	n, ok := d.numbers[string(d.key)]
	if !ok {
		n = int32(len(d.sets))
		d.numbers[string(d.key)] = n
		d.sets = append(d.sets, set)
	}
	return n
}
