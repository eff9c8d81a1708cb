package kernel

import (
	"fmt"
	"strings"
	"syscall"
)

// udp is the transport of datagram sockets of the internet. It can do what
// package net needs to look a name up: a socket can be connected, which tells
// which local address would be used, and a question to the name server is
// understood, so that it can be refused by the name it is about. Datagrams
// themselves are not modelled.
type udp struct{}

// nameServer is the address in the modelled /etc/resolv.conf.
const nameServer = "127.0.0.53"

// Ports that mean something here.
const (
	discardPort = 9
	domainPort  = 53
)

func (udp) bind(k *Kernel, s *socket, a address) Errno {
	return k.refuse(fmt.Sprintf("datagram socket at %v (UDP)", a))
}

func (udp) listen(*Kernel, *socket, int) Errno { return syscall.EOPNOTSUPP }

func (udp) connect(k *Kernel, s *socket, addr []byte) Errno {
	to, e := decode(s.domain, addr)
	switch {
	case e != 0:
		return e
	case isLocal(to.ip) || to.port == domainPort:
	case to.port == discardPort:
		return syscall.ENETUNREACH // package net asks whether there is a way
	default:
		return k.refuse(fmt.Sprintf("datagram socket connected to %v (UDP)", to))
	}
	s.local, s.held = address{}, false
	if e := (tcp{}).source(k, s, to); e != 0 {
		return e
	}
	s.state, s.phase = stateOpen, phaseConnected
	return 0
}

func (u udp) send(k *Kernel, s *socket, p []byte, all bool) (int, Errno) {
	if s.state != stateOpen {
		return 0, syscall.EDESTADDRREQ
	}
	return u.sendTo(k, p, s.remote)
}

func (udp) sendTo(k *Kernel, p []byte, to address) (int, Errno) {
	if name := questionOf(p); name != "" && to.port == domainPort {
		return 0, k.refuse(fmt.Sprintf("looking up the name %s, which is not in the modelled /etc/hosts", name))
	}
	return 0, k.refuse(fmt.Sprintf("datagram to %v (UDP)", to))
}

func (udp) recv(k *Kernel, s *socket, p []byte, peek bool) (int, Errno) {
	return 0, k.refuse("receiving datagrams (UDP)")
}

func (udp) shutdown(k *Kernel, s *socket, how shutdown) Errno {
	if s.state != stateOpen {
		return syscall.ENOTCONN
	}
	s.down |= how
	return 0
}

func (udp) close(*Kernel, *socket)                     {}
func (udp) ready(k *Kernel, s *socket, mode byte) bool { return mode == 'w' }
func (udp) farSent(*Kernel, *socket) bool              { return false }
func (udp) farShut(*Kernel, *socket, shutdown)         {}
func (udp) farGone(*Kernel, *socket, bool)             {}
func (udp) peer(s *socket) (address, Errno)            { return tcp{}.peer(s) }

// questionOf returns the name that a message to a name server asks for, "" if it
// is no such message.
func questionOf(p []byte) string {
	const head = 12
	if len(p) <= head || p[4] == 0 && p[5] == 0 {
		return ""
	}
	var labels []string
	for p = p[head:]; len(p) > 0 && p[0] != 0; p = p[1+int(p[0]):] {
		if n := int(p[0]); n > 63 || n >= len(p) {
			return ""
		}
		labels = append(labels, string(p[1:1+int(p[0])]))
	}
	return strings.Join(labels, ".")
}
