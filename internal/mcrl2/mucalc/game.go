package mucalc

import (
	"encoding/binary"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
)

// MaxVertices is how large games get.
const MaxVertices = 1 << 28

// An Outcome is the answer.
type Outcome struct {
	Holds bool
	// Path shows why, as far as one way can.
	Path lts.Path
	// Loop is the number of steps before the part of the path that is repeated
	// for ever, or -1.
	Loop     int
	Vertices int // of the game
	Why      *Why

	solution *solution
}

// A solution is a game with its solution.
type solution struct {
	*builder
	root     *node
	strategy []int32
}

// Solve finds out whether a formula holds in the initial state of a graph. The
// graph has to be complete and recorded of the system, whose process has the data
// of the formula.
func Solve(f *formula.Formula, g *record.Graph, sys *state.System) (*Outcome, error) {
	b, root, err := newBuilder(f, g, sys)
	if err != nil {
		return nil, err
	}
	return b.outcome(root)
}

// outcome makes and solves the game.
func (b *builder) outcome(root *node) (*Outcome, error) {
	if err := b.shallow(); err != nil {
		return nil, err
	}
	if err := b.build(root); err != nil {
		return nil, err
	}
	winner, strategy := b.game.solve()
	out := &Outcome{Holds: winner[0] == verifier, Vertices: len(b.vertices), solution: &solution{b, root, strategy}}
	var end int32
	var err error
	if out.Path, out.Loop, end, err = b.way(winner[0], strategy); err != nil {
		return nil, err
	}
	out.Why, err = b.why(winner[0], strategy, end, MaxClaims)
	return out, err
}

// newBuilder compiles a formula, and returns its root and who makes the game.
func newBuilder(f *formula.Formula, g *record.Graph, sys *state.System) (*builder, *node, error) {
	engine := sys.Engine()
	c := &compiler{engine: engine, lib: f.Data.Lib, frame: engine.NewScope(), place: map[*spec.Var]int{}, fixes: map[*formula.Fix]*fixNode{}}
	root, _ := c.state(f.Body, false, nil)
	if c.err != nil {
		return nil, nil, c.err
	}
	return c.builder(g, sys), root, nil
}

// builder returns who makes the game. Without modalities there need not be a system.
func (c *compiler) builder(g *record.Graph, sys *state.System) *builder {
	return &builder{
		compiler: c, graph: g, known: map[vertexKey]int32{}, envs: map[string]int32{"": 0}, values: [][]data.Value{nil},
		match: &matcher{c: c, sys: sys, known: map[matchKey]*data.Code{}, parts: map[lts.Label][]state.Performed{}},
	}
}

// A vertexKey is a vertex: a state, a node, and the number of the values of its
// variables.
type vertexKey struct{ state, node, env int32 }

// A builder makes the game.
type builder struct {
	*compiler
	game
	graph     *record.Graph
	match     *matcher
	vertices  []vertexKey
	known     map[vertexKey]int32
	envs      map[string]int32
	values    [][]data.Value
	buf       []byte
	cells     []data.Value // the frame
	constants [3]*node
	most      int // vertices, or 0
}

// build makes all vertices that can be reached. Vertex 0 is the root.
func (b *builder) build(root *node) error {
	b.vertex(0, root, 0)
	b.first = append(b.first, 0)
	for v := 0; v < len(b.vertices); v++ {
		if err := b.tooLarge(); err != nil {
			return err
		}
		if err := b.expand(b.vertices[v]); err != nil {
			return err
		}
		b.first = append(b.first, int32(len(b.succ)))
	}
	return nil
}

// tooLarge returns an error if the game gets too large.
func (b *builder) tooLarge() error {
	if b.most > 0 && len(b.vertices) > b.most {
		return diag.Incompletef("not solved: the game has more than %d vertices", b.most)
	}
	if len(b.vertices) > MaxVertices || len(b.succ) > 1<<31-1<<20 {
		return diag.Incompletef("the formula is not judged: its game has more than %d vertices", len(b.vertices))
	}
	return nil
}

// vertex returns the number of a vertex.
func (b *builder) vertex(state int32, n *node, env int32) int32 {
	key := vertexKey{state, int32(n.id), env}
	v, ok := b.known[key]
	if !ok {
		v = int32(len(b.vertices))
		b.known[key] = v
		b.vertices = append(b.vertices, key)
		owner := refuter
		if n.may {
			owner = verifier
		}
		b.owner = append(b.owner, owner)
		b.priority = append(b.priority, int8(n.priority))
	}
	return v
}

func (b *builder) edge(state int32, n *node, env int32) {
	b.succ = append(b.succ, b.vertex(state, n, env))
}

// env returns the number of a list of values.
func (b *builder) env(list []data.Value) int32 {
	b.buf = b.buf[:0]
	for _, v := range list {
		b.buf = binary.LittleEndian.AppendUint64(b.buf, uint64(v))
	}
	n, ok := b.envs[string(b.buf)]
	if !ok {
		n = int32(len(b.values))
		b.envs[string(b.buf)] = n
		b.values = append(b.values, append([]data.Value(nil), list...))
	}
	return n
}

// load puts the values of a vertex into the frame.
func (b *builder) load(n *node, env int32) []data.Value {
	if size := b.frame.Size(); size > len(b.cells) {
		b.cells = append(b.cells, make([]data.Value, size-len(b.cells))...)
	}
	for i, v := range b.values[env] {
		b.cells[n.places[i]] = v
	}
	return b.cells
}

// expand appends the successors of a vertex.
func (b *builder) expand(k vertexKey) error {
	n := b.nodes[k.node]
	switch n.kind {
	case leaf, junction:
		return b.choose(n, k)
	case quantify:
		frame := b.load(n, k.env)
		list := append([]data.Value(nil), b.values[k.env]...)
		count := len(n.kids[0].scope) - len(n.scope)
		return n.sum.Each(frame, func() bool {
			list = append(list[:len(n.scope)], frame[n.first:n.first+count]...)
			b.edge(k.state, n.kids[0], b.env(list))
			return true
		})
	case modal:
		return b.transitions(n, k)
	}
	frame := b.load(n, k.env)
	list := append([]data.Value(nil), b.values[k.env][:n.keep]...)
	for _, x := range n.args {
		v, err := x.Eval(frame)
		if err != nil {
			return err
		}
		list = append(list, v)
	}
	b.edge(k.state, n.kids[0], b.env(list))
	return nil
}

// choose appends the successors of a leaf or a junction. What the values of the
// variables decide is decided here, so that a formula that counts up to a bound
// ends there.
func (b *builder) choose(n *node, k vertexKey) error {
	value, err := b.decided(n, k.env)
	switch {
	case err != nil:
		return err
	case value == n.lost():
		return nil // whose turn it is is stuck
	case value != unknown:
		b.edge(k.state, b.constant(value), 0)
		return nil
	}
	for _, kid := range n.kids {
		v, err := b.decided(kid, k.env)
		if err != nil {
			return err
		}
		switch v {
		case unknown:
			b.edge(k.state, kid, k.env)
		case n.lost():
		default: // of a loop, which is not decided as a whole
			b.edge(k.state, b.constant(v), 0)
		}
	}
	return nil
}

// A value is what is known of a node without looking at a state.
type value uint8

const (
	unknown value = iota
	holds
	fails
)

// lost returns the value with which the player loses who chooses at a node.
func (n *node) lost() value {
	if n.may {
		return fails
	}
	return holds
}

// decided returns the value of a node that the values of the variables decide.
func (b *builder) decided(n *node, env int32) (value, error) {
	switch {
	case n.kind == leaf:
		ok, err := truth(n.cond, b.load(n, env))
		if ok {
			return holds, err
		}
		return fails, err
	case n.kind != junction || n.loop:
		return unknown, nil
	}
	all := n.lost()
	for _, kid := range n.kids {
		v, err := b.decided(kid, env)
		switch {
		case err != nil:
			return unknown, err
		case v == unknown:
			all = unknown
		case v != n.lost():
			return v, nil
		}
	}
	return all, nil
}

// constant returns a node at which a player is stuck.
func (b *builder) constant(v value) *node {
	if b.constants[v] == nil {
		b.constants[v] = b.node(junction, v == fails, nil)
	}
	return b.constants[v]
}

// transitions appends the successors of a modal vertex.
func (b *builder) transitions(n *node, k vertexKey) error {
	start := len(b.succ)
edges:
	for _, e := range b.graph.Edges(k.state) {
		in, err := b.in(n, k, e)
		if err != nil {
			return err
		}
		if !in {
			continue
		}
		to := b.vertex(e.To, n.kids[0], k.env)
		for _, s := range b.succ[start:] {
			if s == to {
				continue edges
			}
		}
		b.succ = append(b.succ, to)
	}
	return nil
}

// in reports whether a transition is one that a modal vertex is about.
func (b *builder) in(n *node, k vertexKey, e record.Edge) (bool, error) {
	code, err := b.match.code(n, e.Label)
	if err != nil {
		return false, err
	}
	return truth(code, b.load(n, k.env))
}

func truth(c *data.Code, frame []data.Value) (bool, error) {
	v, err := c.Eval(frame)
	if err != nil {
		return false, err
	}
	return c.Truth(v, "the condition")
}

// only returns the successor of a vertex of the loser, or -1 if there are several.
// Those that lose at once do not count.
func (b *builder) only(v int32) int32 {
	only := int32(-1)
	for _, w := range b.succ[b.first[v]:b.first[v+1]] {
		n := b.nodes[b.vertices[w].node]
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

// way goes along the play of the winner as long as the loser has no choice, and
// returns the steps on it, where it begins to repeat itself, and the last vertex.
func (b *builder) way(winner player, strategy []int32) (lts.Path, int, int32, error) {
	var path lts.Path
	seen := map[int32]int{}
	v := int32(0)
	for {
		if at, again := seen[v]; again {
			if at == len(path) {
				return path, -1, v, nil
			}
			return path, at, v, nil
		}
		seen[v] = len(path)
		next := strategy[v]
		if b.owner[v] != winner {
			next = b.only(v)
		}
		if next < 0 || b.nodes[b.vertices[next].node].part == nil { // a constant
			return path, -1, v, nil
		}
		if b.nodes[b.vertices[v].node].kind == modal {
			edges, err := b.edges(v, next)
			if err != nil {
				return nil, -1, 0, err
			}
			path = append(path, edges[0].Step)
		}
		v = next
	}
}

// edges returns the transitions by which a modal vertex leads to another one.
func (b *builder) edges(v, to int32) ([]record.Edge, error) {
	k := b.vertices[v]
	n := b.nodes[k.node]
	var list []record.Edge
	for _, e := range b.graph.Edges(k.state) {
		if e.To != b.vertices[to].state {
			continue
		}
		in, err := b.in(n, k, e)
		if err != nil {
			return nil, err
		}
		if in {
			list = append(list, e)
		}
	}
	return list, nil
}
