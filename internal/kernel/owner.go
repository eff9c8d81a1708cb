package kernel

import "syscall"

// Which calls depend on each other. A descriptor is only a number, and anybody
// may know it; but those of package net and os are each kept in one object of
// the heap, and only who can reach that object makes calls with the number. The
// object is the owner of what is behind the descriptor. The kernel knows nothing
// of heaps, so owners are numbers to it. They are no part of the state: they
// follow from what is in the heap.

// An Owner is an object of a process's heap or, before there is one, the creator
// of a descriptor, whom alone its number is known to. The zero Owner is nobody.
type Owner struct {
	Process int
	Object  uint64
	Creator string
}

// several is the owner of what has more than one number, or had until its owner last made a call.
// Each number may be kept in another object, so nobody knows who can reach them all.
var several = Owner{Process: -1}

// known reports whether it is known who owns something.
func (o Owner) known() bool { return o != Owner{} && o != several }

// Raw says whether the following calls are made by the program itself, not by a
// package that keeps descriptors in objects: then anybody may be told their numbers.
func (k *Kernel) Raw(on bool) { k.outside.raw = on }

// maker is who alone knows a descriptor that is made now, nobody if others may be
// told its number.
func (k *Kernel) maker() string {
	if k.outside.raw {
		return ""
	}
	return k.outside.who
}

// Own says who owns what is behind a descriptor.
func (k *Kernel) Own(fd int, object uint64) {
	if d, e := k.desc(fd); e == 0 && d.refs == 1 {
		k.own(d, Owner{Process: k.Process, Object: object})
	} else if e == 0 {
		k.own(d, several)
	}
}

// duplicated notes that an open file has one more number.
func (k *Kernel) duplicated(d *desc) { k.own(d, several) }

func (k *Kernel) own(d *desc, owner Owner) {
	if d.owner == owner {
		return
	}
	k.touch(d)
	d.owner = owner
	switch f := d.file.(type) {
	case *socket:
		k.touchSocket(f)
		f.owner = owner
	case *pipeEnd:
		k.touchPipe(f.pipe)
		f.pipe.owners[f.side()] = owner
	}
}

func (f *pipeEnd) side() int {
	if f.writes {
		return 1
	}
	return 0
}

// Owners appends the owners of what a call on a descriptor acts on: of the thing
// itself and, unless only the near end matters, of the far end of its connection.
// All is set if that is not known of one of them, or if they are not all that
// matters.
func (k *Kernel) Owners(list []Owner, fd int, near bool) (owners []Owner, all bool) {
	d, e := k.desc(fd)
	if e != 0 || !d.owner.known() {
		return list, true
	}
	list = append(list, d.owner)
	switch f := d.file.(type) {
	case *pipeEnd:
		other := f.pipe.owners[1-f.side()]
		if !other.known() {
			return list, true
		}
		return append(list, other), false
	case *socket:
		if near && (f.state == stateOpen || f.kind == syscall.SOCK_DGRAM) && !f.distant() {
			return list, false
		}
		return f.farOwners(k, list)
	}
	return list, false
}

// FarOwners lists the owners of the far end of a connection alone. The near end need not
// have one yet.
func (k *Kernel) FarOwners(list []Owner, fd int) (owners []Owner, all bool) {
	s, d, e := k.socket(fd)
	if e != 0 || d.owner == several {
		return list, true
	}
	return s.farOwners(k, list)
}

// Streams reports whether behind a descriptor is one end of a stream.
func (k *Kernel) Streams(fd int) bool {
	s, _, e := k.socket(fd)
	return e == 0 && s.kind == syscall.SOCK_STREAM && s.state != stateListening
}

func (s *socket) farOwners(k *Kernel, list []Owner) ([]Owner, bool) {
	switch {
	case s.kind == syscall.SOCK_DGRAM:
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
func (k *Kernel) whose(list []Owner, s *socket) ([]Owner, bool) {
	if o := s.whose(); o.known() {
		return append(list, o), false
	}
	return list, true
}

// whose returns the owner of a socket, as far as known.
func (s *socket) whose() Owner {
	if s.at != nil {
		return s.at.whose()
	}
	if s.owner == (Owner{}) && s.creator != "" {
		return Owner{Process: s.process, Creator: s.creator}
	}
	return s.owner
}

// ReadsNear reports whether a call that reads up to size bytes from a descriptor
// concerns the near end alone: the far end has room anyway, and whatever it sends
// the call gets as many bytes as it does now.
func (k *Kernel) ReadsNear(fd, size int) bool {
	s, _, e := k.socket(fd)
	if e == 0 && s.kind == syscall.SOCK_DGRAM {
		return k.receivesNear(s)
	}
	return e == 0 && s.state == stateOpen && len(s.in) < k.SocketBuffer/2 && (s.fin || len(s.in) >= size)
}

// receivesNear is ReadsNear for datagrams: the first one is all that matters, and
// there is room for others.
func (k *Kernel) receivesNear(s *socket) bool {
	if len(s.mail) == 0 || s.domain == syscall.AF_UNIX || k.self.udp.Receive.Places() > 1 || s.crowded(k, k.SocketBuffer/2) {
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
func (k *Kernel) listeners() int {
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
func (k *Kernel) ConnectOwners(list []Owner, fd int, addr []byte) (owners []Owner, all bool) {
	s, _, e := k.socket(fd)
	if e == 0 && s.kind == syscall.SOCK_DGRAM && internet(s.domain) && s.phase == phaseUnconnected {
		to, e := decode(s.domain, addr)
		return list, e != 0 || k.anyEntangled() || !k.leads(s, to) || k.net.receiver(to, s.local) != nil
	}
	if e != 0 || s.domain == syscall.AF_UNIX || s.kind != syscall.SOCK_STREAM {
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
func (k *Kernel) Listens(fd int) bool {
	s, _, e := k.socket(fd)
	return e == 0 && s.state == stateListening
}

// Named reports whether behind a descriptor is a file or a directory: others may open it by
// its name, so who can reach the descriptor says nothing about who reads and writes it.
func (k *Kernel) Named(fd int) bool {
	d, e := k.desc(fd)
	if e != 0 {
		return false
	}
	switch d.file.(type) {
	case *nodeFile, *hostBacked:
		return true
	}
	return false
}

// Binds reports whether behind a descriptor is a socket that keeps a port or a name from
// others which the program has chosen, so that others may choose it too. Of a port that
// the kernel has chosen nobody is taken to know.
func (k *Kernel) Binds(fd int) bool {
	s, _, e := k.socket(fd)
	return e == 0 && s.binds()
}

func (s *socket) binds() bool {
	if s.domain == syscall.AF_UNIX {
		return s.held && s.local.name != ""
	}
	return s.held && s.lock.port
}

// OwnsAny reports whether a descriptor of the process is kept in an object.
func (k *Kernel) OwnsAny() (any bool) {
	k.self.fds.each(func(_ int, s *slot) { any = any || s.desc.owner != Owner{} })
	return any
}

// Owned reports whether it is known who owns what is behind a descriptor.
func (k *Kernel) Owned(fd int) bool {
	d, e := k.desc(fd)
	return e == 0 && d.owner != (Owner{})
}
