package live

import (
	"encoding/binary"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A Recorder keeps the graph that a search sees: it is told as an observer of package explore is. It takes about 40 bytes a
// state and 16 a step.
type Recorder struct {
	ids     map[string]uint32
	states  []state
	edges   []rawEdge
	stances table[stance]
	motions table[motion]
	steps   []lts.Step
	stance  lts.Stance
	motion  lts.Motion
	key     []byte
}

// A state is what is kept of one.
type state struct {
	stance uint32
	steps  uint32 // how many it has
	seen   bool   // it was told of
}

type rawEdge struct {
	from, to uint32
	step     lts.Step
	motion   uint32
}

// A stance is an lts.Stance that was kept.
type stance struct {
	actors        int
	able          []bool
	owed          []int32
	outside, over bool
}

// A motion is an lts.Motion that was kept, with whose operation the step was.
type motion struct {
	who            int
	after, movers  []int32
	progress, look bool
	asked          bool
}

// moves reports whether an actor took part.
func (m *motion) moves(actor int) bool {
	for _, i := range m.movers {
		if int(i) == actor {
			return true
		}
	}
	return false
}

// A table keeps equal values once: there are few different ones.
type table[T any] struct {
	ids   map[string]uint32
	list  []T
	bytes int64
}

// add returns the number of a value under a key.
func (t *table[T]) add(key []byte, value func() T) uint32 {
	if id, ok := t.ids[string(key)]; ok {
		return id
	}
	if t.ids == nil {
		t.ids = make(map[string]uint32)
	}
	id := uint32(len(t.list))
	t.ids[string(key)] = id
	t.list = append(t.list, value())
	t.bytes += int64(4*len(key)) + 160
	return id
}

// NewRecorder returns one that has seen nothing.
func NewRecorder() *Recorder { return &Recorder{ids: make(map[string]uint32)} }

// Bytes is about how much memory the graph takes, and will take to be looked through.
func (r *Recorder) Bytes() int64 {
	return int64(len(r.states))*(56+stateBytes) + int64(len(r.edges))*(16+edgeBytes) + r.stances.bytes + r.motions.bytes
}

// id returns the number of a state.
func (r *Recorder) id(digest []byte) uint32 {
	if id, ok := r.ids[string(digest)]; ok {
		return id
	}
	id := uint32(len(r.states))
	r.ids[string(digest)] = id
	r.states = append(r.states, state{})
	return id
}

// State is told of a state.
func (r *Recorder) State(sys lts.System, digest []byte, _ int) {
	id := r.id(digest)
	r.steps = sys.Enabled(r.steps[:0])
	live(sys).Stand(&r.stance)
	s := &r.stance
	r.key = binary.AppendUvarint(r.key[:0], uint64(s.Actors))
	r.key = appendList(r.key, s.Able)
	r.key = appendList(r.key, s.Owed)
	r.key = append(r.key, flags(s.Outside, s.Over))
	r.states[id] = state{seen: true, steps: uint32(len(r.steps)), stance: r.stances.add(r.key, func() stance {
		able := make([]bool, s.Actors)
		for _, i := range s.Able {
			able[i] = true
		}
		return stance{s.Actors, able, append([]int32(nil), s.Owed...), s.Outside, s.Over}
	})}
}

// Step is told of a step.
func (r *Recorder) Step(sys lts.System, from, to []byte, s lts.Step, _ lts.Label) {
	live(sys).Move(&r.motion)
	m, who := &r.motion, 0
	if a, ok := sys.(lts.Actors); ok {
		who = a.Actor(s)
	}
	r.key = binary.AppendUvarint(r.key[:0], uint64(who))
	r.key = appendList(r.key, m.After)
	r.key = appendList(r.key, m.Movers)
	r.key = append(r.key, flags(m.Progress, m.Look), flags(m.Asked, false))
	id := r.motions.add(r.key, func() motion {
		return motion{who, append([]int32(nil), m.After...), append([]int32(nil), m.Movers...), m.Progress, m.Look, m.Asked}
	})
	f := r.id(from)
	r.edges = append(r.edges, rawEdge{f, r.id(to), s, id})
}

// live returns what a system tells for this search. Whoever makes a Recorder has looked that there is such a thing.
func live(sys lts.System) lts.Live {
	l, ok := sys.(lts.Live)
	if !ok {
		panic(diag.Bugf("a search for loops in a system that does not tell what it needs"))
	}
	return l
}

func appendList(dst []byte, list []int32) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	for _, x := range list {
		dst = binary.AppendVarint(dst, int64(x))
	}
	return dst
}

func flags(a, b bool) (f byte) {
	if a {
		f = 1
	}
	if b {
		f |= 2
	}
	return f
}
