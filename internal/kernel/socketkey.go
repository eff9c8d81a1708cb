package kernel

// socket writes a socket and those that can be reached from it: the far end of
// its connection and the connections that wait to be accepted. Who has which
// address follows from the sockets.
func (e *encoder) socket(s *socket) {
	if !e.first(s) {
		return
	}
	e.num(uint64(s.domain), uint64(s.kind), uint64(s.protocol), uint64(s.state), uint64(s.phase), uint64(s.known))
	e.address(s.local)
	e.address(s.remote)
	e.flag(s.held)
	e.flag(s.lock.ip)
	e.flag(s.lock.port)
	e.num(uint64(len(s.options)))
	for _, o := range s.options {
		e.num(uint64(o.name.level), uint64(o.name.num), uint64(uint32(o.value)))
	}
	e.flag(s.linger.on)
	e.num(uint64(uint32(s.linger.seconds)), uint64(s.err), uint64(s.down))
	e.flag(s.fin)
	e.str(string(s.in))
	for _, list := range [][]int{s.cuts, s.chunks} {
		e.num(uint64(len(list)))
		for _, n := range list {
			e.num(uint64(n))
		}
	}
	e.num(uint64(len(s.mail)))
	for _, x := range s.mail {
		d := x.Packet
		e.num(uint64(x.Left), uint64(x.Window))
		e.address(d.sender())
		if d.by != nil && !d.by.dead && !e.near { // it may get another name
			e.socket(d.by)
		}
		e.str(string(d.data))
		if s.flag(ipPktinfo) || s.flag(ipv6RecvPktinfo) {
			e.address(address{ip: d.to})
		}
	}
	e.num(uint64(len(s.groups)))
	for _, g := range s.groups {
		e.address(address{ip: g})
	}
	e.num(uint64(len(s.lines)))
	for i := range s.lines {
		e.line(&s.lines[i])
	}
	if far, ok := s.far.(*socket); ok && far.dead {
		e.num(0, 1)
	} else if ok && e.near {
		e.num(0, 2)
	} else if ok {
		e.socket(far)
	} else if s.distant() {
		e.b = e.k.Session.AppendConn(append(e.b, 1), s.conn)
	} else {
		e.num(0)
	}
	e.num(uint64(s.backlog))
	e.sockets(s.queue)
	e.sockets(s.waiting)
}

func (e *encoder) line(l *line) {
	e.address(l.remote)
	e.b = e.k.Session.AppendConn(e.b, l.conn)
	e.num(uint64(len(l.in)))
	for _, x := range l.in {
		e.num(uint64(x.Left), uint64(x.Window), uint64(x.Packet.from.port))
		e.str(string(x.Packet.data))
	}
	e.num(uint64(len(l.out)))
	for _, x := range l.out {
		e.num(uint64(x.Left), uint64(x.Window))
		e.str(string(x.Packet))
	}
}

func (e *encoder) sockets(list []*socket) {
	e.num(uint64(len(list)))
	for _, s := range list {
		e.socket(s)
	}
}

func (e *encoder) address(a address) {
	var room [32]byte
	ip, _ := a.ip.AppendBinary(room[:0])
	e.num(uint64(len(ip)))
	e.b = append(e.b, ip...)
	e.num(uint64(a.port))
	e.str(a.name)
}
