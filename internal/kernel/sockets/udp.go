package sockets

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// udp is the transport of datagram sockets of the internet. Over the modelled
// loopback a datagram arrives at once or, if the receiver has no room for it, not
// at all. If there is no receiver, a sender that is connected to that address gets
// an error at its next call. A question to the name server is understood, so that
// it can be refused by the name that it is about.
type udp struct{ datagrams }

// Ports that mean something here.
const (
	discardPort = 9
	domainPort  = 53
)

// Most bytes that fit in a datagram.
const (
	maxUDP4 = 65507
	maxUDP6 = 65527
)

func (udp) bind(k *Stack, s *socket, a address) linux.Errno {
	e := tcp{}.bind(k, s, a)
	if e == 0 && a.port != 0 {
		k.notes(true, "udp", a)
	}
	if e == 0 && k.Joined() && !k.state.served {
		k.touchState()
		k.state.served = true
	}
	return e
}

// connect says whom the socket talks to, or with AF_UNSPEC that it talks to
// everybody.
func (u udp) connect(k *Stack, s *socket, addr []byte) linux.Errno {
	if len(addr) >= 2 && addr[0] == linux.AF_UNSPEC && addr[1] == 0 {
		u.disconnect(k, s)
		return 0
	}
	to, e := decode(s.domain, addr)
	if e := u.autobind(k, s, to.port); e != 0 {
		return e
	}
	if e == 0 {
		to, e = u.destination(k, s, to)
	}
	if e != 0 {
		return e
	}
	if !s.lock.ip {
		s.local.ip = sourceFor(to.ip)
	}
	s.remote, s.state, s.phase = to, stateOpen, phaseConnected
	return 0
}

// disconnect forgets whom the socket talks to, and what it has not chosen itself
// of its own address.
func (udp) disconnect(k *Stack, s *socket) {
	s.remote, s.state, s.phase = address{}, stateClosed, phaseUnconnected
	if !s.lock.ip {
		s.local.ip = anyOf(s.domain)
	}
	if !s.lock.port {
		s.local.port, s.held = 0, false
	}
}

// anyOf is the address of a socket that has chosen none.
func anyOf(domain int) netip.Addr {
	if domain == linux.AF_INET6 {
		return any6
	}
	return any4
}

// sourceFor is the address that is used for datagrams to another one.
func sourceFor(to netip.Addr) netip.Addr {
	if to.Is6() {
		return loopback6
	}
	return loopback4
}

// destination checks where a datagram is to go.
func (udp) destination(k *Stack, s *socket, to address) (address, linux.Errno) {
	switch {
	case to.ip == any4 && s.lock.ip && s.local.ip.Is4():
		to.ip = s.local.ip
	case to.ip == any4, to.ip == any6 && s.lock.ip && s.local.ip.Is4():
		to.ip = loopback4
	case to.ip == any6:
		to.ip = loopback6
	}
	switch {
	case to.ip.Is4() && s.domain == linux.AF_INET6 && s.only6():
		return to, linux.ENETUNREACH
	case k.leads(s, to), to.ip.IsMulticast():
		return to, 0
	case !k.near(to.ip) && to.port == discardPort:
		return to, linux.ENETUNREACH // package net asks whether there is a way
	case !k.near(to.ip) && to.port != domainPort:
		k.notes(false, "udp", to)
		return to, k.Refuse(fmt.Sprintf("datagram to %v, which is outside the modelled machine (-host %v=PEER says who is there)", to, to.ip))
	case s.lock.ip && s.local.ip.Is4() != to.ip.Is4():
		return to, k.Refuse(fmt.Sprintf("datagram from %v to %v", s.local, to))
	}
	return to, 0
}

// autobind gives a socket a port if it has none, as the first thing that sending
// and connecting do. It is not the one to which the socket is to send.
func (udp) autobind(k *Stack, s *socket, not uint16) linux.Errno {
	if s.held {
		return 0
	}
	port := k.net.freePort(s.kind, k.firstPort()+forConnect, not)
	if port == 0 {
		return linux.EAGAIN
	}
	s.local.port, s.held = port, true
	if !s.local.ip.IsValid() {
		s.local.ip = anyOf(s.domain)
	}
	k.net.add(k, s)
	return 0
}

func (u udp) send(k *Stack, s *socket, p []byte, all bool) (int, linux.Errno) {
	if e := u.autobind(k, s, 0); e != 0 {
		return 0, e
	}
	switch {
	case len(p) > 0xffff && s.domain == linux.AF_INET:
		return 0, linux.EMSGSIZE
	case s.state != stateOpen:
		return 0, linux.EDESTADDRREQ
	}
	return u.transmit(k, s, p, s.remote)
}

// sendTo sends to an address, whether or not the socket is connected.
func (u udp) sendTo(k *Stack, s *socket, p []byte, addr []byte) (int, linux.Errno) {
	to, e := decode(s.domain, addr)
	if e := u.autobind(k, s, to.port); e != 0 {
		return 0, e
	}
	switch {
	case e != 0:
		return 0, e
	case to.port == 0:
		return 0, linux.EINVAL
	}
	if to, e = u.destination(k, s, to); e != 0 {
		return 0, e
	}
	return u.transmit(k, s, p, to)
}

// transmit delivers a datagram, if somebody is there.
func (u udp) transmit(k *Stack, s *socket, p []byte, to address) (int, linux.Errno) {
	if len(p) > maxUDP6 || len(p) > maxUDP4 && to.ip.Is4() {
		return 0, linux.EMSGSIZE
	}
	switch {
	case s.err != 0:
		return 0, s.takeError()
	case s.down&shutWrite != 0:
		return 0, linux.EPIPE
	}
	k.met.datagrams = true
	from := s.local
	switch {
	case k.source.IsValid():
		from.ip = k.source
	case from.ip.IsUnspecified():
		from.ip = sourceFor(to.ip)
	}
	k.source = netip.Addr{}
	k.News(s.key, linux.EvWrite|linux.EvWrBand) // Linux frees the send buffer at once, whether or not somebody is there
	if to.ip.IsMulticast() {
		k.sendsTo(k.Process)
		k.transmitAll(s, p, to, from)
		return len(p), 0
	}
	r := k.receiver(to, from)
	if r == nil && k.leads(s, to) {
		k.depart(s, p, to)
		return len(p), 0
	}
	switch {
	case r == nil && to.port == domainPort && questionOf(p) != "":
		k.notes(false, "name", address{name: questionOf(p)})
		return 0, k.Refuse(fmt.Sprintf("looking up the name %s, which is not in the modelled /etc/hosts (-host %s=PEER says where it is)", questionOf(p), questionOf(p)))
	case r == nil && to.port == domainPort:
		return 0, k.Refuse(fmt.Sprintf("datagram to %v, where a name server would be", to))
	}
	if r != nil {
		k.sendsTo(r.k.Process)
	} else {
		k.misses("udp", to)
	}
	times, window, undecided, unreachable := k.fate(s)
	switch {
	case unreachable, r == nil && s.state == stateOpen && s.remote == to:
		s.err = linux.ECONNREFUSED
		k.Wake(s.key)
		times = unreachableTimes
	case r == nil || r.crowded(k, len(p)): // it is lost
		times = 0
	case undecided:
		r.post(k, datagram{from: from, data: p, to: to.ip})
	default:
		r.postTimes(k, datagram{from: from, data: p, to: to.ip}, times, window)
	}
	if k.hears(s) {
		k.tellSent(s, to, p, times)
	}
	return len(p), 0
}

// receiver finds the socket of the machine that gets a datagram, nil if there is none or a peer is there.
func (k *Stack) receiver(to, from address) *socket {
	if k.home(to.ip) != "" {
		return nil
	}
	return k.net.receiver(to, from)
}

// receiver finds the socket that gets datagrams from one address to another: the
// one that says most precisely that it wants them.
func (n *network) receiver(to, from address) *socket {
	var best *socket
	most := 0
	for _, o := range n.named {
		if o.kind != linux.SOCK_DGRAM || o.domain == linux.AF_UNIX || !o.held || o.local.port != to.port ||
			!covers(o.local.ip, o.only6(), to.ip) || o.state == stateOpen && o.remote != from {
			continue
		}
		score := 1
		if !o.local.ip.IsUnspecified() {
			score += 4
		}
		if o.state == stateOpen {
			score += 8
		}
		if o.local.ip.Is4() == to.ip.Is4() {
			score++
		}
		if score > most {
			best, most = o, score
		}
	}
	return best
}

func (udp) shutdown(k *Stack, s *socket, how shutdown) linux.Errno {
	s.down |= how
	if s.state != stateOpen {
		return linux.ENOTCONN
	}
	return 0
}

func (udp) close(k *Stack, s *socket) {
	s.mail = nil
	k.hangUp(s)
}

func (udp) events(k *Stack, s *socket) uint32 {
	events := s.datagramEvents() | linux.EvWrite | linux.EvWrBand
	if k.Session != nil && s.hearsOutside(k) {
		events |= linux.EvRead
	}
	return events
}

func (udp) peer(s *socket) (address, linux.Errno) { return tcp{}.peer(s) }

// questionOf returns the name that a message to a name server asks for, "" if it
// is no such message.
func questionOf(p []byte) string {
	const head = 12
	if len(p) <= head || p[4] == 0 && p[5] == 0 {
		return ""
	}
	var labels []string
	for p = p[head:]; len(p) > 0 && p[0] != 0; p = p[1+int(p[0]):] {
		if n := int(p[0]); n > 63 || n >= len(p) {
			return ""
		}
		labels = append(labels, string(p[1:1+int(p[0])]))
	}
	return strings.Join(labels, ".")
}
