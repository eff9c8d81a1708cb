package live

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// stateBytes and edgeBytes are what a state and a step take while the graph is looked through.
const (
	stateBytes = 40
	edgeBytes  = 24
)

// A graph is what was recorded, with the steps of each state in one place. State 0 is the initial one.
type graph struct {
	states  []state
	first   []uint32 // by state: its first edge; one more at the end
	edges   []edge
	stances []stance
	motions []motion
}

type edge struct {
	to     uint32
	step   lts.Step
	motion uint32
}

// graph puts the recorded steps in order. A step that was told twice, as in a search that was stopped, is there once.
func (r *Recorder) graph() *graph {
	g := &graph{states: r.states, stances: r.stances.list, motions: r.motions.list, first: make([]uint32, len(r.states)+1)}
	for i := range r.edges {
		g.first[r.edges[i].from+1]++
	}
	for i := range r.states {
		g.first[i+1] += g.first[i]
	}
	next := slices.Clone(g.first)
	g.edges = make([]edge, len(r.edges))
	for i := range r.edges {
		e := &r.edges[i]
		g.edges[next[e.from]] = edge{e.to, e.step, e.motion}
		next[e.from]++
	}
	n := uint32(0)
	for s := range r.states {
		own := g.edges[g.first[s]:g.first[s+1]]
		slices.SortStableFunc(own, func(a, b edge) int { return int(int64(a.step) - int64(b.step)) })
		g.first[s] = n
		for i := range own {
			if i == 0 || own[i].step != own[i-1].step {
				g.edges[n] = own[i]
				n++
			}
		}
	}
	g.first[len(r.states)], g.edges = n, g.edges[:n]
	return g
}

// of returns the edges of a state.
func (g *graph) of(s uint32) []edge { return g.edges[g.first[s]:g.first[s+1]] }

// whole reports whether all steps of a state were taken.
func (g *graph) whole(s uint32) bool {
	x := &g.states[s]
	return x.seen && g.first[s+1]-g.first[s] == x.steps
}

func (g *graph) stance(s uint32) *stance { return &g.stances[g.states[s].stance] }
func (g *graph) motion(e edge) *motion   { return &g.motions[e.motion] }

// A tree is the shortest ways from the initial state.
type tree struct {
	parent []uint32 // by state
	via    []lts.Step
	depth  []int32 // -1 for what was not reached
}

func (g *graph) shortest() *tree {
	n := len(g.states)
	t := &tree{make([]uint32, n), make([]lts.Step, n), make([]int32, n)}
	for i := range t.depth {
		t.depth[i] = -1
	}
	if n == 0 {
		return t
	}
	t.depth[0] = 0
	for queue := []uint32{0}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		for _, e := range g.of(s) {
			if t.depth[e.to] < 0 {
				t.depth[e.to], t.parent[e.to], t.via[e.to] = t.depth[s]+1, s, e.step
				queue = append(queue, e.to)
			}
		}
	}
	return t
}

// path returns the way to a state.
func (t *tree) path(s uint32) lts.Path {
	p := lts.Path{}
	for ; t.depth[s] > 0; s = t.parent[s] {
		p = append(p, t.via[s])
	}
	slices.Reverse(p)
	return p
}

// components numbers the strongly connected components of a graph with n nodes (Tarjan's algorithm, without recursion). Next
// returns the end of the k-th edge of a node, -1 if there is none there. What can be reached from a component has lower numbers.
// If stop says so, the numbers are of no use.
func components(n int, degree func(v int) int, next func(v, k int) int, stop func() bool) (comp []int32, count int) {
	comp = make([]int32, n)
	low := make([]int32, n) // 0 for nodes that were not met
	type frame struct{ v, k int32 }
	var frames []frame
	var stack []int32
	met := int32(0)
	enter := func(v int) {
		met++
		low[v], comp[v] = met, -met // while a node is on the stack, comp is its number in the order of meeting
		stack = append(stack, int32(v))
		frames = append(frames, frame{int32(v), 0})
	}
	for root := range n {
		if low[root] != 0 {
			continue
		}
		if stop() {
			return comp, count
		}
		enter(root)
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			v := int(f.v)
			if int(f.k) < degree(v) {
				w := next(v, int(f.k))
				f.k++
				switch {
				case w < 0:
				case low[w] == 0:
					if met&1023 == 0 && stop() {
						return comp, count
					}
					enter(w)
				case comp[w] < 0: // on the stack
					low[v] = min(low[v], -comp[w])
				}
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				p := frames[len(frames)-1].v
				low[p] = min(low[p], low[v])
			}
			if low[v] != -comp[v] {
				continue
			}
			for {
				w := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				comp[w] = int32(count)
				if int(w) == v {
					break
				}
			}
			count++
		}
	}
	return comp, count
}
