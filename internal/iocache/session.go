package iocache

import (
	"cmp"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Session is the program's side of a cache: the stream pointers of all its
// connections. It belongs to the state of the program and backtracks, by
// [Session.Save] and [Session.Restore]. It is not safe for concurrent use.
//
// Methods return an error if the search cannot go on: a [Divergence], a
// [Nondeterminism], or what the transport says. What the program is to see, a
// refused or broken connection included, is a [Status].
type Session struct {
	cache *Cache
	conns []conn
	talks []talk
	log   []change
	moved bool // it has made a request since its path was last noted: see watch
}

// A Conn is a connection of a session. The number depends on the order in which
// connections were opened on the path to here: see [Session.AppendConn].
type Conn int

// A Status is what the program finds at the end of a connection.
type Status uint8

// The statuses.
const (
	Waiting Status = iota // nothing: the peer will say no more before it is told more
	Ready                 // done; of reads: there are bytes
	Ended                 // end of file
	Broken                // the connection has failed or was refused: see Session.Why
)

var statusNames = [...]string{Waiting: "waiting", Ready: "ready", Ended: "ended", Broken: "broken"}

func (s Status) String() string { return statusNames[s] }

// A conn is a connection as the program sees it.
type conn struct {
	talk  int // index
	line  int // number in the history
	read  int // the stream pointer of the responses
	state state
}

// A state is what the program can still do with a connection.
type state uint8

const (
	open   state = iota
	shut         // no writes
	closed       // nothing
)

// A talk is a history that the program takes part in.
type talk struct {
	h        *history
	pos      pos // the stream pointer of the requests
	accepted int // incoming connections that the program has accepted
}

// NewSession returns the stream pointers of a program that has not begun.
func (c *Cache) NewSession() *Session {
	s := &Session{cache: c}
	if c.watch != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.sessions = append(c.sessions, s)
	}
	return s
}

// Connect opens a connection to a peer (paper 000, algorithm 4). If the peer
// refuses, the status is Broken, and the connection is closed already.
func (s *Session) Connect(peer, creator string) (Conn, Status, error) {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	return s.connect(peer, Name{Out, creator, s.count(Out, peer, creator)})
}

func (s *Session) connect(peer string, name Name) (Conn, Status, error) {
	t := s.join(peer, name)
	h := s.talks[t].h
	line := h.number(name)
	c := s.add(conn{talk: t, line: line})
	if err := s.request(c, edge{kind: Open, conn: line}); err != nil {
		return c, Broken, err
	}
	if s.cache.accepted(h, name) {
		return c, Ready, nil
	}
	v, err := s.limit(c)
	if err != nil {
		return c, Broken, err
	}
	if v.end == Refused {
		s.setConn(c, func(k *conn) { k.state = closed })
		return c, Broken, nil
	}
	return c, Ready, nil
}

// Accept takes the next connection that a peer makes. In process mode there is
// one peer of that name, which may make any number of connections, now or after
// more was said; the creator does not matter. In the other modes each accepted
// connection is a peer of its own. The status is Waiting if the peer, as things
// are, makes no connection.
func (s *Session) Accept(peer, creator string) (Conn, Status, error) {
	return s.accept(peer, creator, true)
}

// CanAccept reports what Accept would return, and leaves it to be accepted. It
// launches the peer if need be.
func (s *Session) CanAccept(peer, creator string) (Status, error) {
	m := s.Save()
	_, st, err := s.accept(peer, creator, false)
	s.restore(m)
	return st, err
}

func (s *Session) accept(peer, creator string, take bool) (Conn, Status, error) {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	name := Name{In, creator, s.count(In, peer, creator)}
	if s.cache.rec.modes.TakesTogether(peer) {
		name.Creator = ""
	}
	m := s.Save()
	i := s.join(peer, name)
	t := &s.talks[i]
	n, err := s.cache.limits(t.h, &t.pos, -1)
	if err != nil {
		return -1, Broken, err
	}
	if t.accepted >= n.incoming {
		s.restore(m) // a talk about nothing is no part of the state
		return -1, Waiting, nil
	}
	if !take {
		return -1, Ready, nil
	}
	name.N = t.accepted
	if !t.h.id.Whole {
		name = t.h.id.Conn
	}
	s.setTalk(i, func(t *talk) { t.accepted++ })
	return s.add(conn{talk: i, line: t.h.number(name)}), Ready, nil
}

// Write lets the program write all of data, which must not be empty (paper 000,
// algorithm 2). The status is Ready, or Broken if the connection has failed.
func (s *Session) Write(c Conn, data []byte) (Status, error) {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	k := s.conns[c]
	if k.state != open || len(data) == 0 {
		panic(diag.Bugf("write of %d bytes to connection %d, which is in state %d", len(data), c, k.state))
	}
	if failed, err := s.failed(c); failed || err != nil {
		return Broken, err
	}
	peer := s.talks[k.talk].h.id.Peer
	return Ready, s.request(c, s.cache.opt.Rules.write(peer, k.line, data))
}

// Read lets the program read what there is, at most len(p) bytes (paper 000,
// algorithm 3). The status is Ready if there was something, and else says why
// there was not. Bytes before the end of a connection are read first.
func (s *Session) Read(c Conn, p []byte) (int, Status, error) {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	data, st, err := s.unread(c)
	n := copy(p, data)
	if n > 0 {
		s.setConn(c, func(k *conn) { k.read += n })
	}
	return n, st, err
}

// Available returns how many bytes can be read and the status that Read returns.
func (s *Session) Available(c Conn) (int, Status, error) {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	data, st, err := s.unread(c)
	return len(data), st, err
}

// Arrivals appends how many of the bytes that can be read may have arrived when others have not: those of
// the first piece, of the first two, and so on.
func (s *Session) Arrivals(list []int, c Conn) ([]int, error) {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	k := &s.conns[c]
	v, err := s.limit(c)
	if err != nil {
		return list, err
	}
	for _, at := range v.starts() {
		if at > k.read {
			list = append(list, at-k.read)
		}
	}
	return list, nil
}

// unread returns the bytes between the stream pointer and the limit.
func (s *Session) unread(c Conn) ([]byte, Status, error) {
	k := &s.conns[c]
	if k.state == closed {
		panic(diag.Bugf("read from connection %d, which is closed", c))
	}
	v, err := s.limit(c)
	if err != nil {
		return nil, Broken, err
	}
	switch data := v.data()[k.read:]; {
	case len(data) > 0:
		return data, Ready, nil
	case v.end == EndOfFile:
		return nil, Ended, nil
	case v.end == Failed:
		return nil, Broken, nil
	}
	return nil, Waiting, nil
}

// Shutdown tells the peer that the program will write no more.
func (s *Session) Shutdown(c Conn) error { return s.end(c, Shutdown, shut) }

// Close ends a connection (paper 000, algorithm 5). A program that ends need not
// close its connections: no other path can then be different.
func (s *Session) Close(c Conn) error { return s.end(c, Close, closed) }

// Reset ends a connection such that the peer sees an error.
func (s *Session) Reset(c Conn) error { return s.end(c, Reset, closed) }

func (s *Session) end(c Conn, kind RequestKind, to state) error {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	k := s.conns[c]
	if k.state >= to {
		panic(diag.Bugf("%v of connection %d, which is in state %d", kind, c, k.state))
	}
	failed, err := s.failed(c)
	if err != nil {
		return err
	}
	if !failed { // a connection that has failed is gone for the peer too
		if err := s.request(c, edge{kind: kind, conn: k.line}); err != nil {
			return err
		}
	}
	s.setConn(c, func(k *conn) { k.state = to })
	return nil
}

// Why returns what the transport called the failure of a broken connection, or
// nothing.
func (s *Session) Why(c Conn) string {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	v, _ := s.limit(c)
	return v.why
}

// Name returns the peer and the name of a connection.
func (s *Session) Name(c Conn) (peer string, name Name) {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	h := s.talks[s.conns[c].talk].h
	return h.id.Peer, h.conns[s.conns[c].line].name
}

// Ordinal returns the number of a connection among those with the same peer, in
// the order in which they were opened on the path to here, from 1.
func (s *Session) Ordinal(c Conn) int {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	n := 0
	for i := range s.conns[:c+1] {
		if s.talks[s.conns[i].talk].h.id.Peer == s.talks[s.conns[c].talk].h.id.Peer {
			n++
		}
	}
	return n
}

// History returns the history that a connection belongs to. What is done on
// connections of different histories commutes.
func (s *Session) History(c Conn) HistoryID {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	return s.talks[s.conns[c].talk].h.id
}

// limit returns the limit of a connection where the program is.
func (s *Session) limit(c Conn) (view, error) {
	k := &s.conns[c]
	t := &s.talks[k.talk]
	n, err := s.cache.limits(t.h, &t.pos, k.line)
	if err != nil {
		return view{}, err
	}
	return n.limit(k.line), nil
}

// failed reports whether a connection has failed where the program is. It asks
// no peer if the answer can only be no.
func (s *Session) failed(c Conn) (bool, error) {
	k := &s.conns[c]
	if !s.talks[k.talk].pos.canFail(k.line) {
		return false, nil
	}
	v, err := s.limit(c)
	return v.end == Failed, err
}

// request makes a request where the program is.
func (s *Session) request(c Conn, e edge) error {
	i := s.conns[c].talk
	p := s.talks[i].pos
	err := s.cache.request(s.talks[i].h, &p, e)
	s.moved = true
	s.setTalk(i, func(t *talk) { t.pos = p })
	return err
}

// count returns how many connections of that kind there were on this path.
func (s *Session) count(dir Dir, peer, creator string) int {
	n := 0
	for i := range s.conns {
		h := s.talks[s.conns[i].talk].h
		name := h.conns[s.conns[i].line].name
		if h.id.Peer == peer && name.Dir == dir && name.Creator == creator {
			n++
		}
	}
	return n
}

// join returns the talk that a connection belongs to, a new one if need be.
func (s *Session) join(peer string, name Name) int {
	id := HistoryID{Peer: peer, Conn: name}
	if s.cache.rec.modes.TakesTogether(peer) {
		id = HistoryID{Peer: peer, Whole: true}
	}
	h := s.cache.history(id)
	for i := range s.talks {
		if s.talks[i].h == h {
			return i
		}
	}
	return s.addTalk(talk{h: h, pos: pos{n: h.root}})
}

// compareConns orders connections by what they are called.
func compareConns(s *Session, a, b int) int {
	h, g := s.talks[s.conns[a].talk].h, s.talks[s.conns[b].talk].h
	m, n := h.conns[s.conns[a].line].name, g.conns[s.conns[b].line].name
	return cmp.Or(strings.Compare(h.id.Peer, g.id.Peer), m.compare(n))
}

func (n Name) compare(m Name) int {
	return cmp.Or(cmp.Compare(n.Dir, m.Dir), strings.Compare(n.Creator, m.Creator), cmp.Compare(n.N, m.N))
}
