package iocache

import (
	"bytes"
	"iter"
	"slices"
)

// A view is a response stream up to a limit: what the peer has said on one
// connection by the end of one exchange. The zero view is that of a connection
// which does not exist yet.
type view struct {
	buf *buffer
	n   int          // bytes of buf that are below the limit
	end ResponseKind // EndOfFile, Failed, Refused, or Quiet if the stream may go on
	why string       // of Failed and Refused
	// more is set in a report: the first bytes go on with the piece before them.
	more bool
}

// A buffer holds response bytes. Streams that have a prefix in common share it,
// as long as only one of them has grown beyond the prefix.
type buffer struct {
	data   []byte
	starts []int // where pieces begin, but for the first
}

func (v view) data() []byte {
	if v.buf == nil {
		return nil
	}
	return v.buf.data[:v.n]
}

// extend returns v with more bytes, which begin a piece unless they go on with the last one. Other views of the
// buffer stay as they are.
func (v view) extend(data []byte, more bool) view {
	if len(data) == 0 {
		return v
	}
	if v.buf == nil || v.n < len(v.buf.data) {
		v.buf = &buffer{bytes.Clone(v.data()), slices.Clone(v.starts())}
	}
	if !more && v.n > 0 {
		v.buf.starts = append(v.buf.starts, v.n)
	}
	v.buf.data = append(v.buf.data, data...)
	v.n = len(v.buf.data)
	return v
}

// join returns v with what w holds.
func (v view) join(w view) view {
	more := w.more
	for at, data := range w.pieces(0) {
		v = v.extend(data, more && at == 0)
	}
	v.end, v.why = max(v.end, w.end), v.why+w.why
	return v
}

// starts returns where the pieces begin, but for the first.
func (v view) starts() []int {
	if v.buf == nil {
		return nil
	}
	i, _ := slices.BinarySearch(v.buf.starts, v.n)
	return v.buf.starts[:i]
}

// begins reports whether a piece begins at a place.
func (v view) begins(at int) bool {
	_, ok := slices.BinarySearch(v.starts(), at)
	return ok || at == 0
}

// piece returns the rest of the piece that a place is in.
func (v view) piece(from int) []byte {
	list := v.starts()
	if i, _ := slices.BinarySearch(list, from+1); i < len(list) {
		return v.data()[from:list[i]]
	}
	return v.data()[from:]
}

// pieces are the pieces from a place on, with the places at which they begin.
func (v view) pieces(from int) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for from < v.n {
			data := v.piece(from)
			if !yield(from, data) {
				return
			}
			from += len(data)
		}
	}
}

// sameLimit reports whether v and w, views of one path, are at the same place.
func (v view) sameLimit(w view) bool { return v.n == w.n && v.end == w.end }

// limit returns the limit of a connection at the end of n. n must be polled.
func (n *node) limit(conn int) view {
	if conn < len(n.limits) {
		return n.limits[conn]
	}
	return view{}
}

// low returns the nearest proper ancestor that was polled, or a node that knows
// of nothing.
func (n *node) low() *node {
	for n = n.parent; n != nil; n = n.parent {
		if n.polled {
			return n
		}
	}
	return &node{}
}

// next calls f for n if it was polled, and else for the nearest descendants that
// were, until f returns true. It reports whether that was the case.
func (n *node) next(f func(*node) bool) bool {
	if n.polled {
		return f(n)
	}
	for _, k := range n.kids {
		if k.next(f) {
			return true
		}
	}
	return false
}

// known returns a node that has the limits of p for a connection (of incoming
// connections, if conn is negative), or nil if they have to be asked for. Inside
// of a write, and where one was cut, limits were never polled; but they grow
// only, so they are known if they are the same before and somewhere after.
func (p *pos) known(conn int) *node {
	p.fix()
	n := p.n
	if !p.inside() && n.polled {
		return n
	}
	low := n.low()
	if n.next(func(high *node) bool {
		if conn < 0 {
			return low.incoming == high.incoming
		}
		return low.limit(conn).sameLimit(high.limit(conn))
	}) {
		return low
	}
	return nil
}

// canFail reports whether the connection may have failed before p, for all that
// is known.
func (p *pos) canFail(conn int) bool {
	p.fix()
	return !p.n.next(func(high *node) bool { return high.limit(conn).end < Failed })
}
