package iocache

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A live peer stands at a node: it was told all requests up to there, and has
// said what it says to them.
type live struct {
	peer   Peer
	at     *node
	closed []int // connections that the program has closed
}

// stands reports whether a live peer stands at n.
func (h *history) stands(n *node) bool {
	return slices.ContainsFunc(h.live, func(l *live) bool { return l.at == n })
}

// standing returns a live peer that stands at n. If there is none, one that
// stands before n goes on to it, or else a new one is started and told
// everything again.
func (c *Cache) standing(h *history, n *node) (*live, error) {
	best := -1
	for i, l := range h.live {
		if l.at.above(n) && (best < 0 || h.live[best].at.end < l.at.end) {
			best = i
		}
	}
	var l *live
	if best >= 0 {
		l = h.live[best]
		h.live = append(slices.Delete(h.live, best, best+1), l)
	} else {
		var err error
		if l, err = c.start(h); err != nil {
			return nil, err
		}
	}
	var path []*node
	for m := n; m != l.at; m = m.parent {
		path = append(path, m)
	}
	slices.Reverse(path)
	for len(path) > 0 {
		whole := 1
		for whole < len(path) && path[whole].continues(path[whole-1]) {
			whole++
		}
		c.stats.Replays++
		if err := c.exchange(h, l, path[:whole]); err != nil {
			return nil, err
		}
		path = path[whole:]
	}
	return l, nil
}

// continues reports whether the requests of n and of its parent were one write
// that was cut, so that they can be told in one piece.
func (n *node) continues(parent *node) bool {
	return !parent.polled && n.edge.plain() && parent.edge.plain() && n.edge.conn == parent.edge.conn
}

// start starts a peer for a history and lets it say what it says by itself.
func (c *Cache) start(h *history) (*live, error) {
	if len(h.live) >= c.opt.Live {
		h.live[0].peer.Stop()
		h.live = slices.Delete(h.live, 0, 1)
	}
	if h.started {
		c.stats.Restarts++
	}
	h.started = true
	peer, err := c.transport.Start(h.id)
	if err != nil {
		h.err = err
		return nil, err
	}
	l := &live{peer: peer, at: h.root}
	h.live = append(h.live, l)
	if h.id.Whole || h.id.Conn.Dir == In {
		err = c.listen(h, l)
	}
	return l, err
}

// exchange tells a peer, which stands before them, the requests of some nodes of
// which each continues the one before, and listens to its responses.
func (c *Cache) exchange(h *history, l *live, nodes []*node) error {
	if err := c.do(h, l, nodes); err != nil {
		return err
	}
	return c.listen(h, l)
}

// An owed is a peer that was told something and was not yet listened to.
type owed struct {
	h *history
	l *live
}

// settle listens to the peer that was told something last, if nobody has since. The
// search goes on while a peer works, until it needs the answer. No peer is told
// anything before that, so there is one such answer at most, and what a peer says is
// always its answer to one request.
func (c *Cache) settle() error {
	o := c.owed
	if o.l == nil {
		return nil
	}
	c.owed = owed{}
	err := c.listen(o.h, o.l)
	if err != nil {
		c.failed = err // and that of the history: the request itself was made
	}
	return err
}

// accepted reports whether a connection that a peer was told of last is there, before
// the peer is listened to.
func (c *Cache) accepted(h *history, name Name) bool {
	if c.owed.h != h {
		return false
	}
	p, ok := c.owed.l.peer.(Prompt)
	return ok && p.Connected(name)
}

// do tells a peer requests.
func (c *Cache) do(h *history, l *live, nodes []*node) error {
	l.at = nodes[len(nodes)-1]
	e := &l.at.edge
	data := e.data
	if len(nodes) > 1 {
		data = nil
		for _, n := range nodes {
			data = append(data, n.edge.data...)
		}
	}
	if e.kind == Open {
		c.stats.Connections++
	}
	if e.ends() {
		l.closed = append(l.closed, e.conn)
	}
	c.stats.BytesOut += int64(len(data))
	err := l.peer.Do(Request{e.kind, h.conns[e.conn].name, data})
	if err != nil {
		h.err = err
	}
	return err
}

// listen polls a peer until it is quiet (paper 000, algorithm 1). What it says
// is recorded where it stands, or compared with what was recorded.
func (c *Cache) listen(h *history, l *live) error {
	n := l.at
	heard, err := c.poll(h, l)
	if err == nil {
		switch {
		case n.polled:
			err = c.compare(h, n, heard)
		case len(n.kids) > 0:
			err = c.recordCut(h, n, heard)
		default:
			n.record(n.low(), heard)
		}
	}
	if err != nil {
		h.err = err
	}
	return err
}

// poll listens until the peer is quiet.
func (c *Cache) poll(h *history, l *live) (report, error) {
	var heard report
	low := l.at.low()
	ignored := 0
	for {
		if p, ok := l.peer.(Hurried); ok && c.complete(h, l.at, heard) {
			p.Hurry()
		}
		r, err := l.peer.Poll()
		if err != nil || r.Kind == Quiet {
			return heard, err
		}
		c.stats.BytesIn += int64(len(r.Data))
		conn, size := h.find(r.Conn), 0
		switch {
		case r.Kind == Incoming:
			if err := h.admit(r.Conn, low.incoming+heard.incoming); err != nil {
				return heard, err
			}
			heard.incoming++
			c.stats.Connections++
		case slices.Contains(l.closed, conn): // nobody will ever read it
			ignored += len(r.Data)
			size = ignored
		default:
			if conn < 0 || low.limit(conn).end != Quiet || heard.on(conn).end != Quiet {
				return heard, diag.Bugf("%v: the transport reports %v of connection %v, which does not exist or has ended", h.id, r.Kind, r.Conn)
			}
			if r.Kind > Refused || r.Kind == Data && len(r.Data) == 0 {
				return heard, diag.Bugf("%v: the transport reports %d bytes and a response of kind %d", h.id, len(r.Data), r.Kind)
			}
			heard.add(conn, r)
			size = low.limit(conn).n + heard.on(conn).n
		}
		if size > c.opt.MaxResponse {
			return heard, diag.Incompletef("%v: the peer sent more than %d bytes on connection %v: what follows was not explored", h.id, c.opt.MaxResponse, r.Conn)
		}
	}
}

// admit makes room for the n-th connection that the peer makes, counted from 0.
func (h *history) admit(name Name, n int) error {
	switch {
	case !h.id.Whole && h.id.Conn.Dir == Out:
		return Apartf(h.id, "the peer made a connection by itself")
	case !h.id.Whole && n > 0:
		return Apartf(h.id, "the peer made a second connection")
	case name != h.incoming(n):
		return diag.Bugf("%v: the transport reports an incoming connection %v, want %v", h.id, name, h.incoming(n))
	}
	h.number(name)
	return nil
}
