package mucalc

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
)

// MaxClaims is the number of claims that are kept.
const MaxClaims = 1 << 20

// Why is why a formula holds or does not: the part of the game that the winner's
// strategy leads to, whatever the loser does. The states and transitions in it, alone,
// are a graph for which the formula holds or does not as it does for the whole.
type Why struct {
	Claims []Claim // the first one is of the formula, without negations, and the initial state
	End    int     // the claim at the end of the path
	States []int32 // that claims are about, numbers of the graph
	Edges  []record.Edge
}

// A Claim says that a part of the formula holds in a state, or that it does not. It is
// so because of others.
type Claim struct {
	State   int    // an index of States
	Part    string // the part of the formula
	Values  string // of its variables, "n = 3, b = true" say, or ""
	At      diag.Pos
	Holds   bool
	Because []Reason
	Modal   bool // it is about transitions: those of the reasons, and if there is none there is no such one
	Same    bool // it says the same as its only reason, or unfolds it
}

// A Reason is another claim, and the transition that leads to it, an index of Edges,
// or -1.
type Reason struct{ Claim, Edge int }

// why goes through the vertices that the strategy of the winner leads to. It
// returns nil if there are more than most. End is the last vertex of the path.
func (b *builder) why(winner player, strategy []int32, end int32, most int) (*Why, error) {
	e := &Why{}
	states, edges, claims := map[int32]int{}, map[record.Edge]int{}, map[int32]int{}
	var list []int32 // the vertices of claims
	claim := func(v int32) int {
		n, ok := claims[v]
		if !ok {
			n = len(list)
			claims[v] = n
			list = append(list, v)
			e.Claims = append(e.Claims, b.claim(v, winner))
			s := b.vertices[v].state
			if _, ok := states[s]; !ok {
				states[s] = len(e.States)
				e.States = append(e.States, s)
			}
			e.Claims[n].State = states[s]
		}
		return n
	}
	claim(0)
	for i := 0; i < len(list); i++ {
		if len(list) > most {
			return nil, nil
		}
		v := list[i]
		next := b.succ[b.first[v]:b.first[v+1]]
		if b.owner[v] == winner {
			next = []int32{strategy[v]}
		}
		for _, w := range next {
			if b.nodes[b.vertices[w].node].part == nil {
				continue // values decide it
			}
			if !e.Claims[i].Modal {
				e.Claims[i].Because = append(e.Claims[i].Because, Reason{claim(w), -1})
				continue
			}
			steps, err := b.edges(v, w)
			if err != nil {
				return nil, err
			}
			if b.owner[v] == winner {
				steps = steps[:1]
			}
			for _, x := range steps {
				n, ok := edges[x]
				if !ok {
					n = len(e.Edges)
					edges[x] = n
					e.Edges = append(e.Edges, x)
				}
				e.Claims[i].Because = append(e.Claims[i].Because, Reason{claim(w), n})
			}
		}
	}
	e.End = claims[end]
	return e, nil
}

// claim returns what a vertex says.
func (b *builder) claim(v int32, winner player) Claim {
	k := b.vertices[v]
	n := b.nodes[k.node]
	c := Claim{Part: n.part.text, At: n.part.at, Holds: (winner == verifier) != n.part.neg, Modal: n.kind == modal,
		Same: n.kind == jump || n.kind == junction && n.loop && len(n.kids) == 1}
	var values []string
	for i, x := range n.scope {
		values = append(values, fmt.Sprintf("%s = %s", x.Name, b.engine.Format(b.values[k.env][i], x.Of)))
	}
	c.Values = strings.Join(values, ", ")
	return c
}
