package cert

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// Shortcuts are short ways from the start to some states. A depth-first search comes to most states by
// thousands of steps, and a part of its script would have to begin with them. So a certificate of a deep search has a
// tree of short ways, to one of each few states:
//
//	how many, and of each, parents first: the place of its parent in the list, from 1, or 0 for the
//	start; the step that leads there; and the number of the state
//
// Who uses one says to which state it has led, as with any other way to a part, and is held against the
// part that has found the state.
type Shortcuts struct {
	nodes []shortcut
	at    map[uint32]int // by state
}

// A shortcut is a state with the last step of the way there.
type shortcut struct {
	parent int // -1 for the start
	step   lts.Step
	state  uint32
}

// To returns the steps to a state, and whether there is such a way.
func (s *Shortcuts) To(state uint32) (lts.Path, bool) {
	if s == nil {
		return nil, false
	}
	i, ok := s.at[state]
	if !ok {
		return nil, false
	}
	var way lts.Path
	for ; i >= 0; i = s.nodes[i].parent {
		way = append(way, s.nodes[i].step)
	}
	slices.Reverse(way)
	return way, true
}

// maxShortcuts bounds what is read.
const maxShortcuts = 1 << 16

// readShortcuts reads what append has written.
func readShortcuts(data []byte) (*Shortcuts, error) {
	cut := cutter{data}
	n := cut.number()
	if n > maxShortcuts {
		return nil, fmt.Errorf("%d short ways: the limit is %d", n, maxShortcuts)
	}
	s := &Shortcuts{at: map[uint32]int{}}
	for i := range int(n) {
		parent, step, state := cut.number(), cut.number(), cut.number()
		if cut.data == nil || parent > uint64(i) || step > math.MaxUint32 || state > math.MaxUint32 {
			return nil, fmt.Errorf("a short way is damaged")
		}
		s.nodes = append(s.nodes, shortcut{int(parent) - 1, lts.Step(step), uint32(state)})
		s.at[uint32(state)] = i
	}
	if len(cut.data) > 0 {
		return nil, fmt.Errorf("something follows the short ways")
	}
	return s, nil
}

// A surveyor finds short ways while a search goes on. It takes 12 bytes a state, and as many for each of the first
// transitions.
type surveyor struct {
	states []surveyed // by number, from 1
	edges  []edge
}

// A surveyed is a state with the shortest way to it that is known.
type surveyed struct {
	parent uint32 // 0 for the start
	step   lts.Step
	length uint32
}

type edge struct {
	from, to uint32
	step     lts.Step
}

// maxEdges is how many transitions are kept to be looked at again when the search is over.
const maxEdges = 1 << 21

// step notes a transition. States have numbers in the order in which they are found.
func (s *surveyor) step(from, to uint32, step lts.Step) {
	if len(s.states) == 0 {
		s.states = make([]surveyed, 2, 1024) // nobody, and the start
	}
	if len(s.edges) < maxEdges {
		s.edges = append(s.edges, edge{from, to, step})
	}
	if int(to) == len(s.states) {
		s.states = append(s.states, surveyed{length: math.MaxUint32})
	}
	s.relax(edge{from, to, step})
}

// relax takes the way by a transition if it is shorter, and reports whether it is. The length of a state is that of a way
// to it or more, and that of its parent is smaller, so that there is no way around in a circle.
func (s *surveyor) relax(e edge) bool {
	length := s.states[e.from].length + 1
	if length >= s.states[e.to].length {
		return false
	}
	s.states[e.to] = surveyed{e.from, e.step, length}
	return true
}

const (
	shortcutStates = 256 // there are so many short ways, or somewhat more
	shallow        = 64  // a search of this depth needs none
)

// finish returns short ways to states that are spread over the search.
func (s *surveyor) finish() *Shortcuts {
	for news := true; news; {
		news = false
		for _, e := range s.edges {
			news = s.relax(e) || news
		}
	}
	var list []uint32
	wanted := make([]bool, len(s.states))
	for i := 1; i < len(s.states); i += max(len(s.states)/shortcutStates, 1) {
		var way []uint32
		for n := uint32(i); n > 1 && !wanted[n]; n = s.states[n].parent {
			wanted[n] = true
			way = append(way, n)
		}
		if len(list)+len(way) > maxShortcuts {
			break
		}
		list = append(list, way...)
	}
	slices.SortFunc(list, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.states[a].length, s.states[b].length), cmp.Compare(a, b))
	})
	out := &Shortcuts{at: map[uint32]int{1: -1}}
	for i, n := range list {
		out.nodes = append(out.nodes, shortcut{out.at[s.states[n].parent], s.states[n].step, n})
		out.at[n] = i
	}
	return out
}

// append encodes short ways.
func (s *Shortcuts) append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s.nodes)))
	for _, n := range s.nodes {
		dst = binary.AppendUvarint(dst, uint64(n.parent+1))
		dst = binary.AppendUvarint(dst, uint64(n.step))
		dst = binary.AppendUvarint(dst, uint64(n.state))
	}
	return dst
}
