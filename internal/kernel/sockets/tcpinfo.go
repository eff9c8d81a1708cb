package sockets

import (
	"encoding/binary"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

var tcpInfo = optName{linux.IPPROTO_TCP, linux.TCP_INFO}

// States of a connection, as in the kernel's tcp_states.h.
const (
	tcpEstablished = 1
	tcpSynSent     = 2
	tcpFinWait2    = 5
	tcpClose       = 7
	tcpCloseWait   = 8
	tcpListen      = 10
)

// tcpInfoSize is the size of a struct tcp_info, as of Linux 5.4.
const tcpInfoSize = 232

// tcpInfo returns the struct tcp_info of a socket. Its state is true. What it tells of speed, which is not modelled, is what Linux tells of a connection
// that was just made on the loopback interface: nothing was lost and nothing is slow.
func (s *socket) tcpInfo() []byte {
	b := make([]byte, tcpInfoSize)
	word := func(at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }
	switch b[0] = s.tcpState(); b[0] {
	case tcpListen:
		word(24, uint32(len(s.queue))) // tcpi_unacked is that of a listener
		word(28, uint32(s.backlog))    // and tcpi_sacked
		return b
	case tcpClose:
		return b
	}
	const mss = 32768
	for _, f := range []struct {
		at int
		v  uint32
	}{
		{8, 201000}, {12, 40000}, {16, mss}, {20, 536}, // tcpi_rto, ato, snd_mss, rcv_mss
		{60, 65535}, {68, 1000}, {72, 500}, // pmtu, rtt, rttvar
		{76, 1<<31 - 1}, {80, 10}, {84, 65483}, {88, 3}, // snd_ssthresh, snd_cwnd, advmss, reordering
	} {
		word(f.at, f.v)
	}
	return b
}

// tcpState returns how far a connection is. What one end does is known at the other at once.
func (s *socket) tcpState() byte {
	shut := s.down&shutWrite != 0
	switch {
	case s.state == stateListening:
		return tcpListen
	case s.state == stateSent:
		return tcpSynSent
	case s.state == stateClosed || shut && s.fin:
		return tcpClose
	case shut:
		return tcpFinWait2
	case s.fin:
		return tcpCloseWait
	}
	return tcpEstablished
}
