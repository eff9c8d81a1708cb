package view

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/plain"
)

// A Net is a graph on a page. Numbers are packed: see packed.
type Net struct {
	States  int      `json:"states"`
	Initial int      `json:"initial"`
	Labels  []string `json:"labels"`
	Edges   string   `json:"edges"`             // from, label, to of each transition, packed
	Numbers string   `json:"numbers,omitempty"` // what the states are called, packed; empty if that is their place
	Whole   int      `json:"whole"`             // of the states before this one all transitions are here
	// Quotient is the graph of classes, nil if there is none.
	Quotient *Net   `json:"quotient,omitempty"`
	How      string `json:"how,omitempty"`     // of a quotient: which states are in one class
	Classes  string `json:"classes,omitempty"` // of each state, packed
}

// Bounds of what a page holds.
const (
	drawAll  = 300       // a graph of so many states is drawn as a whole; web/src/sheet.ts has the same number
	maxEdges = 1_000_000 // of a page
	maxNodes = 2_000_000 // states of a page
)

// GraphSheet makes a sheet of a graph. A large one comes with its quotient modulo an equivalence, unless that has as many states.
func GraphSheet(name string, g *graph.Graph, e graph.Equivalence, tau string) *Sheet {
	i := g.Info()
	s := &Sheet{Title: plain.Line(name), Kind: "graph", Notes: []string{}, Headline: fmt.Sprintf("%d states, %d transitions", i.States, i.Transitions)}
	det := "yes"
	if !i.Deterministic {
		det = "no"
	}
	s.add(Section{Title: "Graph", Rows: [][2]string{
		{"states", strconv.Itoa(i.States)}, {"reachable", strconv.Itoa(i.Reachable)}, {"transitions", strconv.Itoa(i.Transitions)}, {"labels", strconv.Itoa(i.Labels)},
		{"deadlocks", strconv.Itoa(i.Deadlocks)}, {"deterministic", det},
	}})
	if g.States == 0 {
		s.Notes = append(s.Notes, "The graph has no states.")
		return s
	}
	if len(g.Transitions) > maxEdges || g.States > maxNodes {
		s.Graph = part(g)
		s.Notes = append(s.Notes, fmt.Sprintf("The graph is too large for a page: this one has the %d states that are nearest to the initial one, and all transitions of %d of them.", s.Graph.States, s.Graph.Whole))
		return s
	}
	s.Graph = netOf(g)
	if g.States <= drawAll {
		return s
	}
	class, q := graph.Classes(g, e, tau)
	if q.States < g.States {
		s.Graph.Quotient, s.Graph.Classes = netOf(q), packed(class)
		s.Graph.Quotient.How = e.String()
		s.Notes = append(s.Notes, fmt.Sprintf("%d states are too many to be drawn at once. Their quotient modulo %s has %d states; a neighbourhood of each state is drawn besides.", g.States, e, q.States))
	} else {
		s.Notes = append(s.Notes, fmt.Sprintf("%d states are too many to be drawn at once, and no two of them are equivalent (%s): a neighbourhood of each is drawn.", g.States, e))
	}
	return s
}

func netOf(g *graph.Graph) *Net {
	return &Net{States: g.States, Initial: g.Initial, Labels: labels(g), Edges: edges(g.Transitions), Whole: g.States}
}

// part is what is nearest to the initial state.
func part(g *graph.Graph) *Net {
	out := make([][]graph.Transition, g.States)
	for _, t := range g.Transitions {
		out[t.From] = append(out[t.From], t)
	}
	place := make(map[int32]int32)
	var numbers []int32
	visit := func(s int32) {
		if _, ok := place[s]; !ok {
			place[s] = int32(len(numbers))
			numbers = append(numbers, s)
		}
	}
	visit(int32(g.Initial))
	var list []graph.Transition
	whole := 0
	for ; whole < len(numbers) && len(list)+len(out[numbers[whole]]) <= maxEdges; whole++ {
		for _, t := range out[numbers[whole]] {
			visit(t.To)
			list = append(list, graph.Transition{From: int32(whole), Label: t.Label, To: place[t.To]})
		}
	}
	return &Net{States: len(numbers), Labels: labels(g), Edges: edges(list), Numbers: packed(numbers), Whole: whole}
}

// labels returns the texts of labels in a form in which nothing of them is hidden.
func labels(g *graph.Graph) []string {
	list := make([]string, len(g.Labels))
	for i, text := range g.Labels {
		list[i] = plain.Line(text)
	}
	return list
}

func edges(list []graph.Transition) string {
	numbers := make([]int32, 0, 3*len(list))
	for _, t := range list {
		numbers = append(numbers, t.From, t.Label, t.To)
	}
	return packed(numbers)
}

// packed writes numbers as text: four bytes each, the low one first, as base64. A page reads that in no time.
func packed(list []int32) string {
	b := make([]byte, 0, 4*len(list))
	for _, n := range list {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return base64.StdEncoding.EncodeToString(b)
}
