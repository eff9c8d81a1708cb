package sockets

import (
	"net/netip"

	dg "github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A datagram is one that waits at its receiver. Its data are not changed.
type datagram struct {
	from address // of the sender
	by   *socket // of the Unix domain: the sender, whose address is the one that it has by now
	data []byte
	to   netip.Addr // where it was sent to
}

// mail is what waits at a receiver.
type mail = dg.Queue[datagram]

// sender returns the address of the sender, the zero address if it has none.
func (d datagram) sender() address {
	if d.by != nil {
		return d.by.local
	}
	return d.from
}

// datagramCost is what a datagram takes of a receiver's buffer besides its bytes.
// With it, as many small ones fit as on Linux.
const datagramCost = 768

// datagrams is what the transports of datagram sockets have in common. There are
// no connections: connecting one only says whom it talks to.
type datagrams struct{}

func (datagrams) listen(*Stack, *socket, int) linux.Errno { return linux.EOPNOTSUPP }
func (datagrams) recv(*Stack, *socket, []byte, bool) (int, linux.Errno) {
	return 0, linux.EOPNOTSUPP
}
func (datagrams) farSent(*Stack, *socket) bool      { return false }
func (datagrams) farShut(*Stack, *socket, shutdown) {}
func (datagrams) farGone(*Stack, *socket, bool)     {}
func (datagrams) receive(k *Stack, s *socket, p []byte, peek bool) (r Received, e linux.Errno) {
	switch {
	case s.err != 0:
		return r, s.takeError()
	case len(s.mail) == 0 && k.Session == nil:
		return r, linux.EAGAIN
	}
	list := k.arrivals(s)
	if len(list) == 0 {
		return r, linux.EAGAIN
	}
	w := list[min(k.way, len(list)-1)]
	k.way = 0
	full, d := s.waits(), w.Packet
	if w.line < 0 && w.caller == 0 {
		s.mail = w.Rest
	} else if !k.arrive(s, w) {
		k.WakeFor(s.key, linux.EvRead)
		return r, linux.EAGAIN
	}
	if w.refused {
		return r, linux.ECONNREFUSED
	}
	if k.hears(s) && !peek {
		k.tellArrival(s, w)
	}
	if w.Lost { // what comes behind it comes now
		k.WakeFor(s.key, linux.EvRead)
		return r, linux.EAGAIN
	}
	if w.cut {
		p = p[:min(len(p), len(d.data)/2)]
	}
	r.N, r.Size, r.Control = copy(p, d.data), len(d.data), s.control(d.to)
	if from := d.sender(); from != (address{}) {
		r.From = from.encode(s.domain)
	}
	if peek && w.line >= 0 {
		s.setLine(w.line, func(l *line) { l.in = append(mail{{Packet: d, Left: 1, Window: 1}}, l.in...) })
	} else if peek { // it is the next one now
		s.mail = append(mail{{Packet: d, Left: 1, Window: 1}}, s.mail...)
	} else if u, ok := s.transport.(unixGram); ok {
		u.drained(k, s, d, full)
	}
	return r, 0
}

// A Received tells what a receiving call got.
type Received struct {
	N       int    // bytes that were stored
	Size    int    // bytes of the datagram or packet, which may have been more
	From    []byte // address of the sender, nil if it has none or the protocol does not tell
	Control []byte // ancillary data that the socket has asked for
}

// post puts a datagram into the queue of its receiver. The data are copied.
func (s *socket) post(k *Stack, d datagram) {
	k.touchSocket(s)
	d.data = append([]byte(nil), d.data...)
	s.mail = s.mail.Put(d)
	k.WakeFor(s.key, linux.EvRead)
}

// postTimes is post for a datagram that arrives so often, at any of some places.
func (s *socket) postTimes(k *Stack, d datagram, times, window int) {
	if times == 0 {
		return
	}
	k.touchSocket(s)
	d.data = append([]byte(nil), d.data...)
	s.mail = s.mail.Add(d, times, window)
	k.WakeFor(s.key, linux.EvRead)
}

// crowded reports whether a datagram of n bytes finds no room.
func (s *socket) crowded(k *Stack, n int) bool {
	used := 0
	for _, d := range s.mail {
		used += max(d.Left, 1) * (len(d.Packet.data) + datagramCost)
	}
	return used > 0 && used+n+datagramCost > k.SocketBuffer
}

// datagramEvents are the events of a datagram socket but for those of writing.
func (s *socket) datagramEvents() (events uint32) {
	if s.err != 0 {
		events |= linux.EvErr
	}
	if s.down&shutRead != 0 {
		events |= linux.EvRead | linux.EvRdHup
	}
	if s.down == shutBoth {
		events |= linux.EvHup
	}
	if len(s.mail) > 0 {
		events |= linux.EvRead
	}
	return events
}
