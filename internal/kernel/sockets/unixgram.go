package sockets

import (
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// unixGram is the transport of datagram sockets of the Unix domain. A datagram is
// never lost: who sends to a full queue waits.
type unixGram struct{ datagrams }

// maxWaiting is how many datagrams wait at a socket before it is full
// (net.unix.max_dgram_qlen). As on Linux it holds one more.
const maxWaiting = 10

func (unixGram) bind(k *Stack, s *socket, a address) linux.Errno { return unixStream{}.bind(k, s, a) }

// connect says whom the socket talks to.
func (u unixGram) connect(k *Stack, s *socket, addr []byte) linux.Errno {
	if len(addr) >= 2 && addr[0] == linux.AF_UNSPEC && addr[1] == 0 {
		return k.Refuse("ending a connection by connect (AF_UNSPEC)")
	}
	to, e := decode(s.domain, addr)
	if e != 0 {
		return e
	}
	r, e := u.find(k, s, to.name)
	if e != 0 {
		return e
	}
	if s.far != nil && s.far != endpoint(r) {
		return k.Refuse("connecting a Unix datagram socket anew")
	}
	s.far, s.remote = r, r.local
	s.state, s.phase = stateOpen, phaseConnected
	return 0
}

// find returns the socket with a name, if it takes datagrams of this one.
func (unixGram) find(k *Stack, s *socket, name string) (*socket, linux.Errno) {
	if p, ok := k.atPath(name); ok {
		return nil, k.dialPath(s, p, address{name: name})
	}
	r, e := unixStream{}.find(k, name, s.kind)
	switch {
	case e != 0:
		return nil, e
	case r.kind != s.kind:
		return nil, linux.EPROTOTYPE
	case r.far != nil && r.far != endpoint(s):
		return nil, linux.EPERM // it talks to somebody else
	}
	return r, 0
}

func (u unixGram) send(k *Stack, s *socket, p []byte, all bool) (int, linux.Errno) {
	if e := u.may(k, s, p); e != 0 {
		return 0, e
	}
	if s.state != stateOpen {
		return 0, linux.ENOTCONN
	}
	r := s.far.(*socket)
	if r.dead { // and is forgotten now, with all that has come
		datagram{by: s}.freed(k)
		s.mail = nil
		s.state, s.phase, s.far, s.remote = stateClosed, phaseUnconnected, nil, address{}
		return 0, linux.ECONNREFUSED
	}
	return u.transmit(k, s, p, r)
}

func (u unixGram) sendTo(k *Stack, s *socket, p []byte, addr []byte) (int, linux.Errno) {
	to, e := decode(s.domain, addr)
	if e == 0 && to.name == "" {
		e = linux.EINVAL
	}
	if e == 0 {
		e = u.may(k, s, p)
	}
	if e != 0 {
		return 0, e
	}
	r, e := u.find(k, s, to.name)
	if e != 0 {
		return 0, e
	}
	return u.transmit(k, s, p, r)
}

// may checks whether the socket can send at all.
func (unixGram) may(k *Stack, s *socket, p []byte) linux.Errno {
	switch {
	case len(p) > k.SocketBuffer-32:
		return linux.EMSGSIZE
	case s.err != 0:
		return s.takeError()
	case s.down&shutWrite != 0:
		return linux.EPIPE
	}
	return 0
}

// transmit delivers a datagram if there is room.
func (unixGram) transmit(k *Stack, s *socket, p []byte, r *socket) (int, linux.Errno) {
	d, e := datagram{by: s, data: p}, linux.Errno(0)
	switch {
	case r.far != nil && r.far != endpoint(s):
		e = linux.EPERM
	case r.down&shutRead != 0:
		e = linux.EPIPE
	case r != s && r.waits():
		e = linux.EAGAIN
	}
	if e != 0 {
		d.freed(k)
		return 0, e
	}
	r.post(k, d)
	return len(p), 0
}

// waits reports whether who sends a datagram to the socket has to wait.
func (s *socket) waits() bool { return len(s.mail) > maxWaiting }

func (unixGram) shutdown(k *Stack, s *socket, how shutdown) linux.Errno {
	s.down |= how
	return 0
}

func (unixGram) close(k *Stack, s *socket) {
	for _, d := range s.mail {
		d.Packet.freed(k)
	}
	s.mail, s.state = nil, stateClosed
}

// drained tells that a datagram was received. If there was no room, it wakes those who
// may wait for some: whoever sends knows his receiver, but the receiver does not know
// who sends.
func (unixGram) drained(k *Stack, s *socket, d datagram, full bool) {
	if full {
		k.Each(func(_ int, d *process.Desc) {
			if o, ok := d.File.(*socket); ok && o.kind == s.kind && o.domain == s.domain {
				events := uint32(0)
				if o != s && o.far == endpoint(s) {
					events = linux.EvOut
				}
				k.WakeFor(o.key, events)
			}
		})
	}
	d.freed(k)
}

// freed tells the sender that the datagram takes no room of his buffer any more.
func (d datagram) freed(k *Stack) { k.News(d.by.key, linux.EvWrite|linux.EvWrBand) }

func (unixGram) events(k *Stack, s *socket) uint32 {
	events := s.datagramEvents()
	if far, ok := s.far.(*socket); !ok || far.dead || !far.waits() {
		events |= linux.EvWrite | linux.EvWrBand
	}
	return events
}

func (unixGram) peer(s *socket) (address, linux.Errno) {
	if s.far == nil {
		return address{}, linux.ENOTCONN
	}
	return s.remote, 0
}
