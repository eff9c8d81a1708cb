package kernel

import "syscall"

// Datagrams come from anybody who knows an address. Who sends to which port is assumed as
// the users of numbers are: a port counts as a number below all others.

// PortNumber is the number that stands for a port of datagrams.
func PortNumber(port uint16) int { return -2 - int(port) }

// SendsTo returns the port of this network to which a call sends a datagram, if it
// does and there are no peers outside: to an address or, if there is none, to whom its socket is connected with.
func (k *Kernel) SendsTo(fd int, to []byte) (port uint16, ok bool) {
	s, _, e := k.socket(fd)
	if e != 0 || s.kind != syscall.SOCK_DGRAM || !internet(s.domain) || len(k.Peers) > 0 {
		return 0, false
	}
	a := s.remote
	if to != nil {
		if a, e = decode(s.domain, to); e != 0 {
			return 0, false
		}
	}
	return a.port, a.port != 0
}

// SendOwners is Owners for a call that sends a datagram to an address.
func (k *Kernel) SendOwners(list []Owner, fd int, to []byte) ([]Owner, bool) {
	s, _, e := k.socket(fd)
	if e != 0 || !k.outside.lends || !k.plainMail(s) {
		return k.Owners(list, fd, false)
	}
	a, e := decode(s.domain, to)
	if e != 0 {
		return list, true
	}
	list, all := k.knowers(list, same(s))
	list, more := k.mailbox(list, s, a)
	return list, all || more
}

// plainMail reports whether a socket is one whose datagrams go from one socket of this
// network to another one.
func (k *Kernel) plainMail(s *socket) bool {
	return s.kind == syscall.SOCK_DGRAM && internet(s.domain) && len(k.Peers) == 0 && s.held && len(s.groups) == 0 && !s.shared()
}

// mailbox appends who may look at, or send to, the socket that gets a datagram.
func (k *Kernel) mailbox(list []Owner, from *socket, to address) ([]Owner, bool) {
	if to.ip.IsUnspecified() || to.ip.IsMulticast() {
		return list, true
	}
	r := k.net.receiver(to, from.local)
	if r == nil || !k.plainMail(r) {
		return list, true
	}
	list, all := k.knowers(list, same(r))
	return k.senders(list, r), all
}

// senders appends those who send to a socket.
func (k *Kernel) senders(list []Owner, s *socket) []Owner {
	for _, p := range k.processes() {
		list = append(list, Owner{Process: p.Process, FD: PortNumber(s.local.port) + 1})
	}
	return list
}

// lentMail is farOwners for a socket of datagrams where it is known who sends to which
// port: those who send to it and, if it is connected, what it sends to.
func (k *Kernel) lentMail(list []Owner, s *socket) ([]Owner, bool) {
	list = k.senders(list, s)
	if s.state == stateOpen {
		return k.mailbox(list, s, s.remote)
	}
	return list, false
}
