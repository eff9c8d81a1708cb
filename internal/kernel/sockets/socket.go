package sockets

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel/files"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// socketBuffer is how many bytes a connection holds in each direction unless
// Options.SocketBuffer says otherwise: what Linux gives a Unix socket.
const socketBuffer = 212992

// A socket is what a descriptor of one refers to. All of them live on one
// machine with a loopback interface, where bytes arrive as soon as they are
// sent: that they may arrive later is the scheduler's part.
type socket struct {
	process.Plain
	k     *Stack // of the process whose it is
	epoch uint64
	key   uint64 // waits for it have this key
	ino   uint64

	family
	possession
	naming
	connection
	inbox
	listening

	options []option // sorted, those that differ from their default
	linger  linger
	err     linux.Errno // will be reported by the next call that looks
	noticed side        // of which sides the program knows that they are ready; see delay.go
	dead    bool        // it is closed, though others may still talk to it
}

// A family is what kind of socket it is, as socket(2) was asked for it.
type family struct {
	domain    int // AF_INET, AF_INET6, AF_UNIX or AF_NETLINK
	kind      int // SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM or SOCK_RAW
	protocol  int
	transport transport
}

// A possession tells whose a socket is.
type possession struct {
	owner   process.Owner // see Own
	creator string        // see As; empty if nobody knows it yet
}

// A naming is what a socket is called, and what the other end is.
type naming struct {
	local  address
	remote address
	held   bool // the local name or port is the socket's own
	lock   bindLock
	file   files.FileID
}

// A connection is how a socket is connected to its far end.
type connection struct {
	state sockState
	phase sockPhase
	down  shutdown     // what this end does not use any more
	fin   bool         // TCP: the far end has sent its last byte
	far   endpoint     // nil if there is none, or none any more
	conn  iocache.Conn // with a peer outside, if the transport is outsideTCP
	lines []line       // SOCK_DGRAM: with peers outside; not changed in place
}

// An inbox has what was received and not yet read.
type inbox struct {
	in     []byte       // of a connection
	cuts   []int        // SOCK_SEQPACKET: the lengths of the packets in it
	chunks []int        // Unix stream: how much is left in it of each call that has sent; not changed in place
	mail   mail         // SOCK_DGRAM
	groups []netip.Addr // SOCK_DGRAM: that it has joined, sorted; not changed in place
}

// A listening is what a listener keeps, and what a socket has to do with one.
type listening struct {
	backlog int       // of a listener
	queue   []*socket // listener: connections that wait to be accepted
	waiting []*socket // listener: sockets that wait for room in the queue
	at      *socket   // the listener in whose queue this socket is
	target  *socket   // the listener in whose waiting list this socket is
	served  bool      // it came from a listener; tells nothing that the addresses do not
}

// A bindLock tells what of its address a socket keeps when it is not connected
// any more: what the program has chosen itself.
type bindLock struct{ ip, port bool }

// A linger is the value of SO_LINGER.
type linger struct {
	on      bool
	seconds int32
}

// A sockState is how far a connection is, as the two ends see it.
type sockState uint8

const (
	stateClosed sockState = iota // not yet or no longer connected
	stateListening
	stateSent // asks for a connection
	stateOpen
)

// A sockPhase is how far the program knows about it, by its calls of connect.
type sockPhase uint8

const (
	phaseUnconnected sockPhase = iota
	phaseConnecting
	phaseConnected
	phaseEnding // shut down before it was connected
)

// A transport is what makes the sockets of one protocol different from others.
// The socket of each call has been prepared for change.
type transport interface {
	bind(k *Stack, s *socket, a address) linux.Errno
	listen(k *Stack, s *socket, backlog int) linux.Errno
	connect(k *Stack, s *socket, addr []byte) linux.Errno
	send(k *Stack, s *socket, p []byte, all bool) (int, linux.Errno) // all: rather wait than send a part
	recv(k *Stack, s *socket, p []byte, peek bool) (int, linux.Errno)
	shutdown(k *Stack, s *socket, how shutdown) linux.Errno
	close(k *Stack, s *socket)
	events(k *Stack, s *socket) uint32
	peer(s *socket) (address, linux.Errno)

	farSent(k *Stack, s *socket) bool // whether to take the bytes
	farShut(k *Stack, s *socket, how shutdown)
	farGone(k *Stack, s *socket, reset bool)
}

// Flags in the type of a socket.
const (
	sockNonblock = linux.SOCK_NONBLOCK
	sockCloexec  = linux.SOCK_CLOEXEC
	sockFlags    = sockNonblock | sockCloexec
)

// newSocket makes a socket that no descriptor refers to yet.
func (k *Stack) newSocket(domain, kind, protocol int, t transport) *socket {
	return &socket{
		k: k, epoch: k.Stretch(), key: k.NewKey(), ino: k.NewIno(),
		family:     family{domain: domain, kind: kind, protocol: protocol, transport: t},
		possession: possession{creator: k.Maker()},
	}
}

// addSocket gives a socket a descriptor. Flags are those of a socket's type.
func (k *Stack) addSocket(s *socket, flags int) (int, linux.Errno) {
	return k.Add(s, linux.O_RDWR|flags&sockFlags) // they have the values of O_NONBLOCK and O_CLOEXEC
}

// Socket makes a socket. Those that are not modelled are refused.
func (k *Stack) Socket(domain, kind, protocol int) (int, linux.Errno) {
	flags := kind & sockFlags
	kind &^= sockFlags
	t, e := k.transport(domain, kind, protocol)
	if e != 0 {
		return -1, e
	}
	if internet(domain) && protocol == 0 {
		protocol = linux.IPPROTO_TCP
		if kind == linux.SOCK_DGRAM {
			protocol = linux.IPPROTO_UDP
		}
	}
	return k.addSocket(k.newSocket(domain, kind, protocol, t), flags)
}

func internet(domain int) bool { return domain == linux.AF_INET || domain == linux.AF_INET6 }

// transport chooses what a socket runs on.
func (k *Stack) transport(domain, kind, protocol int) (transport, linux.Errno) {
	switch {
	case !internet(domain) && domain != linux.AF_UNIX:
		if domain == linux.AF_NETLINK && protocol == linux.NETLINK_ROUTE {
			return netlink{}, 0
		}
		return nil, k.Refuse(fmt.Sprintf("socket of address family %d", domain))
	case !internet(domain) && (kind == linux.SOCK_STREAM || kind == linux.SOCK_SEQPACKET):
		if protocol > 1 {
			return nil, linux.EPROTONOSUPPORT
		}
		return unixStream{}, 0
	case !internet(domain) && kind == linux.SOCK_DGRAM:
		if protocol > 1 {
			return nil, linux.EPROTONOSUPPORT
		}
		return unixGram{}, 0
	case kind == linux.SOCK_STREAM:
		if protocol != 0 && protocol != linux.IPPROTO_TCP {
			return nil, linux.EPROTONOSUPPORT // MPTCP among them, which package net asks for
		}
		return tcp{}, 0
	case kind == linux.SOCK_DGRAM && internet(domain) && (protocol == 0 || protocol == linux.IPPROTO_UDP):
		return udp{}, 0
	}
	return nil, k.Refuse(fmt.Sprintf("socket of type %d and protocol %d", kind, protocol))
}

// Socketpair makes two sockets that are connected with each other.
func (k *Stack) Socketpair(domain, kind, protocol int) (a, b int, e linux.Errno) {
	flags := kind & sockFlags
	kind &^= sockFlags
	t, e := k.transport(domain, kind, protocol)
	if e != 0 {
		return -1, -1, e
	}
	if domain != linux.AF_UNIX {
		return -1, -1, linux.EOPNOTSUPP
	}
	x, y := k.newSocket(domain, kind, protocol, t), k.newSocket(domain, kind, protocol, t)
	for _, s := range []*socket{x, y} {
		s.state, s.phase = stateOpen, phaseConnected
	}
	x.far, y.far = y, x
	if a, e = k.addSocket(x, flags); e != 0 {
		return -1, -1, e
	}
	if b, e = k.addSocket(y, flags); e != 0 {
		k.Close(a)
		return -1, -1, e
	}
	return a, b, 0
}

// socket returns the socket of a descriptor.
func (k *Stack) socket(fd int) (*socket, *process.Desc, linux.Errno) {
	d, e := k.Desc(fd)
	if e != 0 {
		return nil, nil, e
	}
	s, ok := d.File.(*socket)
	if !ok {
		return nil, nil, linux.ENOTSOCK
	}
	return s, d, 0
}

// change is socket for calls that change it.
func (k *Stack) change(fd int) (*socket, linux.Errno) {
	s, _, e := k.socket(fd)
	if e == 0 {
		k.touchSocket(s)
	}
	return s, e
}

// touchSocket prepares a change of a socket. Bytes and connections are appended
// to its queues or cut from their front; whoever does something else makes a
// copy of the queue.
func (k *Stack) touchSocket(s *socket) { undo.Save(k.Log, s, &s.epoch) }

// takeError returns the pending error of a socket, once.
func (s *socket) takeError() linux.Errno {
	e := s.err
	s.err = 0
	return e
}

func (s *socket) Read(d *process.Desc, p []byte) (int, linux.Errno) {
	if len(p) == 0 {
		return 0, 0
	}
	r, e := s.recv(s.k, p, false, d.Flags&linux.O_NONBLOCK == 0)
	return r.N, e
}

// recv reads and tells the far end that there is room again.
func (s *socket) recv(k *Stack, p []byte, peek, waits bool) (r Received, e linux.Errno) {
	k.touchSocket(s)
	if s.kind == linux.SOCK_DGRAM {
		r, e = datagrams{}.receive(k, s, p, peek)
		if e == linux.EAGAIN && waits && s.down&shutRead != 0 {
			e = 0 // nothing will come
		}
		return r, e
	}
	var t Talk
	if k.talks(s) {
		t = k.talkOf(s)
	}
	n, e := s.transport.recv(k, s, p, peek)
	if k.talks(s) && !peek {
		k.tell(t, Reads, p[:max(n, 0)], e)
	}
	r = Received{N: n, Size: n}
	if e != 0 {
		return r, e
	}
	if n > 0 && !peek {
		s.consume(incoming)
	}
	if len(s.cuts) > 0 { // what does not fit is lost
		r.Size = s.cuts[0]
	}
	if s.domain == linux.AF_UNIX && (n > 0 || len(s.cuts) > 0) && s.remote.name != "" { // a packet may be empty
		r.From = s.remote.encode(s.domain)
	}
	if peek || s.distant() { // the cache knows how much was read
		return r, 0
	}
	if len(s.cuts) > 0 {
		s.cuts = s.cuts[1:]
	}
	far, ok := s.far.(*socket)
	k.receives(n, ok && far.k.Process < s.k.Process)
	full := s.room(k) <= 0
	s.in = s.in[r.Size:]
	freed := s.free(r.Size)
	if r.Size > 0 && s.far != nil {
		s.far.drained(k, full || freed)
	}
	return r, 0
}

// free takes bytes that were read off the chunks, and reports whether that has freed
// one: Linux has a buffer for each in the Unix domain, and says so when it is free.
func (s *socket) free(n int) bool {
	if s.domain != linux.AF_UNIX || s.kind == linux.SOCK_SEQPACKET {
		return s.domain == linux.AF_UNIX
	}
	freed := false
	for len(s.chunks) > 0 && s.chunks[0] <= n {
		n -= s.chunks[0]
		s.chunks, freed = s.chunks[1:], true
	}
	if n > 0 && len(s.chunks) > 0 {
		s.chunks = slices.Clone(s.chunks)
		s.chunks[0] -= n
	}
	return freed
}

func (s *socket) Write(d *process.Desc, p []byte) (int, linux.Errno) {
	s.k.touchSocket(s)
	return s.send(s.k, p, d.Flags&linux.O_NONBLOCK == 0)
}

// sendFar hands bytes to the far end, as many as there is room for. A call that
// waits sends all or nothing, unless that is more than a connection holds. Not ok
// means that the far end has answered with a reset.
func (s *socket) sendFar(k *Stack, p []byte, all bool) (n int, ok bool, e linux.Errno) {
	room := s.far.room(k)
	if len(p) == 0 {
		return 0, true, 0
	}
	if room <= 0 || all && room < min(len(p), k.SocketBuffer) {
		return 0, true, linux.EAGAIN
	}
	n = min(room, len(p))
	return n, s.far.receive(k, p[:n]), 0
}

func (s *socket) Stat() (linux.Stat, linux.Errno) {
	return linux.Stat{Mode: linux.S_IFSOCK | 0o777, Nlink: 1, Ino: s.ino, Blksize: 4096}, 0
}

func (s *socket) Close() linux.Errno {
	k := s.k
	k.touchSocket(s)
	s.leave(k)
	if k.talks(s) {
		k.closing(s)
	}
	s.transport.close(k, s)
	s.far, s.in, s.cuts, s.chunks, s.queue, s.waiting = nil, nil, nil, nil, nil, nil
	s.dead = true
	k.net.remove(k, s)
	k.Wake(s.key)
	return 0
}

// leave takes a socket out of the waiting list of a listener.
func (s *socket) leave(k *Stack) {
	if l := s.target; l != nil {
		k.touchSocket(l)
		l.waiting = without(l.waiting, s)
		s.target = nil
	}
}

// without returns a copy of the list that lacks one socket.
func without(list []*socket, s *socket) []*socket {
	var rest []*socket
	for _, o := range list {
		if o != s {
			rest = append(rest, o)
		}
	}
	return rest
}

func (s *socket) Events() uint32 { return s.transport.events(s.k, s) }

func (s *socket) WaitKey() uint64 { return s.key }
