package model

import (
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/graph"
)

// TauText is the label of internal steps.
const TauText = "tau"

// Hide returns a graph in whose labels actions with some names are hidden.
func Hide(g *graph.Graph, names []string) *graph.Graph {
	if len(names) == 0 {
		return g
	}
	out := &graph.Graph{Initial: g.Initial, States: g.States}
	number := map[string]int32{}
	renamed := make([]int32, len(g.Labels))
	for i, text := range g.Labels {
		text = hideActions(text, names)
		n, ok := number[text]
		if !ok {
			n = int32(len(out.Labels))
			number[text] = n
			out.Labels = append(out.Labels, text)
		}
		renamed[i] = n
	}
	for _, t := range g.Transitions {
		out.Transitions = append(out.Transitions, graph.Transition{From: t.From, Label: renamed[t.Label], To: t.To})
	}
	return out
}

// Names are how a formula names the labels that graphs have when actions are hidden:
// by the labels, of all the graphs, that become one.
type Names map[string][]string

// NamesOf returns the names of the labels of graphs in which actions are to be hidden.
func NamesOf(graphs []*graph.Graph, hidden []string) Names {
	n := Names{TauText: {TauText}}
	for _, g := range graphs {
		for _, text := range g.Labels {
			label := hideActions(text, hidden)
			if !slices.Contains(n[label], text) {
				n[label] = append(n[label], text)
			}
		}
	}
	return n
}

// Of returns what stands for a label in a formula.
func (n Names) Of(label string) string {
	if len(n[label]) <= 1 {
		return label
	}
	return "(" + strings.Join(n[label], " || ") + ")"
}

// Plain returns the actions without arguments in some labels, ordered: a formula can
// declare them, for a model that does not have them.
func (n Names) Plain(labels []string) []string {
	var list []string
	for _, label := range labels {
		for _, text := range n[label] {
			for _, part := range split(text, '|') {
				if argSorts[nameArg-boolArg].form.MatchString(part) && part != TauText {
					list = append(list, part)
				}
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// hideActions drops actions of a multi-action, which is a text. Bars inside of
// brackets belong to arguments.
func hideActions(text string, names []string) string {
	var kept []string
	depth, start := 0, 0
	take := func(part string) {
		name, _, _ := strings.Cut(part, "(")
		if !slices.Contains(names, name) {
			kept = append(kept, part)
		}
	}
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '|':
			if depth == 0 {
				take(text[start:i])
				start = i + 1
			}
		}
	}
	take(text[start:])
	if len(kept) == 0 {
		return TauText
	}
	return strings.Join(kept, "|")
}
