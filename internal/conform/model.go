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
	input  func(l lts.Label) bool   // nil: none is
	limit  int                      // of states

	numbers map[string]int32 // of states, by key
	states  []modelState
	labels  []string // plain texts
	known   map[lts.Label]kind
	at      int32 // state at which sys stands
	path    lts.Path
	// replayed counts the steps on ways to states.
	replayed int64

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

// An edge is a step of the model.
type edge struct {
	kind
	to int32
}

// A kind is the number of a label's text, -1 if it is internal, and whether the
// model may wait for such a step for ever.
type kind struct {
	label int32
	input bool
}

// A set is a set of states, closed under internal steps.
type set struct {
	states []int32
	digest string
	stops  stops
}

// stops says whether the model may do nothing more in a set, if that was asked.
type stops int8

const (
	mayStop  stops = 1
	mustMove stops = -1
)

// following is the question which set follows a set.
type following struct {
	set    int32
	action string
}

// none is the number of the empty set, which comes first.
const none = 0

func newModel(sys Model, o Options) *model {
	m := &model{sys: sys, action: o.Action, input: o.Input, limit: o.Limit, numbers: map[string]int32{}, known: map[lts.Label]kind{},
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
		edges = append(edges, edge{m.kind(l), m.number(n, s)})
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
	if x := &m.states[n]; x.parent >= 0 && x.parent == m.at {
		m.sys.Take(x.step)
		m.at = n
		m.replayed++
		return
	}
	m.path = m.path[:0]
	for k := n; m.states[k].parent >= 0; k = m.states[k].parent {
		m.path = append(m.path, m.states[k].step)
	}
	slices.Reverse(m.path)
	lts.MustReplay(m.sys, m.path)
	m.at = n
	m.replayed += int64(len(m.path))
}

// kind returns what a label is.
func (m *model) kind(l lts.Label) kind {
	if k, ok := m.known[l]; ok {
		return k
	}
	k := kind{-1, m.input != nil && m.input(l)}
	if text := m.action(l); text != "" {
		k.label = int32(len(m.labels))
		m.labels = append(m.labels, plain(text))
	}
	m.known[l] = k
	return k
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
		m.list = append(m.list, set{states: slices.Clone(states), digest: digest})
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

// stops reports whether the model may do nothing more in a set: in one of its states
// all steps are inputs, or internal steps may go on for ever.
func (m *model) stops(n int32) bool {
	s := &m.list[n]
	if s.stops == 0 {
		rests := m.rests(s.states) || m.diverges(s.states)
		if m.err != nil {
			return true // what is missing nobody knows
		}
		if s.stops = mustMove; rests {
			s.stops = mayStop
		}
	}
	return s.stops == mayStop
}

// rests reports whether a state has no steps but inputs.
func (m *model) rests(states []int32) bool {
	return slices.ContainsFunc(states, func(n int32) bool {
		return !slices.ContainsFunc(m.edges(n), func(e edge) bool { return !e.input })
	})
}

// diverges reports whether internal steps that are not inputs lead in a circle: a
// state from which no such step leads out of those that are left is dropped until
// none is.
func (m *model) diverges(states []int32) bool {
	left := make(map[int32]bool, len(states))
	for _, n := range states {
		left[n] = true
	}
	for dropped := true; dropped; {
		dropped = false
		for _, n := range states {
			if left[n] && !slices.ContainsFunc(m.edges(n), func(e edge) bool { return e.label < 0 && !e.input && left[e.to] }) {
				delete(left, n)
				dropped = true
			}
		}
	}
	return len(left) > 0
}

// maxAllowed is how many actions a message lists.
const maxAllowed = 8

// allowed tells what the model could have done in a set, without inputs if it was to
// do that by itself.
func (m *model) allowed(from int32, itself bool) string {
	var list []string
	for _, n := range m.list[from].states {
		for _, e := range m.edges(n) {
			if e.label >= 0 && !(itself && e.input) {
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
