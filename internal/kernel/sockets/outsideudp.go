package sockets

import (
	"slices"
	"strings"

	dg "github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A line is what a datagram socket has with one peer outside: a connection of the
// cache, over which datagrams go as frames, and what the network does to them on
// the way. Datagrams of different peers arrive in any order.
type line struct {
	remote address // of the peer, as the process calls it
	conn   iocache.Conn
	in     mail             // decided about and not yet received
	out    dg.Queue[[]byte] // the send buffer, of frames (paper 004, algorithm 3)
}

// lineTo returns the index of a socket's line to an address, -1 if it has none. A line with a
// peer is also that to the other ports of the peer.
func (k *Stack) lineTo(s *socket, to address) int {
	if i := slices.IndexFunc(s.lines, func(l line) bool { return l.remote == to }); i >= 0 || len(s.lines) == 0 {
		return i
	}
	p, ok := k.showed(to)
	if !ok {
		return -1
	}
	return slices.IndexFunc(s.lines, func(l line) bool {
		name, _ := k.Session.Name(l.conn)
		return name == p.Name
	})
}

// showed returns the peer for one of whose ports a number stands, besides the one that it was told of.
func (k *Stack) showed(to address) (Peer, bool) {
	for _, p := range k.Peers {
		if port := int(to.port); port >= p.First && port < p.First+p.Ports {
			return p, true
		}
	}
	return Peer{}, false
}

// portOf tells a port of a line, as frames do: 0 for the one that it is with.
func (l *line) portOf(to address) int {
	if to.port == l.remote.port {
		return 0
	}
	return int(to.port)
}

// datagramServer returns the peer that the process reaches with datagrams to an
// address.
func (k *Stack) datagramServer(to address) (Peer, bool) {
	if p, ok := k.showed(to); ok && !p.Client {
		return p, true
	}
	for _, p := range k.Peers {
		if p.UDP && !p.Client && (p.Port == int(to.port) || p.Port == 0) && k.lives(&p, to.ip) {
			return p, true
		}
	}
	return Peer{}, false
}

// leads reports whether datagrams to an address go outside.
func (k *Stack) leads(s *socket, to address) bool {
	if k.lineTo(s, to) >= 0 {
		return true
	}
	_, ok := k.datagramServer(to)
	return ok
}

// outward reports whether a socket talks to a peer outside and to nobody else.
func (s *socket) outward(k *Stack) bool {
	return s.kind == linux.SOCK_DGRAM && internet(s.domain) && s.state == stateOpen && k.leads(s, s.remote) && k.receiver(s.remote, s.local) == nil
}

// setLine changes a line of a socket that was prepared for change.
func (s *socket) setLine(i int, f func(*line)) {
	s.lines = slices.Clone(s.lines)
	f(&s.lines[i])
}

// reach returns the line to an address, made if there is none yet, -1 if that
// fails.
func (k *Stack) reach(s *socket, to address) int {
	if i := k.lineTo(s, to); i >= 0 {
		return i
	}
	p, _ := k.datagramServer(to)
	k.touchSession()
	k.Makes()
	creator := iocache.Datagrams
	if q, ok := k.showed(to); ok && q.Name == p.Name && p.Port != int(to.port) {
		creator += iocache.AtPort(int(to.port))
	}
	conn, _, err := k.Session.Connect(p.Name, creator+k.Caller())
	if k.fails(err) {
		return -1
	}
	k.meets(&p)
	s.lines = append(slices.Clip(s.lines), line{remote: to, conn: conn})
	slices.SortFunc(s.lines, func(a, b line) int { return strings.Compare(a.remote.String(), b.remote.String()) })
	return k.lineTo(s, to)
}

// A departure is a way in which a datagram can be sent to a peer outside.
type departure struct {
	times       int
	order       []int // what leaves the send buffer, after it has been put there
	unreachable bool
}

// departures lists the ways of a call that sends to a line, which there need not be
// yet.
func (k *Stack) departures(s *socket, i int) (list []departure) {
	var out dg.Queue[[]byte]
	if i >= 0 {
		out = s.lines[i].out
	}
	how := k.state.udp.Send
	for _, times := range how.Times() {
		for _, order := range out.Add(nil, times, how.Places()).Flush(how.Places()-1, never) {
			list = append(list, departure{times: times, order: order})
		}
	}
	if k.state.udp.Unreachable && s.state == stateOpen {
		list = append(list, departure{unreachable: true})
	}
	return list
}

// never: packets of a send buffer are all different.
func never(a, b []byte) bool { return false }

// depart sends a datagram to a peer outside.
func (k *Stack) depart(s *socket, p []byte, to address) {
	i := k.reach(s, to)
	if i < 0 {
		return
	}
	list := k.departures(s, i)
	d := list[min(k.way, len(list)-1)]
	k.way = 0
	k.outside.told = true
	times := d.times
	if d.unreachable {
		s.err, times = linux.ECONNREFUSED, unreachableTimes
		k.Wake(s.key)
	}
	if k.hears(s) {
		k.tellOutside(s, i, to, p, times)
	}
	if d.times == 0 {
		return
	}
	frame := iocache.AppendDatagram(nil, iocache.Datagram{Data: p, Port: s.lines[i].portOf(to)})
	s.setLine(i, func(l *line) { l.out = l.out.Add(frame, d.times, k.state.udp.Send.Places()) })
	k.leave(s, i, d.order)
}

// leave lets packets of a send buffer leave it in an order.
func (k *Stack) leave(s *socket, i int, order []int) {
	for _, j := range order {
		p := s.lines[i].out[j].Packet
		s.setLine(i, func(l *line) { l.out = l.out.Take(j) })
		k.touchSession()
		_, err := k.Session.Write(s.lines[i].conn, p)
		if k.fails(err) {
			return
		}
		k.outside.told = true
	}
}

// unreadMail lists the datagrams of a line that a peer has sent and that were not looked
// at yet, up to the first that is not one but an error, each with the number of frames up to it. A
// socket that is connected gets what comes from where it is connected to, and only such a
// one hears that nobody is there.
func (k *Stack) unreadMail(s *socket, l *line) (list []datagram, frames []int, refused bool) {
	stream, _, err := k.Session.Unread(l.conn)
	if k.fails(err) {
		return nil, nil, false
	}
	for n := 1; ; n++ {
		d, rest, ok := iocache.CutDatagram(stream)
		if !ok {
			return list, frames, false
		}
		stream = rest
		from := l.remote
		if d.Port != 0 {
			from.port = uint16(d.Port)
		}
		switch {
		case s.state == stateOpen && from != s.remote:
		case d.Unreachable && s.state == stateOpen:
			if len(list) == 0 {
				frames = []int{n}
			}
			return list, frames, len(list) == 0
		case !d.Unreachable:
			list, frames = append(list, datagram{from: from, data: d.Data, to: l.remote.ip}), append(frames, n)
		}
	}
}

// lineArrivals appends the ways in which a call can receive what comes over a line.
func (k *Stack) lineArrivals(list []arrival, s *socket, i int) []arrival {
	l := &s.lines[i]
	fresh, frames, refused := k.unreadMail(s, l)
	if refused && len(l.in) == 0 {
		return append(list, arrival{line: i, refused: true, used: frames[0]})
	}
	q := l.in
	for _, d := range fresh {
		q = q.Put(d)
	}
	for _, w := range q.Receive(k.state.udp.Receive, datagram.same) {
		left := 0 // those that stay where they are
		for left < len(w.Rest) && w.Rest[len(w.Rest)-1-left].Undecided() {
			left++
		}
		w.Rest = w.Rest[:len(w.Rest)-left]
		used := 0
		if n := len(fresh) - left; n > 0 {
			used = frames[n-1]
		}
		list = append(list, arrival{Way: w, line: i, used: used})
	}
	return list
}

// outsideArrivals appends the ways in which a call can receive what comes from
// outside. What is still in a send buffer goes first: nobody answers what he has not
// got (paper 004, algorithm 6, line 2).
func (k *Stack) outsideArrivals(list []arrival, s *socket) []arrival {
	for i := range s.lines {
		if out := s.lines[i].out; len(out) > 0 {
			list = nil
			for _, order := range out.Flush(0, never) {
				list = append(list, arrival{line: i, flush: order})
			}
			return list
		}
	}
	for i := range s.lines {
		if s.state != stateOpen || i == k.lineTo(s, s.remote) {
			list = k.lineArrivals(list, s, i)
		}
	}
	for _, peer := range k.datagramCallers(s) {
		list = append(list, arrival{line: -1, caller: peer + 1})
	}
	return list
}

// datagramCallers lists the clients outside that would send a socket their first
// datagram now, by their place in Peers: of each group the first that has not yet.
func (k *Stack) datagramCallers(s *socket) []int {
	if s.state == stateOpen || !s.lock.port {
		return nil
	}
	var list []int
	asked := make(map[string]bool)
	for i, p := range k.Peers {
		if !p.UDP || !p.Client || p.Port != 0 && p.Port != int(s.local.port) || asked[p.Group] && p.Group != "" || k.state.came[i] && !p.Whole {
			continue
		}
		st, err := k.Session.CanAccept(p.Name, iocache.Datagrams)
		if k.fails(err) || st == iocache.Ready {
			list = append(list, i)
			asked[p.Group] = true
		}
	}
	return list
}

// answer makes the line of a client that has sent its first datagram.
func (k *Stack) answer(s *socket, peer int) {
	k.touchSession()
	conn, st, err := k.Session.Accept(k.Peers[peer].Name, iocache.Datagrams)
	if k.fails(err) || st != iocache.Ready {
		return
	}
	k.touchState()
	k.state.came[peer] = true
	k.meets(&k.Peers[peer])
	k.outside.told = true
	ip := s.local.ip
	if ip.IsUnspecified() {
		ip = loopback4
	}
	_, name := k.Session.Name(conn)
	s.lines = append(slices.Clip(s.lines), line{remote: address{ip: ip, port: uint16(clientPort + 100*peer + name.N%100)}, conn: conn})
}

// arrive does what has to be done before a datagram of a line is handed over. It is
// not done if nothing is handed over yet, and the call is to be made again.
func (k *Stack) arrive(s *socket, w arrival) (done bool) {
	switch {
	case w.caller > 0:
		k.answer(s, w.caller-1)
		return false
	case w.flush != nil:
		k.leave(s, w.line, w.flush)
		return false
	}
	k.outside.told = true
	k.touchSession()
	for range w.used {
		stream, _, err := k.Session.Unread(s.lines[w.line].conn)
		if k.fails(err) {
			return true
		}
		_, rest, _ := iocache.CutDatagram(stream)
		if _, _, err := k.Session.Read(s.lines[w.line].conn, make([]byte, len(stream)-len(rest))); k.fails(err) {
			return true
		}
	}
	s.setLine(w.line, func(l *line) { l.in = w.Rest })
	return true
}

// hearsOutside reports whether a call that receives would find something.
func (s *socket) hearsOutside(k *Stack) bool {
	for i := range s.lines {
		l := &s.lines[i]
		if s.state == stateOpen && len(l.out) == 0 && i != k.lineTo(s, s.remote) {
			continue
		}
		if len(l.out) > 0 || len(l.in) > 0 {
			return true
		}
		if fresh, _, refused := k.unreadMail(s, l); refused || len(fresh) > 0 || k.outside.err != nil {
			return true
		}
	}
	return len(k.Peers) > 0 && len(k.datagramCallers(s)) > 0
}

// hangUp ends the lines of a socket. What is in send buffers leaves first.
func (k *Stack) hangUp(s *socket) {
	for i := range s.lines {
		for len(s.lines[i].out) > 0 {
			k.leave(s, i, []int{0})
			if k.outside.err != nil {
				return
			}
		}
		k.touchSession()
		k.fails(k.Session.Close(s.lines[i].conn))
	}
	s.lines = nil
}
