//go:build linux

package peer

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"sync"

	"golang.org/x/sys/unix"
)

// A sockState is the peer's end of a connection, as the kernel has it.
type sockState struct {
	found    bool
	last     bool // only what is left of a socket that is closed
	state    uint8
	received uint64 // bytes that have arrived, the end of the stream counts as one
	unread   uint32 // bytes that have arrived and were not read
	unacked  uint32 // bytes that were written and that we have not acknowledged
}

// States of a socket, as in the kernel's tcp_states.h.
const (
	tcpEstablished = 1
	tcpSynRecv     = 3
	tcpFinWait1    = 4
	tcpFinWait2    = 5
	tcpCloseWait   = 8
	tcpListen      = 10
	tcpNewSynRecv  = 12
)

// A sockDiag asks the kernel about sockets. It reads the same as
// /proc/net/tcp, without the time that it takes to go through all sockets of the
// machine, and it takes the lock of the socket: a packet that it counts has also
// woken its reader.
type sockDiag struct {
	mu  sync.Mutex
	fd  int
	seq uint32
	buf []byte
}

func newSockDiag() (*sockDiag, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return nil, fmt.Errorf("sock_diag: %w", err)
	}
	unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 1})
	d := &sockDiag{fd: fd, buf: make([]byte, 32<<10)}
	// Ask for something that cannot be there, to see whether there are answers.
	none := netip.AddrPortFrom(loopback, 1)
	if _, err := d.look(none, none); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *sockDiag) close() { unix.Close(d.fd) }

// look returns the socket with that local and that remote address.
func (d *sockDiag) look(local, remote netip.AddrPort) (sockState, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seq++
	if err := d.send(d.request(local, remote)); err != nil {
		return sockState{}, err
	}
	for {
		b, err := d.receive()
		if err != nil {
			return sockState{}, err
		}
		s, mine, err := d.reply(b)
		if mine || err != nil {
			return s, err
		}
	}
}

func (d *sockDiag) send(request []byte) error {
	if err := unix.Sendto(d.fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return fmt.Errorf("sock_diag: %w", err)
	}
	return nil
}

func (d *sockDiag) receive() ([]byte, error) {
	for {
		n, _, err := unix.Recvfrom(d.fd, d.buf, 0)
		if err == nil {
			return d.buf[:n], nil
		}
		if err != unix.EINTR {
			return nil, fmt.Errorf("sock_diag: %w", err)
		}
	}
}

// list returns the sockets of the machine that have a protocol and are in certain states.
func (d *sockDiag) list(kind socketKind) (list []netSocket, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, family := range []byte{unix.AF_INET, unix.AF_INET6} {
		d.seq++
		b := d.header(unix.NLM_F_REQUEST | unix.NLM_F_DUMP)
		r := b[headerSize:]
		r[0], r[1] = family, kind.protocol
		binary.NativeEndian.PutUint32(r[4:], kind.states)
		if err := d.send(b); err != nil {
			return nil, err
		}
		for done := false; !done; {
			b, err := d.receive()
			if err != nil {
				return nil, err
			}
			if list, done, err = d.replies(list, b); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// replies adds the sockets of one part of a long answer.
func (d *sockDiag) replies(list []netSocket, b []byte) (_ []netSocket, done bool, err error) {
	ne := binary.NativeEndian
	for len(b) >= headerSize {
		size := int(ne.Uint32(b))
		if size < headerSize || size > len(b) {
			return list, true, fmt.Errorf("sock_diag: answer of %d bytes", size)
		}
		m := b[headerSize:size]
		switch what := ne.Uint16(b[4:]); {
		case ne.Uint32(b[8:]) != d.seq: // of a question that was given up
		case what == unix.NLMSG_DONE:
			return list, true, nil
		case what == unix.NLMSG_ERROR && len(m) >= 4:
			return list, true, fmt.Errorf("sock_diag: %w", unix.Errno(-int32(ne.Uint32(m))))
		case len(m) >= messageSize:
			addr, _ := netip.AddrFromSlice(m[8:24])
			if m[0] == unix.AF_INET {
				addr, _ = netip.AddrFromSlice(m[8:12])
			}
			local := netip.AddrPortFrom(addr.Unmap(), binary.BigEndian.Uint16(m[4:]))
			list = append(list, netSocket{local, m[1], uint64(ne.Uint32(m[68:]))})
		}
		b = b[min(len(b), (size+3)&^3):]
	}
	return list, false, nil
}

const (
	sockDiagByFamily = 20
	inetDiagInfo     = 2 // the extension that is a tcp_info
	headerSize       = 16
	requestSize      = headerSize + 56
	messageSize      = 72 // of an inet_diag_msg
)

// request is an nlmsghdr and an inet_diag_req_v2.
func (d *sockDiag) request(local, remote netip.AddrPort) []byte {
	b := d.header(unix.NLM_F_REQUEST)
	ne, be := binary.NativeEndian, binary.BigEndian
	r := b[headerSize:]
	r[0], r[1], r[2] = unix.AF_INET, unix.IPPROTO_TCP, 1<<(inetDiagInfo-1)
	if !local.Addr().Is4() {
		r[0] = unix.AF_INET6
	}
	ne.PutUint32(r[4:], ^uint32(0)) // any state
	be.PutUint16(r[8:], local.Port())
	be.PutUint16(r[10:], remote.Port())
	copy(r[12:28], local.Addr().AsSlice())
	copy(r[28:44], remote.Addr().AsSlice())
	ne.PutUint64(r[48:], ^uint64(0)) // no cookie
	return b
}

// header returns a request of which the nlmsghdr is filled in.
func (d *sockDiag) header(flags uint16) []byte {
	b := make([]byte, requestSize)
	ne := binary.NativeEndian
	ne.PutUint32(b, requestSize)
	ne.PutUint16(b[4:], sockDiagByFamily)
	ne.PutUint16(b[6:], flags)
	ne.PutUint32(b[8:], d.seq)
	return b
}

// reply reads an inet_diag_msg, or an error.
func (d *sockDiag) reply(b []byte) (s sockState, mine bool, err error) {
	ne := binary.NativeEndian
	if len(b) < headerSize+4 || ne.Uint32(b[8:]) != d.seq {
		return s, false, nil
	}
	m := b[headerSize:min(len(b), int(ne.Uint32(b)))]
	if ne.Uint16(b[4:]) == unix.NLMSG_ERROR {
		errno := unix.Errno(-int32(ne.Uint32(m)))
		if errno == unix.ENOENT {
			return s, true, nil
		}
		return s, true, fmt.Errorf("sock_diag: %w", errno)
	}
	if len(m) < messageSize {
		return s, true, fmt.Errorf("sock_diag: answer of %d bytes", len(m))
	}
	s = sockState{found: m[1] != tcpListen, last: true, state: m[1], unread: ne.Uint32(m[56:]), unacked: ne.Uint32(m[60:])}
	for a := m[messageSize:]; len(a) >= 4; {
		size := int(ne.Uint16(a))
		if size < 4 || size > len(a) {
			break
		}
		// tcpi_bytes_received is at 128.
		if info := a[4:size]; ne.Uint16(a[2:]) == inetDiagInfo && len(info) >= 136 {
			s.received, s.last = ne.Uint64(info[128:]), false
		}
		a = a[min(len(a), (size+3)&^3):]
	}
	return s, true, nil
}
