package sockets

import "github.com/heddle-mc/heddle/internal/kernel/linux"

// unreachableTimes stands for a datagram that has found no receiver.
const unreachableTimes = -1

// hears reports whether somebody listens to the datagrams of a socket.
func (k *Stack) hears(s *socket) bool {
	return k.Talk != nil && s.kind == linux.SOCK_DGRAM && internet(s.domain)
}

// tellSent tells that a datagram was sent, and how often it will arrive.
func (k *Stack) tellSent(s *socket, to address, p []byte, times int) {
	t := Talk{Kind: Sends, With: to.String(), At: to.String(), Data: p, Times: times}
	if times == unreachableTimes {
		t.Times, t.Err = 0, linux.ECONNREFUSED
	}
	k.Talk(t)
}

// tellOutside is tellSent for a datagram to a peer outside.
func (k *Stack) tellOutside(s *socket, i int, to address, p []byte, times int) {
	l := &s.lines[i]
	t := Talk{Kind: Sends, With: to.String(), At: to.String(), Data: p, Times: times}
	t.Peer, _ = k.Session.Name(l.conn)
	t.Number = k.Session.Ordinal(l.conn)
	if times == unreachableTimes {
		t.Times, t.Err = 0, linux.ECONNREFUSED
	}
	k.Talk(t)
}

// tellArrival tells that a datagram was received, or lost on the way.
func (k *Stack) tellArrival(s *socket, w arrival) {
	from := w.Packet.sender().String()
	t := Talk{Kind: Receives, With: from, At: s.local.String(), Data: w.Packet.data, Times: w.Left, Over: w.Over, Cut: w.cut}
	switch {
	case w.Lost:
		t.Kind = Loses
	case w.refused:
		return
	}
	if w.line >= 0 {
		conn := s.lines[w.line].conn
		t.Peer, _ = k.Session.Name(conn)
		t.Number = k.Session.Ordinal(conn)
	}
	k.Talk(t)
}
