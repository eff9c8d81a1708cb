// Package udp has a counter that is told by datagrams, and a client that sends again when no answer comes.
package udp

import (
	"net"
	"time"
)

// Serve adds one for each datagram and answers with the sum, until the connection is closed.
func Serve(conn net.PacketConn) {
	sum := byte(0)
	buf := make([]byte, 1)
	for {
		_, from, err := conn.ReadFrom(buf)
		if err != nil {
			return
		}
		sum++
		conn.WriteTo([]byte{sum}, from)
	}
}

// Add asks the counter to add one, and returns the sum.
func Add(addr string) (byte, error) {
	conn, err := net.Dial("udp", addr)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	buf := make([]byte, 1)
	for range 3 {
		conn.Write([]byte{1})
		conn.SetReadDeadline(time.Now().Add(time.Second))
		if _, err = conn.Read(buf); err == nil {
			return buf[0], nil
		}
	}
	return 0, err
}
