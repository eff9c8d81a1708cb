package sockets

import (
	"github.com/heddle-mc/heddle/internal/kernel/files"
	"github.com/heddle-mc/heddle/internal/kernel/keys"
)

// AppendState writes what else a process has of the network.
func (k *Stack) AppendState(w *keys.Writer) {
	w.Flag(k.state.served)
	w.Flag(k.state.inward)
	k.AppendWeather(w)
}

// AppendWeather writes what may still happen to connections and datagrams.
func (k *Stack) AppendWeather(w *keys.Writer) {
	w.Str(k.state.udpText)
	for _, n := range k.state.faults {
		w.Num(uint64(n))
	}
}

// AppendOutside writes how far the process is with its peers.
func (k *Stack) AppendOutside(w *keys.Writer) {
	if k.Session != nil {
		for _, came := range k.state.came[:len(k.Peers)] {
			w.Flag(came)
		}
		w.B = k.Session.AppendKey(w.B)
	}
}

// appendAt writes the socket that is bound to a file: all that are open have been met.
func (k *Stack) appendAt(w *keys.Writer, id files.FileID) {
	if s := k.net.atFile(id); s != nil {
		s.AppendKey(w)
	} else {
		w.Num(0)
	}
}

// AppendKey writes a socket and those that can be reached from it: the far end of
// its connection and the connections that wait to be accepted. Who has which
// address follows from the sockets.
func (s *socket) AppendKey(w *keys.Writer) {
	if !w.First(s) {
		return
	}
	w.Num(uint64(s.domain), uint64(s.kind), uint64(s.protocol), uint64(s.state), uint64(s.phase), uint64(s.noticed))
	s.local.appendKey(w)
	s.remote.appendKey(w)
	w.Flag(s.held)
	w.Flag(s.lock.ip)
	w.Flag(s.lock.port)
	w.Num(uint64(len(s.options)))
	for _, o := range s.options {
		w.Num(uint64(o.name.level), uint64(o.name.num), uint64(uint32(o.value)))
	}
	w.Flag(s.linger.on)
	w.Num(uint64(uint32(s.linger.seconds)), uint64(s.err), uint64(s.down))
	w.Flag(s.fin)
	w.Str(string(s.in))
	for _, list := range [][]int{s.cuts, s.chunks} {
		w.Num(uint64(len(list)))
		for _, n := range list {
			w.Num(uint64(n))
		}
	}
	w.Num(uint64(len(s.mail)))
	for _, x := range s.mail {
		d := x.Packet
		w.Num(uint64(x.Left), uint64(x.Window))
		d.sender().appendKey(w)
		if d.by != nil && !d.by.dead && !w.Near { // it may get another name
			d.by.AppendKey(w)
		}
		w.Str(string(d.data))
		if s.flag(ipPktinfo) || s.flag(ipv6RecvPktinfo) {
			address{ip: d.to}.appendKey(w)
		}
	}
	w.Num(uint64(len(s.groups)))
	for _, g := range s.groups {
		address{ip: g}.appendKey(w)
	}
	w.Num(uint64(len(s.lines)))
	for i := range s.lines {
		s.k.appendLine(w, &s.lines[i])
	}
	if far, ok := s.far.(*socket); ok && far.dead {
		w.Num(0, 1)
	} else if ok && w.Near {
		w.Num(0, 2)
	} else if ok {
		far.AppendKey(w)
	} else if s.distant() {
		w.B = s.k.Session.AppendConn(append(w.B, 1), s.conn)
	} else {
		w.Num(0)
	}
	w.Num(uint64(s.backlog))
	appendSockets(w, s.queue)
	appendSockets(w, s.waiting)
}

func (k *Stack) appendLine(w *keys.Writer, l *line) {
	l.remote.appendKey(w)
	w.B = k.Session.AppendConn(w.B, l.conn)
	w.Num(uint64(len(l.in)))
	for _, x := range l.in {
		w.Num(uint64(x.Left), uint64(x.Window), uint64(x.Packet.from.port))
		w.Str(string(x.Packet.data))
	}
	w.Num(uint64(len(l.out)))
	for _, x := range l.out {
		w.Num(uint64(x.Left), uint64(x.Window))
		w.Str(string(x.Packet))
	}
}

func appendSockets(w *keys.Writer, list []*socket) {
	w.Num(uint64(len(list)))
	for _, s := range list {
		s.AppendKey(w)
	}
}

func (a address) appendKey(w *keys.Writer) {
	var room [32]byte
	ip, _ := a.ip.AppendBinary(room[:0])
	w.Num(uint64(len(ip)))
	w.B = append(w.B, ip...)
	w.Num(uint64(a.port))
	w.Str(a.name)
}
