package cert

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/zeebo/xxh3"
)

// A Recorder watches a depth-first search and writes what it sees. It has the
// methods of an observer of package explore. Its numbers of states take about 40
// bytes a state, as long as the search lasts.
type Recorder struct {
	w     *Writer
	err   error
	ids   idTable
	stack []digest
	path  []uint32             // their numbers
	texts map[lts.Label]uint64 // hashes of their texts
	graph *grapher             // nil if it is not asked for
	fresh bool                 // a new state was announced and has not been entered
	all   []lts.Step           // that are enabled

	// Of a tree, the steps that are enabled in the states on the stack.
	enabled []lts.Step
	starts  []int
}

// NewRecorder returns a recorder that feeds a writer.
func NewRecorder(w *Writer) *Recorder {
	if !w.tree {
		w.survey = &surveyor{}
	}
	return &Recorder{w: w, texts: map[lts.Label]uint64{}}
}

// Graph makes the recorder write the graph, too. The system has to be an lts.Tracer.
func (r *Recorder) Graph() { r.graph = &grapher{w: r.w, sets: map[string]uint64{}} }

// State is called for each new state.
func (r *Recorder) State(sys lts.System, key []byte, depth int) {
	d := digestOf(key)
	switch {
	case r.err != nil:
	case len(r.stack) == 0:
		r.push(sys, d)
	case !r.fresh || depth != len(r.stack):
		r.fail("a state at depth %d that no step has led to: not a depth-first search", depth)
	default:
		r.push(sys, d)
		r.fresh = false
	}
}

// push enters a new state.
func (r *Recorder) push(sys lts.System, d digest) {
	r.path = append(r.path, r.ids.add(d))
	r.stack = append(r.stack, d)
	if r.graph != nil {
		r.graph.state(sys)
	}
	if r.w.tree {
		r.starts = append(r.starts, len(r.enabled))
		r.enabled = sys.Enabled(r.enabled)
	}
}

// pop leaves the state on top.
func (r *Recorder) pop() {
	n := len(r.stack) - 1
	r.stack, r.path = r.stack[:n], r.path[:n]
	if r.w.tree {
		r.enabled = r.enabled[:r.starts[n]]
		r.starts = r.starts[:n]
	}
	if n > 0 {
		r.note(r.w.Back())
	}
}

// Follow is called for each new state with the steps that are followed from it.
func (r *Recorder) Follow(sys lts.System, steps []lts.Step) {
	if r.err != nil || !r.w.m.choices {
		return
	}
	r.all = sys.Enabled(r.all[:0])
	switch {
	case len(r.all) < 2:
		r.w.Choose(Either)
	case len(r.all) == len(steps):
		r.w.Choose(All)
	}
}

// Step is called for each transition.
func (r *Recorder) Step(sys lts.System, from, to []byte, s lts.Step, l lts.Label) {
	if r.err != nil {
		return
	}
	for source := digestOf(from); len(r.stack) > 0 && r.stack[len(r.stack)-1] != source; {
		r.pop()
	}
	if len(r.stack) == 0 || r.fresh {
		r.fail("a step from a state that is not on the stack: not a depth-first search")
		return
	}
	actor := -1
	if actors, ok := sys.(lts.Actors); ok {
		actor = actors.Actor(s)
	}
	name := MakeName(s, actor, r.text(sys, l))
	id := r.ids.find(digestOf(to))
	here, target := r.path[len(r.path)-1], id
	if target == 0 {
		target = r.ids.n + 1
	}
	if r.graph != nil {
		r.graph.step(sys, here, s, target)
	}
	if r.w.survey != nil {
		r.w.survey.step(here, target, s)
	}
	if id != 0 {
		r.note(r.w.Seen(name, id))
	} else {
		r.fresh = true
		if r.w.tree {
			r.w.Step(slices.Index(r.enabled[r.starts[len(r.starts)-1]:], s))
		}
		r.note(r.w.Fresh(name))
	}
}

// text returns the hash of a label's text.
func (r *Recorder) text(sys lts.System, l lts.Label) uint64 {
	h, ok := r.texts[l]
	if !ok {
		h = TextHash(LabelText(sys, l))
		r.texts[l] = h
	}
	return h
}

// LabelText returns the text of a label, of a system that need not have one.
func LabelText(sys lts.System, l lts.Label) string {
	if n, ok := sys.(lts.Namer); ok {
		return n.LabelText(l)
	}
	return fmt.Sprintf("#%d", l)
}

func (r *Recorder) note(err error) {
	if err != nil && r.err == nil {
		r.err = err
	}
}

func (r *Recorder) fail(format string, args ...any) { r.err = fmt.Errorf(format, args...) }

// Close ends the certificate.
func (r *Recorder) Close(traffic []byte) error {
	if r.err != nil {
		return r.err
	}
	if len(r.stack) == 0 {
		return fmt.Errorf("no state was seen: there is nothing to certify")
	}
	if r.graph != nil {
		r.graph.end()
	}
	return r.w.Close(traffic)
}

// A digest is what a state is recognised by.
type digest [2]uint64

// digestOf takes a fingerprint as it is, and hashes what is longer.
func digestOf(key []byte) digest {
	if len(key) == 16 {
		return digest{binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:])}
	}
	h := xxh3.Hash128(key)
	return digest{h.Hi, h.Lo}
}

// An idTable numbers digests from 1.
type idTable struct {
	digests []digest
	ids     []uint32 // 0 is a free place
	n       uint32
}

func (t *idTable) place(d digest) int {
	mask := len(t.ids) - 1
	i := int(d[0]^d[1]>>32) & mask
	for t.ids[i] != 0 && t.digests[i] != d {
		i = (i + 1) & mask
	}
	return i
}

// find returns the number of a digest, or 0.
func (t *idTable) find(d digest) uint32 {
	if t.n == 0 {
		return 0
	}
	return t.ids[t.place(d)]
}

// add numbers a new digest.
func (t *idTable) add(d digest) uint32 {
	if int(t.n) >= len(t.ids)/4*3 {
		old := *t
		size := max(1024, 2*len(t.ids))
		t.digests, t.ids = make([]digest, size), make([]uint32, size)
		for i, id := range old.ids {
			if id != 0 {
				at := t.place(old.digests[i])
				t.digests[at], t.ids[at] = old.digests[i], id
			}
		}
	}
	t.n++
	at := t.place(d)
	t.digests[at], t.ids[at] = d, t.n
	return t.n
}
