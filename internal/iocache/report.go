package iocache

import (
	"bytes"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A report is what a peer said between a request and its being quiet: by number
// of the connection, views that hold only what is new.
type report struct {
	news     []view
	incoming int
}

// on returns what was heard on a connection.
func (r *report) on(conn int) view {
	if conn < len(r.news) {
		return r.news[conn]
	}
	return view{}
}

// add notes a response.
func (r *report) add(conn int, said Response) {
	for len(r.news) <= conn {
		r.news = append(r.news, view{})
	}
	v := &r.news[conn]
	if said.Kind == Data {
		v.more = v.more || v.n == 0 && said.More
		*v = v.extend(said.Data, said.More)
	} else {
		v.end, v.why = said.Kind, said.Err
	}
}

// record notes what was heard at n, the first time, after what was known at low.
func (n *node) record(low *node, heard report) {
	n.limits, n.incoming = slices.Clone(low.limits), low.incoming+heard.incoming
	for conn, news := range heard.news {
		for len(n.limits) <= conn {
			n.limits = append(n.limits, view{})
		}
		n.limits[conn] = n.limits[conn].join(news)
	}
	n.polled = true
}

// compare holds what was heard at n against what is recorded there.
func (c *Cache) compare(h *history, n *node, heard report) error {
	if incoming := n.incoming - n.low().incoming; incoming != heard.incoming {
		return h.otherIncoming(n, incoming, heard.incoming)
	}
	for conn := range max(len(n.limits), len(heard.news)) {
		if cached, was, same := c.repeats(h, n, heard, conn); !same {
			return c.nondeterminism(h, n, conn, cached, was, heard.on(conn), false)
		}
	}
	return nil
}

// repeats reports whether what was heard on a connection is what is recorded at n, and what that is.
func (c *Cache) repeats(h *history, n *node, heard report, conn int) (cached []byte, was view, same bool) {
	old, was, now := n.low().limit(conn), n.limit(conn), heard.on(conn)
	cached = was.data()[old.n:]
	if old.end != Quiet {
		was.end, was.why = Quiet, "" // the end is no news here
	}
	return cached, was, was.end == now.end && was.why == now.why && c.sameResponse(h, cached, now.data())
}

// complete reports whether all is heard that is recorded at n.
func (c *Cache) complete(h *history, n *node, heard report) bool {
	if !n.polled || n.incoming-n.low().incoming != heard.incoming {
		return false
	}
	for conn := range max(len(n.limits), len(heard.news)) {
		if _, _, same := c.repeats(h, n, heard, conn); !same {
			return false
		}
	}
	return true
}

// recordCut notes what was heard at n for the first time, when something beyond
// n is known: n is the first part of writes that were sent as a whole before.
// What is said to the part must be the beginning of what was said to each whole.
// The program gets to read what was said to the first.
func (c *Cache) recordCut(h *history, n *node, heard report) error {
	low := n.low()
	var limits []view
	var err error
	n.next(func(high *node) bool {
		first := limits == nil
		if first {
			limits = make([]view, max(len(high.limits), len(heard.news)))
		}
		for conn := range max(len(limits), len(high.limits)) {
			old, all, now := low.limit(conn), high.limit(conn), heard.on(conn)
			cached := all.data()[old.n:]
			size := c.responsePrefix(h, cached, now.data())
			v := view{buf: all.buf, n: old.n + size, end: max(old.end, now.end), why: old.why + now.why}
			if first {
				limits[conn] = v
			}
			if size < 0 || now.end != Quiet && !v.sameLimit(all) || conn < len(limits) && limits[conn].n != v.n {
				err = c.nondeterminism(h, n, conn, cached, all, now, true)
				return true
			}
		}
		if all := high.incoming - low.incoming; heard.incoming > all {
			err = h.otherIncoming(n, all, heard.incoming)
		}
		return err != nil
	})
	if err == nil {
		n.limits, n.incoming, n.polled = limits, low.incoming+heard.incoming, true
	}
	return err
}

// sameResponse compares two responses, as the rules see them if they differ.
func (c *Cache) sameResponse(h *history, cached, now []byte) bool {
	if bytes.Equal(cached, now) {
		return true
	}
	a, matched := c.opt.Rules.response(h.id.Peer, cached)
	b, also := c.opt.Rules.response(h.id.Peer, now)
	return (matched || also) && bytes.Equal(a, b)
}

// responsePrefix returns the size of the prefix of cached that is the same
// response as now, or -1.
func (c *Cache) responsePrefix(h *history, cached, now []byte) int {
	if bytes.HasPrefix(cached, now) {
		return len(now)
	}
	b, matched := c.opt.Rules.response(h.id.Peer, now)
	if !matched {
		return -1
	}
	for n := range len(cached) + 1 {
		if a, _ := c.opt.Rules.response(h.id.Peer, cached[:n]); bytes.Equal(a, b) {
			return n
		}
	}
	return -1
}

// exchanges returns the number of the exchange, counted from 1.
func (n *node) exchanges() int {
	k := 0
	for ; n.parent != nil; n = n.parent {
		k++
	}
	return k
}

func (h *history) otherIncoming(n *node, cached, now int) error {
	return diag.Incompletef("%v: the peer is nondeterministic: in exchange %d (%s) it made %d connections, and after a restart %d",
		h.id, n.exchanges(), n.edge.text(), cached, now)
}

func (c *Cache) nondeterminism(h *history, n *node, conn int, cached []byte, was, now view, cut bool) error {
	return &Nondeterminism{History: h.id, Conn: h.conns[conn].name, At: n.exchanges(), Request: n.edge.text(), Cut: cut,
		Cached: bytes.Clone(cached), CachedEnd: was.end, CachedErr: was.why,
		Now: bytes.Clone(now.data()), NowEnd: now.end, NowErr: now.why, rules: c.opt.Rules}
}
