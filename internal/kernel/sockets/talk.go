package sockets

import (
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A Talk is something that a process did with a connection, or noticed of it.
type Talk struct {
	Kind TalkKind
	// Peer is the peer outside at the far end, "" if that is a socket of the
	// modelled machine.
	Peer string
	// Number tells apart the connections with one peer: the first that was opened
	// on the way to here is 1.
	Number int
	// With is the address of the far end, and At the one that the connection was
	// made to. They are the same for who has connected. Of a listener both are
	// its own.
	With, At string
	Data     []byte      // what went over the connection; valid during the call
	Err      linux.Errno // why it did not
	// Of datagrams: how often it arrives (Sends), or will arrive once more (Receives),
	// how many it has overtaken, and whether it was longer than the buffer.
	Times, Over int
	Cut         bool
}

// A TalkKind says what was done.
type TalkKind uint8

// The kinds.
const (
	Listens TalkKind = iota
	Connects
	Accepts
	Writes
	Reads // no data and no error: the end of file
	Shuts // will write no more
	Closes
	Resets     // closes such that the far end sees an error
	Unlistens  // closes a listener
	Sends      // a datagram
	Receives   // a datagram
	Loses      // a datagram, on its way here
	Weathers   // it says what may happen to datagrams from now on
	notTalking // nothing to tell
)

// talkOf tells whom a socket is connected with. It is asked before the call that
// is told: the socket may be another after it.
func (k *Stack) talkOf(s *socket) Talk {
	t := Talk{With: s.remote.String(), At: s.remote.String()}
	switch {
	case s.state == stateListening:
		t.With, t.At = s.local.String(), s.local.String()
	case s.served:
		t.At = s.local.String()
	}
	if s.distant() {
		t.Peer, _ = k.Session.Name(s.conn)
		t.Number = k.Session.Ordinal(s.conn)
	}
	return t
}

// talks reports whether somebody listens to what goes over this socket.
func (k *Stack) talks(s *socket) bool {
	return k.Talk != nil && s.kind != linux.SOCK_DGRAM && s.domain != linux.AF_NETLINK
}

// tell tells what was done, unless it has to be done again.
func (k *Stack) tell(t Talk, kind TalkKind, data []byte, e linux.Errno) {
	if e == linux.EAGAIN || kind == notTalking {
		return
	}
	t.Kind, t.Data, t.Err = kind, data, e
	k.Talk(t)
}

// tellConnect tells an attempt to connect when its end is known.
func (k *Stack) tellConnect(s *socket, e linux.Errno) {
	if e == linux.EINPROGRESS {
		e = s.err
	}
	if e != linux.EALREADY && e != linux.EISCONN {
		k.tell(k.talkOf(s), Connects, nil, e)
	}
}

// send writes and tells it.
func (s *socket) send(k *Stack, p []byte, all bool) (n int, e linux.Errno) {
	defer func() {
		if n > 0 {
			s.consume(outgoing)
		}
	}()
	if !k.talks(s) {
		return s.transport.send(k, s, p, all)
	}
	t := k.talkOf(s)
	n, e = s.transport.send(k, s, p, all)
	if k.outside.err != nil { // the attempt is told, and nobody goes on from here
		k.tell(t, Writes, p, 0)
	} else {
		k.tell(t, Writes, p[:max(n, 0)], e)
	}
	return n, e
}

// closing tells how a socket is closed, before it is.
func (k *Stack) closing(s *socket) {
	kind := notTalking
	switch {
	case s.state == stateListening:
		kind = Unlistens
	case s.phase != phaseConnected && s.state != stateOpen:
	case s.linger.on && s.linger.seconds == 0 || k.unread(s):
		kind = Resets
	default:
		kind = Closes
	}
	k.tell(k.talkOf(s), kind, nil, 0)
}

// unread reports whether bytes are lost if the socket is closed.
func (k *Stack) unread(s *socket) bool {
	if s.distant() {
		n, _, _ := k.Session.Available(s.conn)
		return n > 0
	}
	return len(s.in) > 0
}
