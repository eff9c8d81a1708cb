package ltstest

import (
	"encoding/binary"

	"github.com/heddle-mc/heddle/internal/lts"
	"pgregory.net/rapid"
)

// A Graph is a transition system given by its edges: those of state 0, which is
// the start, those of state 1, and so on. Step i follows the edge at position i.
type Graph [][]int

// Model returns the graph as a Model. Nodes whose number is divisible by final
// are final if they have no edges, those divisible by wrong are wrong; 0 means
// none.
func (g Graph) Model(final, wrong int) Model {
	at := func(state []byte) int { return int(binary.LittleEndian.Uint16(state)) }
	return Model{
		Start: make([]byte, 2),
		Enabled: func(state []byte, dst []lts.Step) []lts.Step {
			for i := range g[at(state)] {
				dst = append(dst, lts.Step(i))
			}
			return dst
		},
		Take: func(state []byte, s lts.Step) {
			binary.LittleEndian.PutUint16(state, uint16(g[at(state)][s]))
		},
		Final: func(state []byte) bool { return final > 0 && at(state)%final == 0 },
		Wrong: func(state []byte) string {
			if wrong > 0 && at(state)%wrong == 0 {
				return "node " + string(rune('A'+at(state)%26))
			}
			return ""
		},
	}
}

// DrawGraph draws a graph with up to n nodes.
func DrawGraph(t *rapid.T, n int) Graph {
	size := rapid.IntRange(1, n).Draw(t, "nodes")
	g := make(Graph, size)
	for i := range g {
		g[i] = rapid.SliceOfN(rapid.IntRange(0, size-1), 0, 4).Draw(t, "edges")
	}
	return g
}

// Reached is what a search has to find, computed in the plainest way.
type Reached struct {
	States, Transitions int
	Stuck               int            // states without steps
	Depth               map[string]int // by key: the length of a shortest path
}

// Reach searches m by the book: a queue and a map of whole states.
func Reach(m Model) Reached {
	sys := New(m).(*toy)
	start := string(m.Start)
	r := Reached{Depth: map[string]int{start: 0}}
	queue := []string{start}
	for ; len(queue) > 0; queue = queue[1:] {
		r.States++
		steps := m.Enabled([]byte(queue[0]), nil)
		if len(steps) == 0 {
			r.Stuck++
		}
		for _, s := range steps {
			r.Transitions++
			copy(sys.state, queue[0])
			sys.Take(s)
			next := string(sys.state)
			if _, seen := r.Depth[next]; !seen {
				r.Depth[next] = r.Depth[queue[0]] + 1
				queue = append(queue, next)
			}
		}
	}
	return r
}
