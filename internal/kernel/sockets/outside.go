package sockets

import (
	"cmp"
	"slices"

	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// An Outside is the world that a process can talk to: peers, through a cache that
// goes back with the process. The zero value is no world at all.
type Outside struct {
	Session *iocache.Session
	Peers   []Peer
	Hosts   Hosts
}

// A Peer is a program outside of the modelled machine.
type Peer struct {
	Name   string
	Group  string // peers of one group are alike, so that it does not matter which of them comes first
	Client bool   // it connects to the process; if not, the process connects to it
	Port   int    // as the process calls it, 0 for any
	UDP    bool   `json:",omitempty"` // it talks by datagrams
	Unix   string `json:",omitempty"` // instead of a port: the path of a socket of the Unix domain, as the process calls it
	Whole  bool   `json:"-"`          // what it is told on one connection may matter on another
	First  int    `json:",omitempty"` // of the numbers that stand for other ports of it,
	Ports  int    `json:",omitempty"` // and how many there are
}

// MaxPeers is how many peers there can be.
const MaxPeers = 120

// outside is what the kernel remembers of the world besides the session.
type outside struct {
	epoch uint64 // when the session was last marked
	err   error  // see Failure
	told  bool   // see Advanced

	received Receipt
}

// firstPort is the smallest number for ports of the current creator, as FirstFD for descriptors. Each creator has a few for himself.
func (k *Stack) firstPort() int {
	const share = 16
	k.Makes()
	if !k.ByCreator() {
		return firstPort + 1000*k.Process
	}
	return firstPort + share*int(k.CreatorHash()%((lastPort-firstPort)/share))
}

// Failure returns why the world outside cannot be followed any further, if it
// cannot, and forgets it.
func (k *Stack) Failure() error {
	err := k.outside.err
	k.outside.err = nil
	return err
}

// Advanced reports whether the process has moved on with a peer since the last
// call: from where it is now, it never comes back to where it was.
func (k *Stack) Advanced() bool {
	told := k.outside.told
	k.outside.told = false
	return told
}

// A Receipt is what was received over connections from inside of the machine.
type Receipt struct {
	N       int  // bytes that were read, and connections that were accepted
	Onwards bool // some of it was read from a process that was named before this one
}

// receives notes that n more were received.
func (k *Stack) receives(n int, onwards bool) {
	if n > 0 {
		r := &k.outside.received
		r.N, r.Onwards = r.N+n, r.Onwards || onwards
	}
}

// Received returns what was received since the last call.
func (k *Stack) Received() Receipt {
	r := k.outside.received
	k.outside.received = Receipt{}
	return r
}

// fails notes an error and reports whether there is one.
func (k *Stack) fails(err error) bool {
	if err != nil && k.outside.err == nil {
		k.outside.err = err
	}
	return err != nil
}

// touchSession prepares a change of the session.
func (k *Stack) touchSession() {
	if k.outside.epoch == k.Stretch() {
		return
	}
	m := k.Session.Save()
	k.Later(func() { k.Session.Restore(m) })
	k.outside.epoch = k.Stretch()
}

// server returns the peer that the process reaches at an address, and, if it is another port of it than the one
// that it was told of, the port.
func (k *Stack) server(to address) (_ Peer, other int, _ bool) {
	for _, p := range k.Peers {
		if p.serves() && p.Port == int(to.port) && k.lives(&p, to.ip) {
			return p, 0, true
		}
	}
	if p, ok := k.showed(to); ok && !p.Client {
		return p, int(to.port), true
	}
	for _, p := range k.Peers {
		if p.serves() && p.Port == 0 && k.lives(&p, to.ip) {
			return p, 0, true
		}
	}
	return Peer{}, 0, false
}

// call connects a socket to the peer that is at its remote address. At a port that no server was given,
// each is asked in turn: it may have opened it.
func (k *Stack) call(s *socket) {
	if p, other, ok := k.server(s.remote); ok {
		if e := k.dial(s, p, other); e != 0 {
			s.refused(k)
			s.err = e
		}
		return
	}
	asked := ""
	for _, p := range k.Peers {
		if p.Client || p.Unix != "" || p.Name == asked || !k.lives(&p, s.remote.ip) {
			continue
		}
		asked = p.Name
		if k.dial(s, p, int(s.remote.port)) == 0 {
			return
		}
	}
	k.misses("tcp", s.remote)
	s.refused(k)
}

// dial connects a socket to a peer, at the port that it was told of if other is 0.
func (k *Stack) dial(s *socket, p Peer, other int) linux.Errno {
	k.touchSession()
	k.Makes()
	creator := k.Caller()
	if other != 0 {
		creator = iocache.AtPort(other) + creator
	}
	conn, st, err := k.Session.Connect(p.Name, creator)
	if k.fails(err) || st == iocache.Broken {
		if err == nil {
			return cmp.Or(errnoOf(k.Session.Why(conn)), linux.ECONNREFUSED)
		}
		return linux.ECONNREFUSED
	}
	s.state, s.transport, s.conn = stateOpen, outsideTCP{}, conn
	k.meets(&p)
	k.outside.told = true
	k.answered(s)
	return 0
}

// entangled reports whether what a peer is told on a connection may matter on another one.
func (k *Stack) entangled(s *socket) bool { return k.Session.History(s.conn).Whole }

// anyEntangled reports whether there is a peer of which that is so for any connection.
func (k *Stack) anyEntangled() bool {
	return slices.ContainsFunc(k.Peers, func(p Peer) bool { return p.Whole })
}

// callers lists the peers that would connect to a listener now, by their place in
// Peers: of each group the first that has not yet.
func (k *Stack) callers(l *socket) []int {
	var list []int
	asked := make(map[string]bool)
	for i, p := range k.Peers {
		if p.UDP || !p.Client && !p.Whole || p.Port != 0 && p.Port != int(l.local.port) && p.Client || !k.knows(&p, l) {
			continue
		}
		if asked[p.Group] && p.Group != "" || !p.Whole && k.state.came[i] {
			continue
		}
		st, err := k.Session.CanAccept(p.Name, "")
		if k.fails(err) || st == iocache.Ready {
			list = append(list, i)
			asked[p.Group] = true
		}
	}
	return list
}

// accept takes the connection that a peer makes.
func (k *Stack) accept(l *socket, peer int) *socket {
	k.touchSession()
	conn, st, err := k.Session.Accept(k.Peers[peer].Name, "")
	if k.fails(err) || st != iocache.Ready {
		return nil
	}
	k.touchState()
	k.state.came[peer] = true
	k.meets(&k.Peers[peer])
	k.outside.told = true
	s := k.newSocket(l.domain, l.kind, l.protocol, outsideTCP{})
	s.options, s.linger = l.options, l.linger
	s.state, s.phase, s.conn = stateOpen, phaseConnected, conn
	s.local, s.served = l.local, true
	if internet(l.domain) {
		if s.local.ip.IsUnspecified() {
			s.local.ip = loopback4
		}
		_, name := k.Session.Name(conn)
		s.remote = address{ip: s.local.ip, port: uint16(clientPort + 100*peer + name.N%100)}
		s.held = true
	}
	k.net.add(k, s)
	k.answered(s)
	return s
}

// clientPort is the first of the ports that peers call from.
const clientPort = 61000

// errnoOf returns the error of a name, 0 if it has none.
func errnoOf(name string) linux.Errno {
	for e := linux.Errno(1); e < 134; e++ {
		if e.Name() == name {
			return e
		}
	}
	return 0
}

// Serving reports whether a descriptor listens for peers outside: who waits
// there has done all there is to do for now.
func (k *Stack) Serving(fd int) bool {
	s, _, e := k.socket(fd)
	return e == 0 && s.listens() && (k.Joined() || k.expects(s)) // others may come, if not these
}

// listens reports whether others can begin something with a socket.
func (s *socket) listens() bool {
	return s.state == stateListening || s.kind == linux.SOCK_DGRAM && internet(s.domain) && s.state != stateOpen && s.lock.port
}

// expects reports whether there is a peer that may begin something with a socket.
func (k *Stack) expects(s *socket) bool {
	for _, p := range k.Peers {
		if p.Client && p.UDP == (s.kind == linux.SOCK_DGRAM) && k.knows(&p, s) {
			return true
		}
	}
	return false
}

// WaitsFor tells who would have to speak, or to come, for a descriptor of a socket
// to be ready. It is not ok for others.
func (k *Stack) WaitsFor(fd int) (t Talk, ok bool) {
	s, _, e := k.socket(fd)
	if e != 0 || s.kind == linux.SOCK_DGRAM && !internet(s.domain) {
		return t, false
	}
	if s.kind == linux.SOCK_DGRAM {
		t = Talk{Kind: Receives, With: s.remote.String(), At: s.local.String()}
		if peer, _, ok := k.WithPeer(fd); ok {
			t.Peer = peer
		}
		if s.state != stateOpen {
			t.With = ""
		}
		return t, true
	}
	t = k.talkOf(s)
	t.Kind = Reads
	switch {
	case s.state == stateListening:
		t.Kind = Accepts
	case s.state == stateSent:
		t.Kind = Connects
	}
	return t, true
}

// WithPeer returns the name of the peer at the far end of a descriptor's
// connection, and that of the connection.
func (k *Stack) WithPeer(fd int) (peer string, name iocache.Name, ok bool) {
	s, _, e := k.socket(fd)
	if e == 0 && s.outward(k) {
		if i := k.lineTo(s, s.remote); i >= 0 {
			peer, name = k.Session.Name(s.lines[i].conn)
			return peer, name, true
		}
		p, _ := k.datagramServer(s.remote)
		return p.Name, iocache.Name{}, true
	}
	if e != 0 || !s.distant() {
		return "", iocache.Name{}, false
	}
	peer, name = k.Session.Name(s.conn)
	return peer, name, true
}
