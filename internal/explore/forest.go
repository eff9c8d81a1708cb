package explore

import (
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A forest is the tree of paths of a search, as parent links: 8 bytes a state.
// Node 0 is the initial state.
type forest struct {
	segments [][]node // full ones, but for the last
	n        uint32
}

// A node is a state: the one it was reached from, and the step.
type node struct {
	parent uint32
	step   lts.Step
}

const (
	nodeBytes    = 8
	segmentBits  = 16
	segmentNodes = 1 << segmentBits
)

func newForest() *forest {
	f := &forest{}
	f.add(0, 0)
	return f
}

// add returns the number of a new node.
func (f *forest) add(parent uint32, s lts.Step) uint32 {
	if f.n == ^uint32(0) {
		panic(diag.Bugf("more than 2^32 states in a tree of paths"))
	}
	if int(f.n>>segmentBits) == len(f.segments) {
		size := segmentNodes
		if f.n == 0 {
			size = 0 // small searches stay small
		}
		f.segments = append(f.segments, make([]node, 0, size))
	}
	last := len(f.segments) - 1
	f.segments[last] = append(f.segments[last], node{parent, s})
	f.n++
	return f.n - 1
}

func (f *forest) at(n uint32) node { return f.segments[n>>segmentBits][n&(segmentNodes-1)] }

func (f *forest) bytes() int64 { return int64(f.n) * nodeBytes }

// path returns the steps to a node.
func (f *forest) path(n uint32) lts.Path {
	p := lts.Path{}
	for ; n != 0; n = f.at(n).parent {
		p = append(p, f.at(n).step)
	}
	slices.Reverse(p)
	return p
}

// A walker takes a cursor to nodes of a forest. It keeps a mark on each state of
// the path to where it is, so that it goes to another node from the nearest
// common ancestor: along a level of a breadth-first tree, few steps away.
type walker struct {
	c     *cursor
	f     *forest
	nodes []uint32 // the path, from the initial state on
	marks []lts.Mark
	down  []uint32
	told  uint32               // nodes below came from a checkpoint
	keys  map[lts.Label]string // of labels of its system, for a Distant observer
}

func newWalker(c *cursor, f *forest, told uint32) *walker {
	c.Reset()
	return &walker{c: c, f: f, told: told, nodes: []uint32{0}, marks: []lts.Mark{c.Save()}}
}

// goTo goes to a node that is that many steps from the start. It fails if a checkpoint
// has told of steps that are not there.
func (w *walker) goTo(n uint32, depth int) error {
	w.down = w.down[:0]
	for depth >= len(w.nodes) || w.nodes[depth] != n {
		w.down = append(w.down, n)
		n = w.f.at(n).parent
		depth--
	}
	w.nodes, w.marks = w.nodes[:depth+1], w.marks[:depth+1]
	w.c.Restore(w.marks[depth])
	for _, n := range slices.Backward(w.down) {
		if step := w.f.at(n).step; n >= w.told {
			w.c.Take(step)
		} else if err := w.c.try(step); err != nil {
			return fmt.Errorf("the way to state %d: step %w", n, err)
		}
		w.nodes = append(w.nodes, n)
		w.marks = append(w.marks, w.c.Save())
	}
	return nil
}

// back returns to the node that goTo went to last.
func (w *walker) back() { w.c.Restore(w.marks[len(w.marks)-1]) }
