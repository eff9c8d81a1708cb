package iocache

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// Datagrams go over the same streams as bytes do: each is a frame of two bytes, its
// length, and its data. A request is one frame, so that no peer is ever asked in the
// middle of one. Who makes a connection for datagrams marks its creator by
// [Datagrams]: the transport then takes frames apart and puts them together.
//
// A peer may send from another port than the one that the connection is with, and be
// sent to there. Such a frame has four bytes before it, which tell the port. It is the one
// that the program sees: the transport knows which real one it stands for.

// Datagrams is what the creators of connections for datagrams begin with.
const Datagrams = "udp "

// AtPort is what the creator of a connection to another port of a peer than the one that it was told of
// begins with. The port is the one that the program knows.
func AtPort(port int) string { return "port " + strconv.Itoa(port) + " " }

// Port returns the port of such a connection, 0 if it is none.
func (n Name) Port() int {
	text, ok := strings.CutPrefix(strings.TrimPrefix(n.Creator, Datagrams), "port ")
	if !ok || n.Dir != Out {
		return 0
	}
	text, _, _ = strings.Cut(text, " ")
	port, _ := strconv.Atoi(text)
	return port
}

func (n Name) datagrams() bool { return strings.HasPrefix(n.Creator, Datagrams) }

// Lengths that no datagram has.
const (
	unreachable = 0xffff // it says that a datagram has found nobody at the other side
	otherPort   = 0xfffe // a port follows, and then the frame
)

// A Datagram is what a frame holds.
type Datagram struct {
	Data        []byte
	Port        int  // where the peer sends from, or receives, if it is another port than that of the connection
	Unreachable bool // instead: one that was sent there has found nobody
}

// AppendDatagram appends a frame. The data must be shorter than 65534 bytes.
func AppendDatagram(dst []byte, d Datagram) []byte {
	if d.Port != 0 {
		dst = binary.BigEndian.AppendUint16(dst, otherPort)
		dst = binary.BigEndian.AppendUint16(dst, uint16(d.Port))
	}
	if d.Unreachable {
		return binary.BigEndian.AppendUint16(dst, unreachable)
	}
	return append(binary.BigEndian.AppendUint16(dst, uint16(len(d.Data))), d.Data...)
}

// CutDatagram returns what the first frame of a stream holds and what follows it. It is not ok
// if there is no whole one.
func CutDatagram(stream []byte) (d Datagram, rest []byte, ok bool) {
	rest = stream
	if len(rest) >= 4 && binary.BigEndian.Uint16(rest) == otherPort {
		d.Port = int(binary.BigEndian.Uint16(rest[2:]))
		rest = rest[4:]
	}
	if len(rest) < 2 {
		return Datagram{}, stream, false
	}
	n := int(binary.BigEndian.Uint16(rest))
	switch rest = rest[2:]; {
	case n == unreachable:
		d.Unreachable = true
		return d, rest, true
	case n == otherPort || len(rest) < n:
		return Datagram{}, stream, false
	}
	d.Data = rest[:n:n]
	return d, rest[n:], true
}

// Unread returns what can be read and the status that Read returns. The bytes are
// good as long as nothing is read.
func (s *Session) Unread(c Conn) ([]byte, Status, error) {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	return s.unread(c)
}
