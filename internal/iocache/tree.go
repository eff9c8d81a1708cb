package iocache

import "bytes"

// A history is a tree of requests, each with what the peer responded to it. A
// path from the root is one sequence of exchanges that was seen. A linear trace
// is a tree without branches.
type history struct {
	id      HistoryID
	conns   []line
	root    *node
	live    []*live // the one that was used last is the last
	started bool    // a peer was started for it
	err     error   // if set, the transport broke down in the middle of an exchange
}

// A line is a connection of a history. Its number is its index.
type line struct {
	name Name
	tag  uint64 // tells its requests apart in sums
}

// A node is an exchange: a request and the responses that followed before the
// peer was quiet. The root has no request.
//
// Positions in a history are counted in units: a byte of a plain write is one,
// and so is every other request. A node reaches from unit start to unit end.
type node struct {
	parent     *node
	kids       []*node
	edge       edge
	start, end int
	polled     bool   // the limits below are those at end; if not, they are unknown
	limits     []view // by number of the connection; may be short
	incoming   int    // connections that the peer has made up to here
	err        error  // why the request could not be made
}

// An edge is the request of a node.
type edge struct {
	kind  RequestKind
	conn  int
	data  []byte // what is sent
	canon []byte // what is compared
	rule  bool   // a rule has matched: the write is one unit and is compared as canon
}

// plain reports whether e is a write that can be cut at each byte.
func (e *edge) plain() bool { return e.kind == Write && !e.rule }

// ends reports whether e is the last request on a connection.
func (e *edge) ends() bool { return e.kind == Close || e.kind == Reset }

func (e *edge) units() int {
	if e.plain() {
		return len(e.data)
	}
	return 1
}

// A pos is a position in a history: the stream pointer of the requests. The
// position is unit d, and it lies in node n or, if n was split since, in one of
// n's ancestors.
type pos struct {
	n   *node
	d   int
	sum sum
}

// fix makes n the node that the position lies in.
func (p *pos) fix() {
	for p.d <= p.n.start && p.n.parent != nil {
		p.n = p.n.parent
	}
}

// inside reports whether the position is in the middle of a write.
func (p *pos) inside() bool { return p.d < p.n.end }

func newHistory(id HistoryID) *history {
	h := &history{id: id, root: &node{}}
	if !id.Whole {
		h.number(id.Conn)
		// Nothing can be heard of a peer before the program connects to it.
		h.root.polled = id.Conn.Dir == Out
	}
	return h
}

// number returns the number of a connection, a new one if it has none.
func (h *history) number(name Name) int {
	if i := h.find(name); i >= 0 {
		return i
	}
	h.conns = append(h.conns, line{name, tagOf(name)})
	return len(h.conns) - 1
}

func (h *history) find(name Name) int {
	for i := range h.conns {
		if h.conns[i].name == name {
			return i
		}
	}
	return -1
}

// kid returns the child whose edge begins like e, or nil.
func (n *node) kid(e *edge) *node {
	for _, k := range n.kids {
		if k.edge.kind != e.kind || k.edge.conn != e.conn || k.edge.rule != e.rule {
			continue
		}
		switch {
		case e.rule:
			if bytes.Equal(k.edge.canon, e.canon) {
				return k
			}
		case e.kind != Write || k.edge.data[0] == e.data[0]:
			return k
		}
	}
	return nil
}

// follow moves p along e as far as the tree knows it. What is left of e is
// returned; its kind is zero if nothing is.
func (h *history) follow(p *pos, e edge) edge {
	for {
		p.fix()
		next, from := p.n, p.d-p.n.start
		if !p.inside() {
			if next, from = p.n.kid(&e), 0; next == nil {
				return e
			}
		} else if !e.plain() || p.n.edge.conn != e.conn {
			return e
		}
		if !e.plain() {
			p.n, p.d, p.sum = next, next.end, p.sum.edge(h.conns[e.conn].tag, &e)
			return edge{}
		}
		same := common(next.edge.data[from:], e.data)
		if same == 0 {
			return e
		}
		p.n, p.d, p.sum = next, p.d+same, p.sum.bytes(h.conns[e.conn].tag, e.data[:same])
		if e.data = e.data[same:]; len(e.data) == 0 {
			return edge{}
		}
	}
}

// add appends a node for an edge that n does not have, and moves p there. The
// edge is copied: its data belong to the caller.
func (h *history) add(p *pos, e edge) *node {
	e.data, e.canon = bytes.Clone(e.data), bytes.Clone(e.canon)
	k := &node{parent: p.n, edge: e, start: p.n.end, end: p.n.end + e.units()}
	p.n.kids = append(p.n.kids, k)
	*p = pos{k, k.end, p.sum.edge(h.conns[e.conn].tag, &e)}
	return k
}

// split makes p the end of a node, by cutting the write that p is inside of.
// The lower part stays the same node, so that positions and live peers there
// need no change, and positions in the upper part are moved by fix.
func (p *pos) split() *node {
	p.fix()
	if !p.inside() {
		return p.n
	}
	low, cut := p.n, p.d-p.n.start
	up := &node{parent: low.parent, kids: []*node{low}, edge: low.edge, start: low.start, end: p.d}
	up.edge.data = low.edge.data[:cut:cut]
	for i, k := range low.parent.kids {
		if k == low {
			low.parent.kids[i] = up
		}
	}
	low.parent, low.start, low.edge.data = up, p.d, low.edge.data[cut:]
	p.n = up
	return up
}

// above reports whether n is m or an ancestor of m.
func (n *node) above(m *node) bool {
	for m != nil && m.end > n.end {
		m = m.parent
	}
	return m == n
}

// common returns the length of the longest common prefix.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
