// Package keys writes states down such that two of them can be compared: equal states are equal bytes.
package keys

import (
	"encoding/binary"
	"slices"
)

// A Writer numbers the objects it meets in the order in which it meets them.
type Writer struct {
	B    []byte // what was written
	Near bool   // far ends of connections are left out
	seen []any
	at   map[any]int // places in seen, if there are many
	room [fewSeen]any
}

// fewSeen is how many objects are looked through one by one.
const fewSeen = 24

// New returns a writer that appends to dst.
func New(dst []byte) *Writer {
	w := &Writer{B: dst}
	w.seen = w.room[:0]
	return w
}

// Num writes numbers.
func (w *Writer) Num(vs ...uint64) {
	for _, v := range vs {
		w.B = binary.AppendUvarint(w.B, v)
	}
}

// Str writes a text.
func (w *Writer) Str(s string) {
	w.Num(uint64(len(s)))
	w.B = append(w.B, s...)
}

// Flag writes a truth value.
func (w *Writer) Flag(v bool) {
	if v {
		w.B = append(w.B, 1)
	} else {
		w.B = append(w.B, 0)
	}
}

// Away writes a deadline: none, passed, or so long from now. Absolute times differ without need.
func (w *Writer) Away(deadline, now int64) {
	switch {
	case deadline == 0:
		w.Num(0)
	case deadline <= now:
		w.Num(1)
	default:
		w.Num(uint64(deadline-now) + 1)
	}
}

// First writes the number of an object and reports whether it is new.
func (w *Writer) First(x any) bool {
	n, ok := w.place(x)
	if !ok {
		n = len(w.seen)
		w.seen = append(w.seen, x)
		if w.at != nil {
			w.at[x] = n
		}
	}
	w.Num(uint64(n) + 1)
	return !ok
}

// place returns where an object is among those that were met.
func (w *Writer) place(x any) (n int, ok bool) {
	if len(w.seen) <= fewSeen {
		n = slices.Index(w.seen, x)
		return n, n >= 0
	}
	if w.at == nil {
		w.at = make(map[any]int, 2*fewSeen)
		for i, y := range w.seen {
			w.at[y] = i
		}
	}
	n, ok = w.at[x]
	return n, ok
}
