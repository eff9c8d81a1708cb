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
// search, tables of bounded size and the list of subgraphs, but not the script.
type Writer struct {
	w      io.Writer
	sum    hash.Hash
	err    error
	c      coder
	m      *model
	events int     // in the chunk
	fresh  []Instr // instructions of the chunk
	counts Counts
	subs   subgraphs
}

// chunkEvents is how many events are coded together.
const chunkEvents = 1 << 15

// NewWriter begins a certificate.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	if h.Kind != Full && h.Kind != Tree {
		return nil, fmt.Errorf("a certificate is of kind %q or %q, not %q", Full, Tree, h.Kind)
	}
	out := &Writer{w: w, sum: sha256.New(), counts: Counts{States: 1}}
	out.m = newModel(&out.c, h.Kind == Tree)
	out.c.begin(nil)
	out.subs.push(1)
	data, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	if len(data) > maxHeader {
		return nil, fmt.Errorf("a header of %d bytes: the limit is %d", len(data), maxHeader)
	}
	out.write(fmt.Appendf(nil, "%s%d\n", magic, Version))
	out.section(secHeader, pack(data))
	return out, out.err
}

func (w *Writer) write(data []byte) {
	if w.err == nil {
		w.sum.Write(data)
		_, w.err = w.w.Write(data)
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
func (w *Writer) Depth() int { return len(w.m.stack) - 1 }

// Define numbers an instruction. It has to be used by the next event.
func (w *Writer) Define(in Instr) int {
	if len(in.Text) > maxText {
		in.Text = in.Text[:maxText]
	}
	w.fresh = append(w.fresh, in)
	w.m.define(in.Actor, in.Text)
	if n := w.m.codes + 1; n > maxCodes && w.err == nil {
		w.err = fmt.Errorf("more than %d instructions", maxCodes)
	}
	return w.m.codes
}

// Event writes an event. Of Fresh and Seen, the code is one that Define has
// returned; of Seen the state is one that was Fresh before. The script of a tree
// has no Seen.
func (w *Writer) Event(e Event) error {
	if w.err != nil {
		return w.err
	}
	if e.Op == Fresh && w.counts.States == math.MaxUint32 {
		w.err = fmt.Errorf("more than %d states", uint32(math.MaxUint32))
		return w.err
	}
	op := e.Op
	if op == Back && w.Depth() == 0 || op > Back || !w.m.event(&e) || e.Op != op {
		w.err = fmt.Errorf("event %s to state %d cannot be here", op, e.State)
		return w.err
	}
	w.counts.add(op)
	w.subs.add(e)
	w.counts.Depth = max(w.counts.Depth, uint32(w.Depth()))
	if w.events++; w.events == chunkEvents {
		w.flush()
	}
	return w.err
}

// flush writes the chunk.
func (w *Writer) flush() {
	if w.events == 0 {
		return
	}
	if len(w.fresh) > 0 {
		var data []byte
		for _, in := range w.fresh {
			data = appendInstr(data, in)
		}
		w.section(secCodes, pack(data))
		w.fresh = nil
	}
	w.section(secScript, append(binary.AppendUvarint(nil, uint64(w.events)), w.c.finish()...))
	w.events = 0
	w.c.begin(nil)
}

// Close goes back from the states that are left on the stack, and ends the
// certificate with the traffic, if there was any, and the subgraphs.
func (w *Writer) Close(traffic []byte) error {
	for w.err == nil && w.Depth() > 0 {
		w.Event(Event{Op: Back})
	}
	if w.err != nil {
		return w.err
	}
	w.flush()
	w.subs.pop()
	for len(traffic) > 0 {
		n := min(len(traffic), trafficPiece)
		w.section(secTraffic, pack(traffic[:n]))
		traffic = traffic[n:]
	}
	w.section(secSubgraphs, pack(w.subs.finish(w.counts.Transitions).append(nil)))
	end := binary.AppendUvarint(nil, uint64(w.counts.States))
	end = binary.AppendUvarint(end, w.counts.Transitions)
	end = binary.AppendUvarint(end, uint64(w.counts.Depth))
	w.section(secEnd, w.sum.Sum(end))
	return w.err
}

// trafficPiece is how many bytes of traffic are packed together.
const trafficPiece = 1 << 20
