package conform

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A Model is a transition system whose steps have texts.
type Model interface {
	lts.System
	lts.Namer
}

// model is the part of a model's graph that has been looked at, and the sets of its
// states that observations have led to.
type model struct {
	sys    Model
	action func(l lts.Label) string // "" for internal ones
	limit  int                      // of states

	numbers map[string]int32 // of states, by key
	states  []modelState
	labels  []string // plain texts
	known   map[lts.Label]int32
	at      int32 // state at which sys stands
	path    lts.Path

	sets   map[string]int32 // by digest
	list   []set
	follow map[following]int32
	err    error
}

// A modelState is reached by a step from another one.
type modelState struct {
	parent int32
	step   lts.Step
	seen   bool
	edges  []edge
	sum    [16]byte
}

// An edge is a step of the model; label is -1 if it is internal.
type edge struct{ label, to int32 }

// A set is a set of states, closed under internal steps.
type set struct {
	states []int32
	digest string
}

// following is the question which set follows a set.
type following struct {
	set    int32
	action string
}

// none is the number of the empty set, which comes first.
const none = 0

func newModel(sys Model, action func(lts.Label) string, limit int) *model {
	m := &model{sys: sys, action: action, limit: limit, numbers: map[string]int32{}, known: map[lts.Label]int32{},
		sets: map[string]int32{}, follow: map[following]int32{}, at: -1}
	m.intern(nil)
	return m
}

// first returns the set of the initial state.
func (m *model) first() int32 {
	m.sys.Reset()
	m.at = m.number(-1, 0)
	return m.intern(m.close([]int32{m.at}))
}

// number returns the number of the state at which the system stands, which was
// reached by a step.
func (m *model) number(parent int32, step lts.Step) int32 {
	key := m.sys.AppendKey(nil)
	n, ok := m.numbers[string(key)]
	if !ok {
		n = int32(len(m.states))
		m.numbers[string(key)] = n
		sum := sha256.Sum256(key)
		m.states = append(m.states, modelState{parent: parent, step: step, sum: [16]byte(sum[:16])})
	}
	return n
}

// edges returns the steps of a state.
func (m *model) edges(n int32) []edge {
	if m.states[n].seen || m.err != nil {
		return m.states[n].edges
	}
	if len(m.states) > m.limit {
		m.err = diag.Incompletef("more than %d states of the model are needed", m.limit)
		return nil
	}
	m.goTo(n)
	var edges []edge
	steps := m.sys.Enabled(nil)
	if b, ok := m.sys.(lts.Bounded); ok && len(steps) == 0 {
		if err := b.Beyond(); err != nil {
			m.err = err
			return nil
		}
	}
	here := m.sys.Save()
	for _, s := range steps {
		l := m.sys.Take(s)
		edges = append(edges, edge{m.label(l), m.number(n, s)})
		m.sys.Restore(here)
	}
	m.states[n].seen, m.states[n].edges = true, edges
	return edges
}

// goTo has the system stand at a state.
func (m *model) goTo(n int32) {
	if m.at == n {
		return
	}
	m.path = m.path[:0]
	for k := n; m.states[k].parent >= 0; k = m.states[k].parent {
		m.path = append(m.path, m.states[k].step)
	}
	slices.Reverse(m.path)
	lts.MustReplay(m.sys, m.path)
	m.at = n
}

// label returns the number of a label's text, -1 if it is internal.
func (m *model) label(l lts.Label) int32 {
	if n, ok := m.known[l]; ok {
		return n
	}
	n := int32(-1)
	if text := m.action(l); text != "" {
		n = int32(len(m.labels))
		m.labels = append(m.labels, plain(text))
	}
	m.known[l] = n
	return n
}

// close adds what internal steps lead to. The list is sorted.
func (m *model) close(list []int32) []int32 {
	in := make(map[int32]bool, len(list))
	out := list[:0]
	for _, n := range list {
		if !in[n] {
			in[n] = true
			out = append(out, n)
		}
	}
	for i := 0; i < len(out); i++ {
		for _, e := range m.edges(out[i]) {
			if e.label < 0 && !in[e.to] {
				in[e.to] = true
				out = append(out, e.to)
			}
		}
	}
	slices.Sort(out)
	return out
}

// intern returns the number of a set. Its digest depends on the states alone, not on
// the order in which they were met.
func (m *model) intern(states []int32) int32 {
	sums := make([][16]byte, len(states))
	for i, n := range states {
		sums[i] = m.states[n].sum
	}
	slices.SortFunc(sums, func(a, b [16]byte) int { return bytes.Compare(a[:], b[:]) })
	h := sha256.New()
	for i := range sums {
		h.Write(sums[i][:])
	}
	digest := string(binary.LittleEndian.AppendUint32(h.Sum(nil)[:16], uint32(len(states))))
	n, ok := m.sets[digest]
	if !ok {
		n = int32(len(m.list))
		m.sets[digest] = n
		m.list = append(m.list, set{slices.Clone(states), digest})
	}
	return n
}

// after returns the set that an observed action leads to.
func (m *model) after(from int32, action string) int32 {
	q := following{from, plain(action)}
	if n, ok := m.follow[q]; ok {
		return n
	}
	var list []int32
	fits := map[int32]bool{}
	for _, n := range m.list[from].states {
		for _, e := range m.edges(n) {
			if e.label < 0 {
				continue
			}
			ok, asked := fits[e.label]
			if !asked {
				ok = matches(q.action, m.labels[e.label])
				fits[e.label] = ok
			}
			if ok {
				list = append(list, e.to)
			}
		}
	}
	n := m.intern(m.close(list))
	if m.err == nil {
		m.follow[q] = n
	}
	return n
}

// maxAllowed is how many actions a message lists.
const maxAllowed = 8

// allowed tells what the model could have done in a set.
func (m *model) allowed(from int32) string {
	var list []string
	for _, n := range m.list[from].states {
		for _, e := range m.edges(n) {
			if e.label >= 0 {
				list = append(list, spaced(m.labels[e.label]))
			}
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	switch n := len(list); {
	case n == 0:
		return "nothing"
	case n > maxAllowed:
		return strings.Join(list[:maxAllowed], ", ") + " and others"
	case n > 1:
		return strings.Join(list[:n-1], ", ") + " or " + list[n-1]
	}
	return list[0]
}

// spaced writes a plain text for reading.
func spaced(text string) string { return strings.ReplaceAll(text, ",", ", ") }
