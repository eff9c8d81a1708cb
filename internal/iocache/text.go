package iocache

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A Recording is what was said between a program and its peers, without the
// peers: what a cache has learnt, as data. It has a text form:
//
//	iocache tree
//	history alphabet connect main#0
//	> open
//	< quiet
//	> "1\n"
//	< "A\n"
//	branch
//	  > "2\n"
//	  < "B\n"
//	branch
//	  > "quit\n" as "quit"
//	  < "bye"
//	  < eof
//
// Lines with > are requests: open, bytes (with what they are compared as, if a
// rule has matched), shutdown, close, reset. Lines with < are what the peer said
// before it was quiet: bytes, eof, failed or refused with a reason, incoming;
// quiet alone if it said nothing, and unknown if it was not asked. A branch is
// one of several ways to go on. In a history of a whole peer, the name of the
// connection follows the < or >.
type Recording struct {
	modes     Modes
	histories map[HistoryID]*history
}

func newRecording(modes Modes) *Recording {
	return &Recording{modes: modes, histories: make(map[HistoryID]*history)}
}

// Modes returns those of the cache that it was recorded with.
func (r *Recording) Modes() Modes { return r.modes }

// sorted returns the histories in the order of their names.
func (r *Recording) sorted() []*history {
	list := make([]*history, 0, len(r.histories))
	for _, h := range r.histories {
		list = append(list, h)
	}
	slices.SortFunc(list, func(a, b *history) int {
		return cmp.Or(strings.Compare(a.id.Peer, b.id.Peer), compareBool(a.id.Whole, b.id.Whole), a.id.Conn.compare(b.id.Conn))
	})
	return list
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Text returns the text form. The order of branches and of histories does not
// depend on the order in which they were found.
func (r *Recording) Text() string {
	var b strings.Builder
	b.WriteString("iocache " + r.modes.String() + "\n")
	for _, h := range r.sorted() {
		b.WriteString("history " + h.id.String() + "\n")
		if h.id.Whole || h.id.Conn.Dir == In {
			h.writeResponses(&b, "", h.root)
		}
		h.writeKids(&b, "", h.root)
	}
	return b.String()
}

// writeKids writes what follows n.
func (h *history) writeKids(b *strings.Builder, indent string, n *node) {
	for len(n.kids) == 1 {
		n = n.kids[0]
		h.writeNode(b, indent, n)
	}
	for _, k := range slices.SortedFunc(slices.Values(n.kids), h.compareKids) {
		b.WriteString(indent + "branch\n")
		h.writeNode(b, indent+"  ", k)
		h.writeKids(b, indent+"  ", k)
	}
}

func (h *history) compareKids(a, b *node) int {
	return cmp.Or(h.conns[a.edge.conn].name.compare(h.conns[b.edge.conn].name), cmp.Compare(a.edge.kind, b.edge.kind),
		slices.Compare(a.edge.data, b.edge.data), slices.Compare(a.edge.canon, b.edge.canon))
}

// writeNode writes one exchange.
func (h *history) writeNode(b *strings.Builder, indent string, n *node) {
	b.WriteString(indent + ">" + h.label(n.edge.conn) + " ")
	switch {
	case n.edge.rule:
		b.WriteString(quote(n.edge.data) + " as " + quote(n.edge.canon))
	case n.edge.kind == Write:
		b.WriteString(quote(n.edge.data))
	default:
		b.WriteString(n.edge.kind.String())
	}
	b.WriteByte('\n')
	h.writeResponses(b, indent, n)
}

// writeResponses writes what the peer said at n.
func (h *history) writeResponses(b *strings.Builder, indent string, n *node) {
	if !n.polled {
		b.WriteString(indent + "< unknown\n")
		return
	}
	quiet, low := true, n.low()
	say := func(conn int, what string) {
		b.WriteString(indent + "<" + h.label(conn) + " " + what + "\n")
		quiet = false
	}
	for i := low.incoming; i < n.incoming; i++ {
		say(h.find(h.incoming(i)), "incoming")
	}
	for _, conn := range h.byName() {
		was, now := low.limit(conn), n.limit(conn)
		for from, data := range now.pieces(was.n) {
			if now.begins(from) {
				say(conn, quote(data))
			} else {
				say(conn, "more "+quote(data))
			}
		}
		switch {
		case now.end == was.end:
		case now.end == EndOfFile:
			say(conn, "eof")
		default:
			say(conn, now.end.String()+" "+strconv.QuoteToASCII(now.why))
		}
	}
	if quiet {
		b.WriteString(indent + "< quiet\n")
	}
}

// incoming returns the name of the i-th connection that the peer makes.
func (h *history) incoming(i int) Name {
	if h.id.Whole {
		return Name{Dir: In, N: i}
	}
	return h.id.Conn
}

// label returns the name of a connection where the text needs one.
func (h *history) label(conn int) string {
	if !h.id.Whole {
		return ""
	}
	return " " + h.conns[conn].name.String()
}

// byName returns the numbers of the connections in the order of their names.
func (h *history) byName() []int {
	order := make([]int, len(h.conns))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return h.conns[a].name.compare(h.conns[b].name) })
	return order
}

func quote(data []byte) string { return strconv.QuoteToASCII(string(data)) }

// quoteName returns a name that a caller has chosen, in quotes unless it can be
// read without.
func quoteName(name string) string {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c >= 0x7f || c == '#' || c == '@' || c == '"' {
			return strconv.QuoteToASCII(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}
