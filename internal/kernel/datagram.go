package kernel

import "syscall"

// A datagram is one that waits at its receiver. Its data are not changed.
type datagram struct {
	from address // of the sender
	by   *socket // of the Unix domain: the sender, whose address is the one that it has by now
	data []byte
}

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

func (datagrams) listen(*Kernel, *socket, int) Errno               { return syscall.EOPNOTSUPP }
func (datagrams) recv(*Kernel, *socket, []byte, bool) (int, Errno) { return 0, syscall.EOPNOTSUPP }
func (datagrams) farSent(*Kernel, *socket) bool                    { return false }
func (datagrams) farShut(*Kernel, *socket, shutdown)               {}
func (datagrams) farGone(*Kernel, *socket, bool)                   {}
func (datagrams) receive(k *Kernel, s *socket, p []byte, peek bool) (r Received, e Errno) {
	switch {
	case s.err != 0:
		return r, s.takeError()
	case len(s.mail) > 0:
		d := s.mail[0]
		r.N, r.Size = copy(p, d.data), len(d.data)
		if from := d.sender(); from != (address{}) {
			r.From = from.encode(s.domain)
		}
		if !peek {
			full := s.waits()
			s.mail = s.mail[1:]
			if u, ok := s.transport.(unixGram); ok && full {
				u.drained(k, s)
			}
		}
		return r, 0
	}
	return r, syscall.EAGAIN
}

// A Received tells what a receiving call got.
type Received struct {
	N    int    // bytes that were stored
	Size int    // bytes of the datagram or packet, which may have been more
	From []byte // address of the sender, nil if it has none or the protocol does not tell
}

// post puts a datagram into the queue of its receiver. The data are copied.
func (s *socket) post(k *Kernel, d datagram) {
	k.touchSocket(s)
	d.data = append([]byte(nil), d.data...)
	s.mail = append(s.mail[:len(s.mail):len(s.mail)], d)
	k.wakeFor(s.key, evRead)
}

// crowded reports whether a datagram of n bytes finds no room.
func (s *socket) crowded(k *Kernel, n int) bool {
	used := 0
	for _, d := range s.mail {
		used += len(d.data) + datagramCost
	}
	return used > 0 && used+n+datagramCost > k.SocketBuffer
}

// datagramEvents are the events of a datagram socket but for those of writing.
func (s *socket) datagramEvents() (events uint32) {
	if s.err != 0 {
		events |= evErr
	}
	if s.down&shutRead != 0 {
		events |= evRead | evRdHup
	}
	if s.down == shutBoth {
		events |= evHup
	}
	if len(s.mail) > 0 {
		events |= evRead
	}
	return events
}
