package iocache

import (
	"encoding/binary"
	"strings"
)

// Datagrams go over the same streams as bytes do: each is a frame of two bytes, its
// length, and its data. A request is one frame, so that no peer is ever asked in the
// middle of one. Who makes a connection for datagrams marks its creator by
// [Datagrams]: the transport then takes frames apart and puts them together.

// Datagrams is what the creators of connections for datagrams begin with.
const Datagrams = "udp "

func (n Name) datagrams() bool { return strings.HasPrefix(n.Creator, Datagrams) }

// unreachable is the length of a frame that says that a datagram has found nobody at
// the other side.
const unreachable = 0xffff

// AppendDatagram appends a frame. Data must be shorter than 65535 bytes.
func AppendDatagram(dst, data []byte) []byte {
	return append(binary.BigEndian.AppendUint16(dst, uint16(len(data))), data...)
}

// AppendUnreachable appends the frame of a datagram that has found nobody.
func AppendUnreachable(dst []byte) []byte { return binary.BigEndian.AppendUint16(dst, unreachable) }

// CutDatagram returns the first frame of a stream and what follows it. It is not ok
// if there is no whole one. A datagram that has found nobody is nil.
func CutDatagram(stream []byte) (data, rest []byte, ok bool) {
	if len(stream) < 2 {
		return nil, stream, false
	}
	n := int(binary.BigEndian.Uint16(stream))
	if n == unreachable {
		return nil, stream[2:], true
	}
	if len(stream) < 2+n {
		return nil, stream, false
	}
	return stream[2 : 2+n : 2+n], stream[2+n:], true
}

// Unread returns what can be read and the status that Read returns. The bytes are
// good as long as nothing is read.
func (s *Session) Unread(c Conn) ([]byte, Status, error) {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	return s.unread(c)
}
