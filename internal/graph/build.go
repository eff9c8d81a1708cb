package graph

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/lts"
)

// A Builder collects the graph that a search goes through. It is an observer of
// searches: it is told of each state, the initial one first, and of each step.
// States are numbered in the order in which they are mentioned. The zero Builder
// is ready to use.
type Builder struct {
	g      Graph
	states map[string]int32
	labels map[string]int32
	// texts has the numbers of the labels of one System.
	texts map[lts.Label]int32
}

// State notes a state. What the digest is does not matter: equal digests are one
// state.
func (b *Builder) State(_ lts.System, digest []byte, _ int) { b.state(digest) }

// Step notes a step. Its label is the text that the system has for it, if it is an
// [lts.Namer], and otherwise the label's number.
func (b *Builder) Step(sys lts.System, from, to []byte, _ lts.Step, l lts.Label) {
	n, ok := b.texts[l]
	if !ok {
		if b.texts == nil {
			b.texts = map[lts.Label]int32{}
		}
		text := fmt.Sprint(uint64(l))
		if namer, ok := sys.(lts.Namer); ok {
			text = namer.LabelText(l)
		}
		n = b.label(text)
		b.texts[l] = n
	}
	f := b.state(from)
	b.g.Transitions = append(b.g.Transitions, Transition{f, n, b.state(to)})
}

// Add notes a transition with a text.
func (b *Builder) Add(from []byte, label string, to []byte) {
	f := b.state(from)
	b.g.Transitions = append(b.g.Transitions, Transition{f, b.label(label), b.state(to)})
}

// Graph returns what was noted. The Builder must not be used any more.
func (b *Builder) Graph() *Graph { return &b.g }

func (b *Builder) state(digest []byte) int32 {
	n, ok := b.states[string(digest)]
	if !ok {
		if b.states == nil {
			b.states = map[string]int32{}
		}
		n = int32(b.g.States)
		b.g.States++
		b.states[string(digest)] = n
	}
	return n
}

func (b *Builder) label(text string) int32 {
	n, ok := b.labels[text]
	if !ok {
		if b.labels == nil {
			b.labels = map[string]int32{}
		}
		n = int32(len(b.g.Labels))
		b.g.Labels = append(b.g.Labels, text)
		b.labels[text] = n
	}
	return n
}
