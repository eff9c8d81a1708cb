package iocache

import (
	"fmt"
	"slices"
	"strings"
)

// A Trace is the communication trace of one connection as paper 000 defines and
// figure 7 draws it: request stream, response stream, limit function and the two
// stream pointers of the program. In a tree it is the path that the program is
// on, and goes on beyond the program's place up to the next branch.
type Trace struct {
	Requests  []string // one text a unit: a byte, a message, shutdown, close, reset
	Responses []byte
	End       ResponseKind // of the responses, or Quiet
	Limit     []Limit
	SpReq     int
	SpResp    int
}

// A Limit is a value of the limit function: after Req units of the request
// stream the peer has said Resp bytes of the response stream, and, if End is
// set, has ended it.
type Limit struct {
	Req, Resp int
	End       bool
}

// Trace returns the trace of a connection.
func (s *Session) Trace(c Conn) Trace {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	s.cache.note(s.cache.settle())
	k := &s.conns[c]
	t := &s.talks[k.talk]
	t.pos.fix()
	path := []*node{t.pos.n}
	for n := t.pos.n.parent; n != nil; n = n.parent {
		path = append(path, n)
	}
	slices.Reverse(path)
	for n := t.pos.n; len(n.kids) == 1; {
		n = n.kids[0]
		path = append(path, n)
	}
	tr := Trace{SpResp: k.read}
	for _, n := range path {
		if n.edge.conn == k.line && n.edge.kind > Open {
			tr.Requests = n.edge.appendUnits(tr.Requests)
			tr.SpReq += max(min(t.pos.d, n.end)-n.start, 0)
		}
		if n.polled {
			v := n.limit(k.line)
			tr.Responses, tr.End = v.data(), v.end
			l := Limit{len(tr.Requests), v.n, v.end != Quiet}
			if last := len(tr.Limit) - 1; last >= 0 && tr.Limit[last].Req == l.Req {
				tr.Limit[last] = l // it has grown by what was said on another connection, or by the opening
			} else {
				tr.Limit = append(tr.Limit, l)
			}
		}
	}
	tr.Responses = slices.Clone(tr.Responses)
	return tr
}

// appendUnits appends the texts of the units of a request.
func (e *edge) appendUnits(dst []string) []string {
	switch {
	case e.rule:
		return append(dst, quote(e.data))
	case e.kind != Write:
		return append(dst, e.kind.String())
	}
	for i := range e.data {
		dst = append(dst, quote(e.data[i:i+1]))
	}
	return dst
}

// String draws the trace; a bar stands where the stream pointer is.
//
//	req   "1" | "2"
//	resp  | "A" "B"
//	limit 0→0 1→1 2→2
//
// A limit at which the response stream ends has an exclamation mark.
func (t Trace) String() string {
	var b strings.Builder
	responses := (&edge{kind: Write, data: t.Responses}).appendUnits(nil)
	if t.End != Quiet {
		responses = append(responses, t.End.String())
	}
	row := func(name string, units []string, at int) {
		fmt.Fprintf(&b, "%-5s", name)
		for _, u := range slices.Insert(slices.Clone(units), at, "|") {
			b.WriteString(" " + u)
		}
		b.WriteByte('\n')
	}
	row("req", t.Requests, t.SpReq)
	row("resp", responses, t.SpResp)
	b.WriteString("limit")
	for _, l := range t.Limit {
		fmt.Fprintf(&b, " %d→%d", l.Req, l.Resp)
		if l.End {
			b.WriteString("!")
		}
	}
	b.WriteByte('\n')
	return b.String()
}
