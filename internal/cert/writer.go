package cert

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"math"
)

// A Writer writes a certificate as the search goes on. It keeps the stack of the
// search, tables of bounded size, one block of events and the list of subgraphs, but
// not the script.
type Writer struct {
	w        io.Writer
	size     int64 // bytes written
	room     int64 // the most bytes that a piece of the file unpacks to
	sum      hash.Hash
	err      error
	tree     bool
	c        coder
	m        *model
	stack    []written
	block    []Event // to be coded
	inside   uint64  // transitions of the block
	coded    block
	copied   []byte // a piece of the copy
	clock    clock  // of what is coded
	found    uint32 // new states that are coded
	counts   Counts
	sums     Sums
	subs     subgraphs
	survey   *surveyor // nil if nobody tells it of transitions
	evidence []evidence
}

// A written is a state on the stack.
type written struct {
	state  uint32
	steps  int    // done
	choice Choice // to be told by the first event
}

// first returns what the next event about a state says of its choice.
func (t *written) first() Choice {
	c := t.choice
	t.choice = 0
	return c
}

// NewWriter begins a certificate.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	if h.Kind != Full && h.Kind != Tree {
		return nil, fmt.Errorf("a certificate is of kind %q or %q, not %q", Full, Tree, h.Kind)
	}
	out := &Writer{w: w, sum: sha256.New(), tree: h.Kind == Tree, counts: Counts{States: 1}}
	out.m = newModel(&out.c)
	out.m.choices = h.Reduce && !out.tree
	out.c.begin(nil)
	out.stack = append(out.stack, written{state: 1})
	out.subs.push(1, 0)
	data, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	if len(data) > maxHeader {
		return nil, fmt.Errorf("a header of %d bytes: the limit is %d", len(data), maxHeader)
	}
	out.write(fmt.Appendf(nil, "%s%d\n", magic, Version))
	out.section(secHeader, pack(data))
	out.room = int64(len(data))
	return out, out.err
}

func (w *Writer) write(data []byte) {
	if w.err == nil {
		w.sum.Write(data)
		_, w.err = w.w.Write(data)
		w.size += int64(len(data))
	}
}

func (w *Writer) section(kind sectionKind, payload []byte) {
	if len(payload) > maxSection && w.err == nil {
		w.err = fmt.Errorf("a section of %d bytes: the limit is %d", len(payload), maxSection)
	}
	w.write(appendSection(nil, kind, payload))
}

// Counts returns the size of what was written.
func (w *Writer) Counts() Counts { return w.counts }

// Depth returns how many states are on the stack without the start.
func (w *Writer) Depth() int { return len(w.stack) - 1 }

// events returns how many events there were.
func (w *Writer) events() uint64 { return EventsBefore(w.counts.States-1, w.Depth()) }

func (w *Writer) top() *written { return &w.stack[len(w.stack)-1] }

// Step says which step of the state on top is the next one. Without it they come in
// their order.
func (w *Writer) Step(index int) {
	top := w.top()
	if index < top.steps && w.err == nil {
		w.err = fmt.Errorf("step %d after step %d", index, top.steps-1)
	}
	top.steps = index
}

// Choose says which steps of the state on top are followed, before any of them. Without
// it they are those of the reduction.
func (w *Writer) Choose(c Choice) { w.top().choice = c }

// Fresh writes the next step of the state on top, which leads to a new state.
func (w *Writer) Fresh(name Name) error {
	top := w.top()
	if w.err == nil && (w.counts.States == math.MaxUint32 || top.steps >= maxSteps || len(w.stack) >= maxDepth) {
		w.err = fmt.Errorf("more than %d states, %d steps of one or %d steps from the start", uint32(math.MaxUint32), maxSteps, maxDepth)
	}
	if w.err != nil {
		return w.err
	}
	w.sums.AddFresh(top.state, top.steps, name, w.events())
	e := Event{Op: Fresh, Index: top.steps, Choice: top.first()}
	top.steps++
	w.inside++
	w.counts.States++
	w.counts.Transitions++
	w.stack = append(w.stack, written{state: w.counts.States})
	w.counts.Depth = max(w.counts.Depth, uint32(w.Depth()))
	return w.event(e)
}

// event adds an event to the block, and codes the block if it is full.
func (w *Writer) event(e Event) error {
	w.block = append(w.block, e)
	if uint64(len(w.block)) == blockSize(w.events()-uint64(len(w.block))) {
		w.flush(false)
	}
	return w.err
}

// Seen writes the next step of the state on top, which leads to a state that was
// found before. It is no part of a tree.
func (w *Writer) Seen(name Name, state uint32) error {
	if w.tree {
		return w.err
	}
	top := w.top()
	w.sums.AddSeen(top.state, top.steps, name, w.events())
	w.sums.AddState(Factor(top.state, top.steps), state)
	w.inside++
	w.counts.Transitions++
	top.steps++
	return w.err
}

// Back leaves the state on top.
func (w *Writer) Back() error {
	if w.Depth() == 0 {
		w.err = fmt.Errorf("there is no way back from the start")
		return w.err
	}
	e := Event{Op: Back, Choice: w.top().first()}
	w.stack = w.stack[:len(w.stack)-1]
	return w.event(e)
}

// flush codes the block, and writes the chunk if it is full.
func (w *Writer) flush(end bool) {
	if end {
		w.block = append(w.block, Event{Op: Back, Choice: w.top().first()}) // from the start
	}
	b := &w.coded
	b.reset()
	for _, e := range w.block {
		passed, _ := w.m.event(&e)
		if w.tree && e.Op == Fresh {
			passed = 1
		}
		b.add(e, passed)
	}
	if !w.tree {
		b.end(w.m.tails.code(w.inside - b.known))
	}
	for i, e := range b.events {
		w.clock.tick(b, i)
		if e.Op == Fresh {
			w.found++
			w.subs.push(w.found+1, w.clock.now(b))
		} else {
			w.subs.pop(w.clock.now(b))
		}
	}
	w.block, w.inside = w.block[:0], 0
	if w.clock.events%chunkEvents == 0 || end {
		w.section(secScript, w.c.finish())
		w.c.begin(nil)
	}
	w.copyBlock(end)
}

// Close goes back from the states that are left on the stack, and ends the
// certificate with the traffic, if there was any, and the subgraphs.
func (w *Writer) Close(traffic []byte) error {
	for w.err == nil && w.Depth() > 0 {
		w.Back()
	}
	if w.err != nil {
		return w.err
	}
	w.flush(true)
	w.room = max(w.room, int64(len(traffic)), depthBytes*int64(w.counts.Depth))
	for len(traffic) > 0 {
		n := min(len(traffic), trafficPiece)
		w.section(secTraffic, pack(traffic[:n]))
		traffic = traffic[n:]
	}
	if w.survey != nil && w.counts.Depth >= shallow {
		w.section(secShortcuts, pack(w.survey.finish().append(nil)))
	}
	w.writeEvidence()
	w.fill(sizeFor(w.room))
	w.section(secSubgraphs, pack(w.subs.finish(w.counts.Transitions).append(nil)))
	end := binary.AppendUvarint(nil, uint64(w.counts.States))
	end = binary.AppendUvarint(end, w.counts.Transitions)
	end = binary.AppendUvarint(end, uint64(w.counts.Depth))
	end = w.sums.append(end, w.kind())
	w.section(secEnd, w.sum.Sum(end))
	return w.err
}

func (w *Writer) kind() Kind {
	if w.tree {
		return Tree
	}
	return Full
}

// trafficPiece is how many bytes of traffic are packed together.
const trafficPiece = 1 << 20
