package mucalc

import (
	"math"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/ldd"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/symbolic"
)

// The game of a formula can be made and solved with sets of states. A place is what
// a vertex is without its state: a node and the values of its variables. What
// follows a place does not depend on the state, but for modal nodes, whose
// successors the steps with some labels lead to. So all vertices are a set of states
// for each place.

// A region is a set of vertices: by place, a set of states.
type region []ldd.Set

// A broad game is a game with sets of states.
type broad struct {
	*builder // its vertices are the places, all of state 0
	space    *symbolic.Space
	store    *ldd.Store
	labels   []lts.Label
	opened   []opened // by place
	bySet    map[string]*symbolic.Steps
	all      region
	before   [][]int32 // by place: places that it follows
}

// An opened place is one that was reached.
type opened struct {
	is    bool
	after []int32 // the places that follow
	// Of a modal place, the steps that it is about, and their labels.
	steps *symbolic.Steps
	in    func(lts.Label) bool
}

// SolveSymbolic finds out whether a formula holds in the initial state of a space
// that is complete and has labels. The outcome has no evidence, and a path only
// where one player can lead the other to where he is stuck, as with safety and
// reachability.
func SolveSymbolic(f *formula.Formula, space *symbolic.Space, sys *state.System) (*Outcome, error) {
	b, root, err := newBuilder(f, nil, sys)
	if err != nil {
		return nil, err
	}
	if err := b.shallow(); err != nil {
		return nil, err
	}
	b.most = maxPlaces
	g := &broad{builder: b, space: space, store: space.Store(), labels: space.Labels(), bySet: map[string]*symbolic.Steps{}}
	var out *Outcome
	var inner error
	err = space.Try(func() { out, inner = g.outcome(root) })
	if err == nil {
		err = inner
	}
	return out, err
}

// maxPlaces is how many places a game may have.
const maxPlaces = 1 << 22

// shallow refuses a formula with more priorities than there are numbers for.
func (b *builder) shallow() error {
	for _, n := range b.nodes {
		if n.priority > math.MaxInt8 {
			return diag.Unsupportedf(n.part.at, "least and greatest fixed points that alternate more than %d times", math.MaxInt8)
		}
	}
	return nil
}

// outcome makes and solves the game.
func (g *broad) outcome(root *node) (*Outcome, error) {
	if err := g.make(root); err != nil {
		return nil, err
	}
	out := &Outcome{Loop: -1, Vertices: len(g.vertices)}
	has := func(r region) bool { return g.store.Intersect(r[0], g.space.Initial()) != ldd.Empty }
	left := slices.Clone(g.all)
	var won [2]region
	for _, p := range []player{verifier, refuter} {
		var log []event
		won[p] = g.attract(p, g.stuck(1-p, left), left, &log)
		if has(won[p]) {
			out.Holds = p == verifier
			var err error
			out.Path, err = g.lead(p, log)
			return out, err
		}
		g.remove(left, won[p])
	}
	out.Holds = has(g.decide(left)[verifier])
	return out, nil
}

// make makes all vertices that can be reached.
func (g *broad) make(root *node) error {
	g.vertex(0, root, 0)
	g.opened, g.all = []opened{{}}, region{ldd.Empty}
	fresh := region{g.space.Initial()}
	for queue := []int32{0}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		if err := g.open(v); err != nil {
			return err
		}
		for len(fresh) < len(g.vertices) {
			fresh = append(fresh, ldd.Empty)
		}
		from := fresh[v]
		g.all[v], fresh[v] = g.store.Union(g.all[v], from), ldd.Empty
		if g.opened[v].steps != nil {
			from = g.opened[v].steps.Next(from)
		}
		for _, w := range g.opened[v].after {
			more := g.store.Union(fresh[w], g.store.Minus(from, g.all[w]))
			if more != ldd.Empty && fresh[w] == ldd.Empty {
				queue = append(queue, w)
			}
			fresh[w] = more
		}
	}
	g.before = make([][]int32, len(g.vertices))
	for v := range g.opened {
		for _, w := range g.opened[v].after {
			g.before[w] = append(g.before[w], int32(v))
		}
	}
	return nil
}

// open finds out what follows a place.
func (g *broad) open(v int32) error {
	if g.opened[v].is {
		return nil
	}
	if err := g.tooLarge(); err != nil {
		return err
	}
	k := g.vertices[v]
	n := g.nodes[k.node]
	o := opened{is: true}
	from := len(g.succ)
	if n.kind == modal {
		var err error
		if o.steps, o.in, err = g.matching(n, k); err != nil {
			return err
		}
		g.edge(0, n.kids[0], k.env)
	} else if err := g.expand(k); err != nil {
		return err
	}
	for _, w := range g.succ[from:] {
		if !slices.Contains(o.after, w) {
			o.after = append(o.after, w)
		}
	}
	g.opened[v] = o
	for len(g.opened) < len(g.vertices) {
		g.opened, g.all = append(g.opened, opened{}), append(g.all, ldd.Empty)
	}
	return nil
}

// matching returns the steps that a modal place is about.
func (g *broad) matching(n *node, k vertexKey) (*symbolic.Steps, func(lts.Label) bool, error) {
	is := map[lts.Label]bool{}
	key := make([]byte, len(g.labels))
	for i, l := range g.labels {
		code, err := g.match.code(n, l)
		if err != nil {
			return nil, nil, err
		}
		ok, err := truth(code, g.load(n, k.env))
		if err != nil {
			return nil, nil, err
		}
		if ok {
			is[l], key[i] = true, 1
		}
	}
	in := func(l lts.Label) bool { return is[l] }
	s := g.bySet[string(key)]
	if s == nil {
		s = g.space.Steps(in)
		g.bySet[string(key)] = s
	}
	return s, in, nil
}

// stuck returns the vertices of a player who can do nothing there.
func (g *broad) stuck(p player, in region) region {
	out := make(region, len(g.all))
	for v := range g.opened {
		switch {
		case g.owner[v] != p:
		case g.opened[v].steps != nil:
			out[v] = g.store.Minus(in[v], g.opened[v].steps.Prev(g.space.Reached(), in[v]))
		case len(g.opened[v].after) == 0:
			out[v] = in[v]
		}
	}
	return out
}

func (g *broad) remove(from, what region) {
	for v := range from {
		from[v] = g.store.Minus(from[v], what[v])
	}
}

// An event is that an attractor got vertices of a place.
type event struct {
	place int32
	set   ldd.Set
}

// attract returns the vertices of a subgame from which a player can force a play
// into a set of them. It notes in log, if that is not nil, in which order they were
// found.
func (g *broad) attract(p player, set, in region, log *[]event) region {
	out := make(region, len(in))
	fresh := slices.Clone(set)
	var queue []int32
	for v := range fresh {
		if fresh[v] != ldd.Empty {
			queue = append(queue, int32(v))
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		w := queue[0]
		more := g.store.Minus(fresh[w], out[w])
		fresh[w] = ldd.Empty
		if more == ldd.Empty {
			continue
		}
		out[w] = g.store.Union(out[w], more)
		if log != nil {
			*log = append(*log, event{w, more})
		}
		for _, v := range g.before[w] {
			found := g.store.Minus(g.into(v, more, in[v]), out[v])
			if g.owner[v] != p {
				for _, x := range g.opened[v].after {
					found = g.store.Minus(found, g.into(v, g.store.Minus(in[x], out[x]), found))
				}
			}
			if found == ldd.Empty {
				continue
			}
			if fresh[v] == ldd.Empty {
				queue = append(queue, v)
			}
			fresh[v] = g.store.Union(fresh[v], found)
		}
	}
	return out
}

// into returns the vertices of a place, among some, from which one edge leads to states
// of a place that follows.
func (g *broad) into(v int32, to, among ldd.Set) ldd.Set {
	if g.opened[v].steps != nil {
		return g.opened[v].steps.Prev(to, among)
	}
	return g.store.Intersect(to, among)
}

// decide returns who wins which vertices of a subgame in which nobody is stuck, by
// Zielonka's algorithm.
func (g *broad) decide(in region) [2]region {
	in = slices.Clone(in)
	won := [2]region{make(region, len(in)), make(region, len(in))}
	for {
		highest := int8(-1)
		for v, set := range in {
			if set != ldd.Empty {
				highest = max(highest, g.priority[v])
			}
		}
		if highest < 0 {
			return won
		}
		p := player(highest % 2)
		top := make(region, len(in))
		for v := range in {
			if g.priority[v] == highest {
				top[v] = in[v]
			}
		}
		rest := slices.Clone(in)
		g.remove(rest, g.attract(p, top, in, nil))
		lost := g.decide(rest)[1-p]
		if !slices.ContainsFunc(lost, func(a ldd.Set) bool { return a != ldd.Empty }) {
			g.add(won[p], in)
			return won
		}
		near := g.attract(1-p, lost, in, nil)
		g.add(won[1-p], near)
		g.remove(in, near)
	}
}

func (g *broad) add(to, what region) {
	for v := range to {
		to[v] = g.store.Union(to[v], what[v])
	}
}

// lead goes from the initial vertex to where the other player is stuck, as long as
// that one has no choice, and returns the steps on the way.
func (g *broad) lead(winner player, log []event) (path lts.Path, err error) {
	sys := g.match.sys
	sys.Reset()
	v, at := int32(0), g.space.Initial()
	for {
		to := at
		if g.opened[v].steps != nil {
			to = g.opened[v].steps.Next(at)
		}
		next, set := int32(-1), ldd.Empty
		if g.owner[v] == winner {
			for _, e := range log { // the nearest first
				if set = g.store.Intersect(to, e.set); set != ldd.Empty && slices.Contains(g.opened[v].after, e.place) {
					next = e.place
					break
				}
			}
		} else if next = g.onlyPlace(v); next >= 0 {
			set = to
		}
		if next < 0 || g.nodes[g.vertices[next].node].part == nil || set == ldd.Empty {
			return path, nil
		}
		first := g.store.First(set)
		if g.opened[v].steps != nil {
			if g.owner[v] != winner && g.store.Vector(first) != set {
				return path, nil // he has a choice
			}
			if path, err = g.space.Go(path, first, g.opened[v].in); err != nil {
				return nil, err
			}
		}
		v, at = next, g.store.Vector(first)
	}
}

// onlyPlace returns the place that follows one, or -1 if there are several. Those
// where one loses at once do not count.
func (g *broad) onlyPlace(v int32) int32 {
	only := int32(-1)
	for _, w := range g.opened[v].after {
		n := g.nodes[g.vertices[w].node]
		switch {
		case n.kind == leaf || n.kind == junction && len(n.kids) == 0:
		case only >= 0:
			return -1
		default:
			only = w
		}
	}
	return only
}
