package sockets

import (
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// SetOwner notes who owns the socket.
func (s *socket) SetOwner(o process.Owner) {
	s.k.touchSocket(s)
	s.owner = o
}

// Others are the owners of the far end of the connection.
func (s *socket) Others(list []process.Owner, near bool) ([]process.Owner, bool) {
	if near && (s.state == stateOpen || s.kind == linux.SOCK_DGRAM) && !s.distant() {
		return list, false
	}
	return s.farOwners(s.k, list)
}

// FarOwners lists the owners of the far end of a connection alone. The near end need not
// have one yet.
func (k *Stack) FarOwners(list []process.Owner, fd int) (owners []process.Owner, all bool) {
	s, d, e := k.socket(fd)
	if e != 0 || d.Owner == process.Several {
		return list, true
	}
	return s.farOwners(k, list)
}

// Streams reports whether behind a descriptor is one end of a stream.
func (k *Stack) Streams(fd int) bool {
	s, _, e := k.socket(fd)
	return e == 0 && s.kind == linux.SOCK_STREAM && s.state != stateListening
}

// AnyListens reports whether a socket of the internet listens.
func (k *Stack) AnyListens() bool { return k.listeners() > 0 }

func (s *socket) farOwners(k *Stack, list []process.Owner) ([]process.Owner, bool) {
	switch {
	case s.kind == linux.SOCK_DGRAM:
		if s.outward(k) {
			return list, k.anyEntangled()
		}
		if o := k.net.only(s); o != nil {
			return k.whose(list, o)
		}
		return list, true // it may send to anybody, or anybody to it
	case s.distant():
		return list, k.entangled(s)
	}
	far, ok := s.far.(*socket)
	switch {
	case s.state == stateListening:
		all := len(k.Peers) > 0 && k.listeners() > 1
		for _, w := range append([]*socket{s}, s.waiting...) {
			var more bool
			list, more = k.whose(list, w)
			all = all || more
		}
		return list, all
	case !ok || far == s:
		return list, s.state == stateSent
	}
	return k.whose(list, far)
}

// whose appends the owners of a socket, as far as they are known.
func (k *Stack) whose(list []process.Owner, s *socket) ([]process.Owner, bool) {
	if o := s.whose(); o.Known() {
		return append(list, o), false
	}
	return list, true
}

// whose returns the owner of a socket, as far as known.
func (s *socket) whose() process.Owner {
	if s.at != nil {
		return s.at.whose()
	}
	if s.owner == (process.Owner{}) && s.creator != "" {
		return process.Owner{Process: s.k.Process, Creator: s.creator}
	}
	return s.owner
}

// ReadsNear reports whether a call that reads up to size bytes from a descriptor
// concerns the near end alone: the far end has room anyway, and whatever it sends
// the call gets as many bytes as it does now.
func (k *Stack) ReadsNear(fd, size int) bool {
	s, _, e := k.socket(fd)
	if e == 0 && s.kind == linux.SOCK_DGRAM {
		return k.receivesNear(s)
	}
	return e == 0 && s.state == stateOpen && len(s.in) < k.SocketBuffer/2 && (s.fin || len(s.in) >= size)
}

// receivesNear is ReadsNear for datagrams: the first one is all that matters, and
// there is room for others.
func (k *Stack) receivesNear(s *socket) bool {
	if len(s.mail) == 0 || s.domain == linux.AF_UNIX || k.state.udp.Receive.Places() > 1 || s.crowded(k, k.SocketBuffer/2) {
		return false
	}
	for _, x := range s.mail {
		if x.Window > 1 {
			return false
		}
	}
	return true
}

// only returns the socket that is connected with another one of datagrams such that
// neither gets datagrams from anybody else, nil if there is none.
func (n *network) only(s *socket) *socket {
	if s.state != stateOpen || !internet(s.domain) || s.shared() {
		return nil
	}
	var far *socket
	for _, o := range n.named {
		if o == s || o.kind != s.kind || !internet(o.domain) || o.local.port != s.remote.port && o.local.port != s.local.port {
			continue
		}
		if far != nil || o.state != stateOpen || o.local != s.remote || o.remote != s.local || o.shared() {
			return nil
		}
		far = o
	}
	return far
}

// shared reports whether another socket may have the same address.
func (s *socket) shared() bool { return s.flag(soReuseAddr) || s.flag(soReusePort) }

// listeners counts the sockets that accept connections.
func (k *Stack) listeners() int {
	n := 0
	for _, s := range k.net.named {
		if s.state == stateListening {
			n++
		}
	}
	return n
}

// ConnectOwners is Owners for a call that connects a socket, which nobody knows
// but who makes the call. Whoever knows the address may connect to it as well.
func (k *Stack) ConnectOwners(list []process.Owner, fd int, addr []byte) (owners []process.Owner, all bool) {
	s, _, e := k.socket(fd)
	if e == 0 && s.kind == linux.SOCK_DGRAM && internet(s.domain) && s.phase == phaseUnconnected {
		to, e := decode(s.domain, addr)
		return list, e != 0 || k.anyEntangled() || !k.leads(s, to) || k.net.receiver(to, s.local) != nil
	}
	if e != 0 || s.domain == linux.AF_UNIX || s.kind != linux.SOCK_STREAM {
		return list, true
	}
	if s.phase != phaseUnconnected {
		return s.farOwners(k, list)
	}
	to, e := decode(s.domain, addr)
	if e != 0 {
		return list, true
	}
	if to.ip.IsUnspecified() {
		to.ip = loopback4
	}
	if k.net.listener(to) != nil {
		return list, true // others may connect there, who comes first matters
	}
	p, _, outside := k.server(to)
	return list, !outside || p.Whole
}

// Listens reports whether a descriptor is that of a socket which accepts
// connections.
func (k *Stack) Listens(fd int) bool {
	s, _, e := k.socket(fd)
	return e == 0 && s.state == stateListening
}

// Binds reports whether behind a descriptor is a socket that keeps a port or a name from
// others which the program has chosen, so that others may choose it too. Of a port that
// the kernel has chosen nobody is taken to know.
func (k *Stack) Binds(fd int) bool {
	s, _, e := k.socket(fd)
	return e == 0 && s.binds()
}

func (s *socket) binds() bool {
	if s.domain == linux.AF_UNIX {
		return s.held && s.local.name != ""
	}
	return s.held && s.lock.port
}

// CreatorOf returns who alone knows a socket as long as nobody owns it, "" if anybody may or it is no socket.
func (k *Stack) CreatorOf(fd int) string {
	if s, _, e := k.socket(fd); e == 0 {
		return s.creator
	}
	return ""
}
