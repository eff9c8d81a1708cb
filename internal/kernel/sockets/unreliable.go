package sockets

import (
	"bytes"
	"net/netip"

	dg "github.com/heddle-mc/heddle/internal/datagram"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// What the network may do to datagrams of the internet is a choice of the call that
// sends or receives them: see package datagram. A datagram between two sockets of
// the modelled machine crosses one network, not two: what may happen to those that
// its sender sends happens to it, or, if that is nothing, what may happen to those
// that its receiver receives. It is decided when the call is made that it is about,
// and with it nothing is left to be decided elsewhere.

// SetUDP says what the network may do from now on, and returns what it was allowed
// to before.
func (k *Stack) SetUDP(s dg.Settings) (before dg.Settings) {
	before = k.state.udp
	k.touchState()
	k.state.udp, k.state.udpText = s, s.String()
	if k.Talk != nil {
		k.Talk(Talk{Kind: Weathers, Data: []byte(k.state.udpText)})
	}
	return before
}

// UDP returns what the network may do.
func (k *Stack) UDP() dg.Settings { return k.state.udp }

// Choose says in which of its ways the next call goes that sends or receives a
// datagram.
func (k *Stack) Choose(way int) { k.way, k.source = way, netip.Addr{} }

// datagramSocket returns the socket of a descriptor, nil if it is not one of
// datagrams of the internet.
func (k *Stack) datagramSocket(fd int) *socket {
	s, _, e := k.socket(fd)
	if e != 0 || s.kind != linux.SOCK_DGRAM || !internet(s.domain) {
		return nil
	}
	return s
}

// SendWays returns in how many ways a call that sends from a descriptor can go. To is
// nil if the call names no address.
func (k *Stack) SendWays(fd int, to []byte) int {
	if k.state.udpText == "" {
		return 1
	}
	s := k.datagramSocket(fd)
	if s == nil || s.err != 0 || s.down&shutWrite != 0 {
		return 1
	}
	if len(k.Peers) > 0 {
		if at, ok := k.whither(s, to); ok && k.receiver(at, s.local) == nil && k.leads(s, at) {
			return len(k.departures(s, k.lineTo(s, at)))
		}
	}
	n := len(k.state.udp.Send.Times())
	if k.state.udp.Unreachable && s.state == stateOpen {
		n++
	}
	return n
}

// ReceiveWays returns in how many ways a call that receives at a descriptor can go.
func (k *Stack) ReceiveWays(fd int) int {
	s := k.datagramSocket(fd)
	if s == nil || s.err != 0 || k.Session == nil && (len(s.mail) == 0 || k.state.udpText == "" && s.mail.Undecided()) {
		return 1
	}
	return max(1, len(k.arrivals(s)))
}

// whither returns where a datagram would be sent.
func (k *Stack) whither(s *socket, to []byte) (address, bool) {
	if to == nil {
		return s.remote, s.state == stateOpen
	}
	at, e := decode(s.domain, to)
	if e == 0 {
		at, e = udp{}.destination(k, s, at)
	}
	k.Refused()
	return at, e == 0
}

// An arrival is a way in which a receiving call can go.
type arrival struct {
	dg.Way[datagram]
	cut     bool  // it is longer than the buffer
	line    int   // over which it comes, -1 for one from inside
	used    int   // how many datagrams of the line have been looked at
	flush   []int // instead, what is in the line's send buffer leaves it in this order
	caller  int   // instead, a client begins to talk: its place in Peers, plus 1
	refused bool  // instead, a message says that nobody is there
}

// arrivals lists the ways of a call that receives.
func (k *Stack) arrivals(s *socket) []arrival {
	var how dg.Direction
	if internet(s.domain) {
		how = k.state.udp.Receive
	}
	var list, cut []arrival
	for _, w := range s.mail.Receive(how, datagram.same) {
		list = append(list, arrival{Way: w, line: -1})
	}
	if k.Session != nil && internet(s.domain) {
		list = k.outsideArrivals(list, s)
	}
	if k.state.udp.Truncate && internet(s.domain) {
		for _, w := range list {
			if w.cut = true; !w.Lost && len(w.Packet.data) > 1 {
				cut = append(cut, w)
			}
		}
	}
	return append(list, cut...)
}

// same reports whether it makes no difference which of two datagrams arrives.
func (d datagram) same(o datagram) bool {
	return d.from == o.from && d.by == o.by && d.to == o.to && bytes.Equal(d.data, o.data)
}

// fate returns how often a datagram arrives that is being sent, at how many places,
// and whether it is for the receiver's side to decide. It is unreachable if instead
// a message of ICMP comes back.
func (k *Stack) fate(s *socket) (times, window int, open, unreachable bool) {
	how := k.state.udp.Send
	choices := how.Times()
	way := k.way
	k.way = 0
	switch {
	case way >= len(choices):
		return 0, 0, false, true
	case how.Reliable():
		return 1, 1, true, false
	}
	return choices[way], how.Places(), false, false
}
