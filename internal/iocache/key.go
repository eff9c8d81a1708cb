package iocache

import (
	"encoding/binary"
	"slices"
	"strings"
)

// A sum is a 128-bit digest of the requests on a path. It depends on what was
// requested and not on how writes were cut, nor on the order in which the cache
// came to know of branches and connections.
type sum [2]uint64

// The two halves are mixed in the same way with different odd multipliers.
const (
	mul0 = 0x9e3779b97f4a7c15
	mul1 = 0xd6e8feb86659fd93
)

func (s sum) mix(tag, symbol uint64) sum {
	a := ((s[0] ^ tag ^ symbol) + 1) * mul0
	b := (s[1] + tag*mul0 + symbol + 1) * mul1
	return sum{a ^ a>>29, b ^ b>>31}
}

// bytes adds bytes of a plain write.
func (s sum) bytes(tag uint64, data []byte) sum {
	for _, c := range data {
		s = s.mix(tag, uint64(c))
	}
	return s
}

// edge adds a whole request. Symbols from 256 on are those that are not bytes.
func (s sum) edge(tag uint64, e *edge) sum {
	switch {
	case e.plain():
		return s.bytes(tag, e.data)
	case e.rule:
		return s.mix(tag, 512).mix(tag, uint64(len(e.canon))).bytes(tag, e.canon)
	}
	return s.mix(tag, 256+uint64(e.kind))
}

// tagOf digests a name.
func tagOf(name Name) uint64 {
	s := sum{}.mix(0, uint64(name.Dir)).mix(0, uint64(name.N))
	for i := range len(name.Creator) {
		s = s.mix(0, uint64(name.Creator[i]))
	}
	return s[0] ^ s[1]
}

// AppendKey appends the canonical encoding of all stream pointers: the part that
// this package has in the state of the program. Two sessions with equal keys get
// equal answers from here on. The order in which connections were opened does
// not matter, so who keeps a [Conn] encodes it with [Session.AppendConn].
func (s *Session) AppendKey(dst []byte) []byte {
	order := make([]int, len(s.conns))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareConns(s, a, b) })
	dst = binary.AppendUvarint(dst, uint64(len(order)))
	for _, i := range order {
		dst = s.AppendConn(dst, Conn(i))
	}
	var talks []*talk
	for i := range s.talks {
		if s.talks[i].h.id.Whole {
			talks = append(talks, &s.talks[i])
		}
	}
	slices.SortFunc(talks, func(a, b *talk) int { return strings.Compare(a.h.id.Peer, b.h.id.Peer) })
	for _, t := range talks {
		dst = appendString(dst, t.h.id.Peer)
		dst = t.appendKey(dst, Process)
		dst = binary.AppendUvarint(dst, uint64(t.accepted))
	}
	return dst
}

// AppendConn appends the canonical encoding of one connection: which one it is,
// and its stream pointers. A closed connection has none. Where connections are taken together the
// requests are left to [Session.AppendKey], since connections share them.
func (s *Session) AppendConn(dst []byte, c Conn) []byte {
	k := &s.conns[c]
	t := &s.talks[k.talk]
	name := t.h.conns[k.line].name
	dst = appendString(dst, t.h.id.Peer)
	dst = append(dst, byte(name.Dir))
	dst = appendString(dst, name.Creator)
	dst = binary.AppendUvarint(dst, uint64(name.N))
	dst = append(dst, byte(k.state))
	if k.state == closed {
		return dst
	}
	if !t.h.id.Whole {
		dst = t.appendKey(dst, s.cache.opt.Mode)
	}
	return binary.AppendUvarint(dst, uint64(k.read))
}

// appendKey appends the pointer of the request stream. In a linear history the
// position says it all, since every path has the same requests.
func (t *talk) appendKey(dst []byte, mode Mode) []byte {
	dst = binary.AppendUvarint(dst, uint64(t.pos.d))
	if mode == Linear {
		return dst
	}
	dst = binary.LittleEndian.AppendUint64(dst, t.pos.sum[0])
	return binary.LittleEndian.AppendUint64(dst, t.pos.sum[1])
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}
