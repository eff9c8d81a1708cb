package iocache

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// Tree mode takes the connections with a server for independent: what it answers on one
// does not depend on what it was told on others. This file tests that. Paths of the
// program are told to a server that was newly started, all of their connections together, in
// the order in which the program made its requests and in other orders. If
// an answer is not the one that the cache has, the connections depend on each other, and
// the search has to be done again in process mode.
//
// Other orders are tried because a search with reduction takes one order of what it believes to be
// independent. For two connections A and B, all of B's requests are told between
// any two of A's, and the other way around. So each request of one is told after
// each number of requests of the other. An order that the program could not bring about may
// prove a dependence that does not matter to it; that costs time and nothing else.

// An order is a sequence of requests to one peer, on several connections.
type order []move

// A move is a request of an order: it moves the pointer of a connection's request stream.
type move struct {
	h        *history
	from, to pos
}

// Orders says how far the independence of connections was tested.
type Orders struct {
	Tried, All int
	More       bool // there are more than All: they were not counted any further
	// Untried says why no more were tried, if something was in the way: a server that cannot be started
	// again, or whose answers differ from one run to the next.
	Untried string
}

// A Dependence is the error of a server whose connections are not independent.
type Dependence struct {
	Peer    string
	Conn    Name   // whose answer differs
	Request string // the last one that was made
	On      Name   // where that was
	Alone   string // what the cache has, as the rules see it
	Now     string
	now     string // the whole of Now, to hold one against another
}

func (d *Dependence) Error() string {
	return fmt.Sprintf("the connections of %s depend on each other: after %s on %v, it has said %s on %v, by itself %s",
		d.Peer, d.Request, d.On, d.Now, d.Conn, d.Alone)
}

// ExitCode returns that of an incomplete search.
func (d *Dependence) ExitCode() int { return diag.ExitIncomplete }

// Depends says, if it is not empty, why the connections with a peer cannot be looked at one
// by one: they depend on each other, or the peer, which was not started anew for each of them, did not
// answer the same twice, or spoke or connected where it was not asked. To take them together may do better.
func Depends(err error) (peer, why string) {
	var d interface{ Depends() (peer, why string) }
	if errors.As(err, &d) {
		peer, why = d.Depends()
	}
	return peer, why
}

// Depends: see [Depends].
func (d *Dependence) Depends() (peer, why string) { return d.Peer, d.Error() }

// Depends: see [Depends].
func (e *Nondeterminism) Depends() (peer, why string) {
	if e.History.Whole {
		return "", ""
	}
	return e.History.Peer, e.Error()
}

// An apart is an error that there is because connections are looked at one by one.
type apart struct{ peer, why string }

// Apartf describes an error with a history that there is not if all connections of the peer are taken together.
func Apartf(id HistoryID, format string, args ...any) error {
	return &apart{id.Peer, id.String() + ": " + fmt.Sprintf(format, args...)}
}

func (e *apart) Error() string { return e.why + ": use process mode" }

// ExitCode returns that of an incomplete search.
func (*apart) ExitCode() int { return diag.ExitIncomplete }

// Depends: see [Depends].
func (e *apart) Depends() (peer, why string) { return e.peer, e.why }

// A watch notes the paths that a program takes, and tries their orders.
type watch struct {
	max   int
	seen  map[sum]bool
	paths []order // those that ended at different places, the first one that did so
	probe *Cache  // a server hears all of its connections
	tried map[sum]bool
	known Orders
	err   error // connections depend on each other, so that the search is in vain
}

// keptPaths is how many paths are kept, and maxCounted up to where their orders are counted. A program that
// makes hundreds of requests has hundreds of thousands of them.
const (
	keptPaths  = 512
	maxCounted = 1000
)

// notePath is called where the program is about to go back, if it has made requests since the last time.
func (c *Cache) notePath(s *Session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.moved = false
	w := c.watch
	var key sum
	for i := range s.talks {
		t := &s.talks[i]
		at := t.pos.sum.mix(t.h.conns[0].tag, uint64(len(t.h.id.Peer)))
		key[0], key[1] = key[0]+at[0], key[1]+at[1]
	}
	if w.seen[key] {
		return
	}
	if len(w.paths) >= keptPaths {
		w.known.More = true
		return
	}
	w.seen[key] = true
	w.paths = append(w.paths, s.path())
	if n := len(w.paths); n&(n-1) == 0 && w.err == nil {
		// What is wrong is found soon, mostly.
		w.err = c.note(c.try(w.paths[n-1], early, nil))
	}
}

// early is how many orders of a path are tried as soon as it is there.
const early = 4

// path returns what the program has said to servers, in the order in which it did.
func (s *Session) path() (o order) {
	last := make(map[int]int) // of each talk
	for i := range s.log {
		c := &s.log[i]
		if c.what != talkChanged {
			continue
		}
		if at, ok := last[c.index]; ok {
			o[at].to = c.talk.pos
		}
		last[c.index] = len(o)
		o = append(o, move{h: s.talks[c.index].h, from: c.talk.pos})
	}
	for t, at := range last {
		o[at].to = s.talks[t].pos
	}
	return slices.DeleteFunc(o, func(r move) bool { return r.from.d == r.to.d || r.h.id.Whole || r.h.id.Conn.Dir == In })
}

// TryOrders tries orders of what the program has said, until the number that the cache was
// made with is reached or stop returns true. The error is a [Dependence], or what a search ends with.
func (c *Cache) TryOrders(stop func() bool) (Orders, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.watch
	if w == nil {
		return Orders{}, nil
	}
	if w.err != nil {
		return w.known, w.err
	}
	if err := c.note(c.settle()); err != nil {
		return w.known, err
	}
	for _, s := range c.sessions { // the one that has found something stands where it did
		if s.moved {
			s.moved = false
			w.paths = append(w.paths, s.path())
		}
	}
	// The path that was noted last comes first: it may be the one that led to a finding.
	paths := slices.Clone(w.paths)
	slices.Reverse(paths)
	w.count(c, paths)
	// Each path in its own order first, then the others.
	for _, n := range []int{1, -1} {
		for _, o := range paths {
			if err := c.try(o, n, stop); err != nil {
				return w.known, c.note(err)
			}
		}
	}
	return w.known, nil
}

// count counts the orders of paths.
func (w *watch) count(c *Cache, paths []order) {
	all := make(map[sum]bool)
	for _, o := range paths {
		for _, p := range o.byPeer(c) {
			for other := range p.orders {
				if all[other.sum()] = true; len(all) > maxCounted {
					w.known.All, w.known.More = maxCounted, true
					return
				}
			}
		}
	}
	w.known.All = len(all)
}

// try tries the first n orders of a path for each of its servers, all if n is negative.
func (c *Cache) try(o order, n int, stop func() bool) error {
	w := c.watch
	for _, p := range o.byPeer(c) {
		left := n
		for other := range p.orders {
			if left == 0 || w.known.Tried >= w.max || w.known.Untried != "" || stop != nil && stop() {
				break
			}
			left--
			key := other.sum()
			if w.tried[key] {
				continue
			}
			w.tried[key] = true
			if err := c.settle(); err != nil {
				return err
			}
			if err := c.tryOne(other); err != nil {
				return err
			}
		}
	}
	return nil
}

// tryOne tells an order to a new server. If an answer differs from the one in the cache, another new
// server is asked the same: if that says something else again, then
// the server is not deterministic, and nothing is known of how its connections depend.
func (c *Cache) tryOne(o order) error {
	w := c.watch
	dep, err := c.hold(w.probe, o)
	if err == nil && dep != nil {
		again := New(c.transport, w.probe.opt)
		defer again.Close()
		var twice *Dependence
		if twice, err = c.hold(again, o); err == nil && (twice == nil || *twice != *dep) {
			err = &variation{dep, twice}
		}
	}
	if err != nil {
		w.known.Untried = err.Error()
		if peer := Varies(err); peer != "" {
			if c.opt.Vary != nil && c.opt.Vary(peer) {
				return err
			}
			w.known.Untried = peer + " does not say the same in each run"
		}
		return nil
	}
	if dep != nil {
		return dep
	}
	w.known.Tried++
	return nil
}

// A variation is the error of a server that was told the same in two runs, and one of them showed
// a dependence that the other did not.
type variation struct {
	first *Dependence
	again *Dependence // nil if there was none
}

func (v *variation) Error() string {
	d, then := v.first, v.first.Alone
	if v.again != nil {
		then = v.again.Now
	}
	return fmt.Sprintf("%s: the peer is nondeterministic: after %s on %v, it has said %s on %v, and in another run %s", d.Peer, d.Request, d.On, d.Now, d.Conn, then)
}

// ExitCode returns that of an incomplete search.
func (*variation) ExitCode() int { return diag.ExitIncomplete }

// Varies returns the name of the peer that an error is about, if it did not say the same when it
// was told the same again, and else "".
func Varies(err error) (peer string) {
	var n *Nondeterminism
	var v *variation
	switch {
	case errors.As(err, &n):
		return n.History.Peer
	case errors.As(err, &v):
		return v.first.Peer
	}
	return ""
}

// hold tells an order to a server behind a cache in process mode, and compares the
// answers with those that this cache has.
func (c *Cache) hold(probe *Cache, o order) (*Dependence, error) {
	s := probe.NewSession()
	conns := make(map[*history]Conn)
	at := make(map[*history]*move)
	var opened []*history
	for i := range o {
		r := &o[i]
		for _, e := range r.requests() {
			if err := s.repeat(r.h, conns, e); err != nil {
				return nil, err
			}
		}
		if at[r.h] == nil {
			opened = append(opened, r.h)
		}
		at[r.h] = r
		for _, h := range opened {
			want := at[h].to.known(0)
			if want == nil || s.conns[conns[h]].state == closed {
				continue
			}
			probe.mu.Lock()
			got, err := s.limit(conns[h])
			probe.mu.Unlock()
			if err != nil {
				return nil, err
			}
			v := want.limit(0)
			if v.end != got.end || !c.sameResponse(h, v.data(), got.data()) {
				// What rules leave out would hide the difference, and is another one in each run.
				alone, _ := c.opt.Rules.response(h.id.Peer, v.data())
				now, _ := c.opt.Rules.response(h.id.Peer, got.data())
				return &Dependence{
					Peer: h.id.Peer, Conn: h.id.Conn, On: r.h.id.Conn, Request: r.text(),
					Alone: response(alone, v.end, v.why, now), Now: response(now, got.end, got.why, alone), now: string(now),
				}, nil
			}
		}
	}
	return nil, nil
}

// repeat makes a request that was made on a connection by itself.
func (s *Session) repeat(h *history, conns map[*history]Conn, e edge) (err error) {
	c := conns[h]
	switch e.kind {
	case Open:
		// With the name that it has: what stands for the ports of a peer depends on it.
		s.cache.mu.Lock()
		defer s.cache.mu.Unlock()
		conns[h], _, err = s.connect(h.id.Peer, h.id.Conn)
		return err
	case Write:
		_, err = s.Write(c, e.data)
		return err
	}
	if s.conns[c].state == closed {
		return nil
	}
	switch e.kind {
	case Shutdown:
		return s.Shutdown(c)
	case Reset:
		return s.Reset(c)
	}
	return s.Close(c)
}

// requests returns what was requested in a move. A write that was cut since is whole again.
func (r *move) requests() (list []edge) {
	r.to.fix()
	for n := r.to.n; n != nil && n.end > r.from.d && n.parent != nil; n = n.parent {
		e := n.edge
		if e.plain() {
			e.data = e.data[max(r.from.d-n.start, 0) : min(r.to.d, n.end)-n.start]
			if len(list) > 0 && list[0].plain() {
				list[0].data = slices.Concat(e.data, list[0].data)
				continue
			}
		}
		list = slices.Insert(list, 0, e)
	}
	return list
}

func (r *move) text() string {
	var list []string
	for _, e := range r.requests() {
		list = append(list, e.text())
	}
	return strings.Join(list, ", ")
}

// sum tells orders apart.
func (o order) sum() (key sum) {
	for i := range o {
		for _, e := range o[i].requests() {
			key = key.edge(o[i].h.conns[0].tag, &e)
		}
	}
	return key
}

// byPeer returns the parts of a path by server, without those that are not worth a test: all that a server was
// ever told was told in this order, on one connection.
func (o order) byPeer(c *Cache) (list []order) {
	var peers []string
	for i := range o {
		if p := o[i].h.id.Peer; !slices.Contains(peers, p) {
			peers = append(peers, p)
		}
	}
	for _, p := range peers {
		var part order
		for i := range o {
			if o[i].h.id.Peer == p {
				part = append(part, o[i])
			}
		}
		if c.parted(p) {
			list = append(list, part)
		}
	}
	return list
}

// parted reports whether a server was told things on more than one connection, in the
// search as a whole.
func (c *Cache) parted(peer string) bool {
	n := 0
	for id, h := range c.rec.histories {
		if id.Peer == peer {
			if n++; n > 1 || h.branches() {
				return true
			}
		}
	}
	return false
}

// orders yields the order itself and others, in which the requests of one connection
// stand together, at each place among those of another one. Some come twice.
func (o order) orders(yield func(order) bool) {
	if !yield(o) {
		return
	}
	var conns []*history
	for i := range o {
		if !slices.Contains(conns, o[i].h) {
			conns = append(conns, o[i].h)
		}
	}
	if len(conns) < 2 {
		return
	}
	for _, b := range conns {
		var rest, block order
		for _, r := range o {
			if r.h == b {
				block = append(block, r)
			} else {
				rest = append(rest, r)
			}
		}
		// The middle first: what is begun and not ended has the most effects on others.
		for i := range len(rest) + 1 {
			at := len(rest) / 2
			if i%2 == 1 {
				at += (i + 1) / 2
			} else {
				at -= i / 2
			}
			if !yield(slices.Concat(rest[:at], block, rest[at:])) {
				return
			}
		}
	}
}
