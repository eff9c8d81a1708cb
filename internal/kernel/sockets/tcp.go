package sockets

import (
	"fmt"
	"net/netip"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// tcp is the transport of stream sockets of the internet. The rules are those of
// Linux over its loopback interface, where each segment is answered at once.
type tcp struct{}

func (tcp) bind(k *Stack, s *socket, a address) linux.Errno {
	switch {
	case a.ip.Is4() && s.domain == linux.AF_INET6 && s.only6():
		return linux.EINVAL
	case !isLocal(a.ip) && !(s.kind == linux.SOCK_DGRAM && a.ip.IsMulticast()):
		return linux.EADDRNOTAVAIL
	case a.port != 0 && a.port < privileged && k.UID != 0:
		return linux.EACCES
	case s.state != stateClosed || s.held:
		return linux.EINVAL
	}
	lock := bindLock{ip: !a.ip.IsUnspecified(), port: a.port != 0}
	switch {
	case a.port == 0:
		if a.port = k.net.freePort(s.kind, k.firstPort()+forBind, 0); a.port == 0 {
			return linux.EADDRINUSE
		}
	case k.net.taken(s, a):
		s.local.ip = netip.Addr{} // it may have kept one of an attempt to connect
		return linux.EADDRINUSE
	}
	s.local, s.held, s.lock = a, true, lock
	if lock.ip && a.ip.Is6() {
		s.set(ipv6Only, 1)
	}
	k.net.add(k, s)
	return 0
}

func (t tcp) listen(k *Stack, s *socket, backlog int) linux.Errno {
	if s.phase != phaseUnconnected || s.state != stateClosed && s.state != stateListening {
		return linux.EINVAL
	}
	s.backlog = backlog
	if s.state == stateListening {
		return 0
	}
	if !s.held {
		a := address{ip: anyOf(s.domain)}
		if s.lock.ip {
			a.ip = s.local.ip
		}
		if e := t.bind(k, s, a); e != 0 {
			return e
		}
	}
	if k.net.taken(s, s.local) {
		return linux.EADDRINUSE
	}
	for _, o := range k.net.named {
		if o.state == stateListening && o.local == s.local {
			return k.Refuse(fmt.Sprintf("several listeners at %v (SO_REUSEPORT)", s.local))
		}
	}
	if s.down != 0 {
		return k.Refuse("listening at a socket that was shut down")
	}
	s.state = stateListening
	return 0
}

// connect follows inet_stream_connect of Linux. The answer to the request is
// looked at only after the call, which is why the first one never succeeds.
func (t tcp) connect(k *Stack, s *socket, addr []byte) linux.Errno {
	switch s.phase {
	case phaseConnected:
		return linux.EISCONN
	case phaseEnding:
		return linux.EINVAL
	case phaseUnconnected:
		if s.state != stateClosed {
			return linux.EISCONN
		}
		to, e := t.destination(k, s, addr)
		if e != 0 {
			return e
		}
		if s.down != 0 {
			return k.Refuse("connecting a socket that was shut down")
		}
		if e := t.source(k, s, to); e != 0 {
			return e
		}
		s.phase = phaseConnecting
		t.request(k, s)
		return linux.EINPROGRESS
	}
	switch s.state {
	case stateSent:
		return linux.EALREADY
	case stateClosed:
		e := s.takeError()
		if e == 0 {
			e = linux.ECONNABORTED
		}
		s.disconnect(k)
		k.Wake(s.key) // Linux reports the end of the attempt once more
		return e
	}
	s.phase = phaseConnected
	return 0
}

// destination checks the address to connect to.
func (tcp) destination(k *Stack, s *socket, addr []byte) (to address, e linux.Errno) {
	if len(addr) >= 2 && addr[0] == linux.AF_UNSPEC && addr[1] == 0 {
		return to, k.Refuse("ending a connection by connect (AF_UNSPEC)")
	}
	to, e = decode(s.domain, addr)
	switch {
	case e != 0:
		return to, e
	case to.ip == any4 && s.lock.ip && s.local.ip.Is4():
		to.ip = s.local.ip // the machine itself, at the address that is known of it
	case to.ip == any4, to.ip == any6 && s.lock.ip && s.local.ip.Is4():
		to.ip = loopback4
	case to.ip == any6:
		to.ip = loopback6
	}
	switch {
	case to.ip.Is4() && s.domain == linux.AF_INET6 && s.only6():
		return to, linux.ENETUNREACH
	case !k.near(to.ip):
		k.notes(false, "tcp", to)
		return to, k.Refuse(fmt.Sprintf("connection to %v, which is outside the modelled machine (-host %v=PEER says who is there)", to, to.ip))
	case s.lock.ip && s.local.ip.Is4() && to.ip.Is6() && s.domain == linux.AF_INET6:
		return to, linux.EAFNOSUPPORT // it is bound to an address of IPv4
	case s.lock.ip && s.local.ip.Is4() != to.ip.Is4():
		return to, k.Refuse(fmt.Sprintf("connection from %v to %v", s.local, to))
	}
	return to, 0
}

// source chooses the address that the connection begins at.
func (tcp) source(k *Stack, s *socket, to address) linux.Errno {
	from := s.local
	if !s.lock.ip {
		from.ip = loopback4
		if to.ip.Is6() {
			from.ip = loopback6
		}
	}
	if !s.held {
		if from.port = k.net.freePort(s.kind, k.firstPort()+forConnect, to.port); from.port == 0 {
			return linux.EADDRNOTAVAIL
		}
	} else if k.net.connected(s, from, to) {
		return linux.EADDRNOTAVAIL
	}
	s.local, s.remote, s.held = from, to, true
	k.net.add(k, s)
	return 0
}

// request asks for a connection and has the answer, if there is one.
func (tcp) request(k *Stack, s *socket) {
	l := k.net.listener(s.remote)
	if k.home(s.remote.ip) != "" {
		l = nil
	}
	switch {
	case l == nil && s.local == s.remote: // both ends open at once, and both are this one
		s.state, s.far = stateOpen, s
	case l == nil:
		k.call(s)
	case l.full():
		s.state, s.target = stateSent, l
		k.touchSocket(l)
		l.waiting = append(l.waiting, s)
	default:
		k.touchSocket(l)
		k.establish(s, l)
	}
	k.Wake(s.key)
}

// refused ends the attempt to connect.
func (s *socket) refused(k *Stack) {
	s.over()
	s.target, s.err, s.down = nil, linux.ECONNREFUSED, shutBoth
	k.Wake(s.key)
}

// over makes a socket closed. It loses a port that the kernel has chosen, though
// it still knows the number.
func (s *socket) over() {
	s.state = stateClosed
	if !s.lock.port {
		s.held = false
	}
}

// disconnect makes a socket usable again after a failure.
func (s *socket) disconnect(k *Stack) {
	if s.state != stateClosed {
		s.over()
	}
	s.phase, s.down, s.fin = phaseUnconnected, 0, false
	s.remote, s.in, s.far = address{}, nil, nil
	if !s.lock.ip {
		s.local.ip = netip.Addr{}
		if s.held { // by a call of bind since the connection was lost: the port is its own at any address
			s.local.ip = anyOf(s.domain)
		}
	}
}

func (tcp) send(k *Stack, s *socket, p []byte, all bool) (int, linux.Errno) {
	switch {
	case s.err != 0:
		return 0, s.takeError()
	case s.state == stateSent:
		return 0, linux.EAGAIN
	case s.state != stateOpen || s.down&shutWrite != 0:
		return 0, linux.EPIPE
	case s.far != nil:
		n, ok, e := s.sendFar(k, p, all)
		if !ok {
			s.broken(k)
		}
		return n, e
	case len(p) > 0: // the far end is closed and answers with a reset
		s.broken(k)
	}
	return min(len(p), k.SocketBuffer), 0
}

// farSent resets a connection on which bytes come though the program has shut it
// down in both directions.
func (tcp) farSent(k *Stack, s *socket) bool {
	if s.down == shutBoth {
		s.broken(k)
		return false
	}
	return true
}

func (tcp) recv(k *Stack, s *socket, p []byte, peek bool) (int, linux.Errno) {
	switch {
	case s.state == stateListening:
		return 0, linux.ENOTCONN
	case len(s.in) > 0:
		return copy(p, s.in), 0
	case s.fin:
		return 0, 0
	case s.err != 0:
		return 0, s.takeError()
	case s.down&shutRead != 0:
		return 0, 0
	case s.state == stateClosed:
		return 0, linux.ENOTCONN
	}
	return 0, linux.EAGAIN
}

func (t tcp) shutdown(k *Stack, s *socket, how shutdown) linux.Errno {
	if s.phase == phaseConnecting {
		s.phase = phaseEnding
		if s.state == stateOpen {
			s.phase = phaseConnected
		}
	}
	switch s.state {
	case stateClosed:
		s.down |= how
		return linux.ENOTCONN
	case stateListening:
		if how&shutRead != 0 {
			t.unlisten(k, s)
			s.disconnect(k)
		}
		return 0
	case stateSent:
		s.leave(k)
		s.disconnect(k)
		return 0
	}
	first := s.down&shutWrite == 0
	s.down |= how
	if how&shutWrite != 0 && first {
		t.finish(k, s)
	}
	return 0
}

// finish tells the far end that there will be no more bytes. A connection that
// is finished in both directions is over.
func (tcp) finish(k *Stack, s *socket) {
	if s.far != nil {
		s.far.shut(k, shutWrite)
	}
	if s.fin {
		s.over()
	}
}

func (tcp) farShut(k *Stack, s *socket, how shutdown) {
	if how&shutWrite == 0 || s.state != stateOpen {
		return
	}
	if s.down&shutWrite != 0 {
		s.over()
	}
	s.fin = true
	s.down |= shutRead
}

func (tcp) farGone(k *Stack, s *socket, reset bool) {
	if reset {
		s.broken(k)
	}
}

// broken ends a connection that the far end has reset.
func (s *socket) broken(k *Stack) {
	if s.state != stateOpen {
		return
	}
	s.err = linux.ECONNRESET
	if s.fin && s.down&shutWrite == 0 {
		s.err = linux.EPIPE
	}
	s.over()
	s.down, s.far = shutBoth, nil
	k.Wake(s.key)
}

// close ends a connection in order, or by a reset if bytes are lost by it or the
// program wants it so.
func (t tcp) close(k *Stack, s *socket) {
	switch {
	case s.state == stateListening:
		t.unlisten(k, s)
	case s.state == stateOpen && s.far != nil && s.far != endpoint(s):
		reset := len(s.in) > 0 || s.linger.on && s.linger.seconds == 0
		if !reset && s.down&shutWrite == 0 {
			s.far.shut(k, shutWrite)
		}
		s.far.gone(k, reset)
	case s.far != nil && s.far != endpoint(s):
		s.far.gone(k, false)
	}
	s.state = stateClosed
}

// unlisten resets the connections that nobody has accepted.
func (tcp) unlisten(k *Stack, s *socket) {
	for _, child := range s.queue {
		if child.far != nil {
			child.far.gone(k, true)
		}
		k.net.remove(k, child)
	}
	for _, w := range s.waiting {
		k.touchSocket(w)
		w.refused(k)
	}
	s.queue, s.waiting = nil, nil
}

// events follows tcp_poll of Linux.
func (tcp) events(k *Stack, s *socket) (events uint32) {
	if s.state == stateListening {
		if len(s.queue) > 0 || len(k.callers(s)) > 0 {
			return linux.EvRead
		}
		return 0
	}
	if s.down == shutBoth || s.state == stateClosed {
		events |= linux.EvHup
	}
	if s.down&shutRead != 0 {
		events |= linux.EvRead | linux.EvRdHup
	}
	if s.state != stateSent {
		if len(s.in) > 0 {
			events |= linux.EvRead
		}
		if s.down&shutWrite != 0 || s.far == nil || s.far.room(k) > 0 {
			events |= linux.EvWrite
		}
	}
	if s.err != 0 {
		events |= linux.EvErr
	}
	return events
}

func (tcp) peer(s *socket) (address, linux.Errno) {
	if s.state != stateOpen {
		return address{}, linux.ENOTCONN
	}
	return s.remote, 0
}
