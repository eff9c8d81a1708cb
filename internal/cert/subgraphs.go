package cert

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Subgraphs are the sizes of subgraphs: of a state, all states that are reached
// from it by the transitions that found them, and all transitions that leave
// those (paper 002, section 3.1), counted by the clock of blocks.go. States are numbered in the order of discovery,
// so the subgraph of state s has the states from s up to s+States-1.
//
// A script can be cut well without the sizes of all of them. The list has the
// states where the size, in units of Grid, is more than that of each child:
// at most twice as many as there are units in the whole.
type Subgraphs struct {
	Grid uint64
	List []Subgraph // in the order of states
}

// A Subgraph is the size of one.
type Subgraph struct {
	State       uint32
	States      uint32
	Transitions uint64
}

// subgraphs collects sizes as a search goes on.
type subgraphs struct {
	open []openSub
	last uint32 // the state that was entered last
	done Subgraphs
}

// An openSub is a state on the stack.
type openSub struct {
	state uint32
	from  uint64 // transitions before it was entered
	below uint64 // the largest size of a child, in units
}

const maxSubgraphs = 4096

// wanted is how many subgraphs are worth their bytes for so many transitions.
func wanted(transitions uint64) int {
	return int(min(max(transitions/512, 16), maxSubgraphs))
}

// push enters a state after so many transitions.
func (s *subgraphs) push(state uint32, now uint64) {
	s.open = append(s.open, openSub{state: state, from: now})
	s.last = state
}

// pop leaves the state on top after so many transitions.
func (s *subgraphs) pop(now uint64) {
	top := s.open[len(s.open)-1]
	sub := Subgraph{State: top.state, States: s.last - top.state + 1, Transitions: now - top.from}
	s.open = s.open[:len(s.open)-1]
	if s.done.Grid == 0 {
		s.done.Grid = 1
	}
	units := sub.Transitions / s.done.Grid
	if len(s.open) > 0 {
		p := &s.open[len(s.open)-1]
		p.below = max(p.below, units)
	}
	if units > top.below {
		s.done.List = append(s.done.List, sub)
		if len(s.done.List) > 2*maxSubgraphs {
			s.coarser()
		}
	}
}

// coarser doubles the grid and drops what is not worth an entry any more. The
// list is in the order of leaving states: children before parents.
func (s *subgraphs) coarser() {
	s.done.Grid *= 2
	grid := s.done.Grid
	kept := s.done.List[:0]
	// Those before that no other one contains, with their sizes in units.
	type outer struct {
		state uint32
		units uint64
	}
	var list []outer
	for _, sub := range s.done.List {
		below := uint64(0)
		for len(list) > 0 && list[len(list)-1].state > sub.State { // what comes before and has a larger number is inside
			below = max(below, list[len(list)-1].units)
			list = list[:len(list)-1]
		}
		units := sub.Transitions / grid
		if units > below {
			kept = append(kept, sub)
		}
		list = append(list, outer{sub.State, units})
	}
	s.done.List = kept
	for i := range s.open {
		s.open[i].below /= 2
	}
}

// finish returns the list in the order of states.
func (s *subgraphs) finish(transitions uint64) *Subgraphs {
	for len(s.done.List) > wanted(transitions) {
		s.coarser()
	}
	slices.SortFunc(s.done.List, func(a, b Subgraph) int { return int(int64(a.State) - int64(b.State)) })
	return &s.done
}

// append encodes the list.
func (s *Subgraphs) append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, s.Grid)
	dst = binary.AppendUvarint(dst, uint64(len(s.List)))
	last := uint32(0)
	for _, sub := range s.List {
		dst = binary.AppendUvarint(dst, uint64(sub.State-last))
		dst = binary.AppendUvarint(dst, uint64(sub.States))
		dst = binary.AppendUvarint(dst, sub.Transitions)
		last = sub.State
	}
	return dst
}

// readSubgraphs decodes a list. It need not be true, but it has to be one:
// subgraphs lie within each other or apart.
func readSubgraphs(data []byte) (*Subgraphs, error) {
	c := cutter{data}
	s := &Subgraphs{Grid: c.number()}
	n := c.number()
	if n > 2*maxSubgraphs {
		return nil, fmt.Errorf("%d subgraphs: the limit is %d", n, 2*maxSubgraphs)
	}
	state := uint64(0)
	for range n {
		state += c.number()
		sub := Subgraph{State: uint32(state), States: uint32(c.number()), Transitions: c.number()}
		if c.data == nil || state == 0 || state > 1<<32-1 || sub.States == 0 || uint64(sub.States) > 1<<32-1-state {
			return nil, fmt.Errorf("subgraph %d of %d is no subgraph", len(s.List)+1, n)
		}
		s.List = append(s.List, sub)
	}
	if len(c.data) > 0 || c.data == nil || s.Grid == 0 {
		return nil, fmt.Errorf("the list of subgraphs is damaged")
	}
	return s, nil
}

// Equal reports whether two lists are equal.
func (s *Subgraphs) Equal(o *Subgraphs) bool { return s.Grid == o.Grid && slices.Equal(s.List, o.List) }

// A cutter cuts numbers from bytes. Its data is nil after an error.
type cutter struct{ data []byte }

func (c *cutter) number() uint64 {
	x, n := binary.Uvarint(c.data)
	if n <= 0 {
		c.data = nil
		return 0
	}
	c.data = c.data[n:]
	if c.data == nil {
		c.data = []byte{}
	}
	return x
}
