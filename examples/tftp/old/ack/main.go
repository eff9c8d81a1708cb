// A TFTP server in single-port mode (github.com/pin/tftp/v3), and a client that reads a
// file twice, from one port. The network may duplicate the client's acknowledgement of
// the last block: the second copy arrives when the transfer is over.
//
// In folder old, which has version v3.1.0 of the package, it then leaves a handler
// behind that nobody reads from: all that comes from that port from then on is
// ignored, and the second file is never sent. Folder new has v3.2.0; the program is the
// same.
package main

import (
	"errors"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/verify"
	"github.com/pin/tftp/v3"
)

const addr = "127.0.0.1:6969"

func main() {
	server := tftp.NewServer(func(name string, out io.ReaderFrom) error {
		_, err := out.ReadFrom(strings.NewReader(name))
		return err
	}, nil)
	server.EnableSinglePort()
	server.SetRetries(1)
	at, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		log.Fatal(err)
	}
	socket, err := net.ListenUDP("udp", at)
	if err != nil {
		log.Fatal(err)
	}
	go server.Serve(socket)

	conn, err := net.Dial("udp", addr)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		verify.Assert(get(conn, name), name+" is never sent")
	}
	os.Exit(0) // the server has no end
}

// get reads a file of one block, and asks for it twice if need be.
func get(conn net.Conn, name string) bool {
	block := make([]byte, 516)
	for range 2 {
		conn.Write([]byte("\x00\x01" + name + "\x00octet\x00"))
		conn.SetReadDeadline(time.Now().Add(time.Minute))
		n, err := conn.Read(block)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			continue
		case err != nil:
			log.Fatal(err)
		}
		verify.Assert(string(block[:n]) == "\x00\x03\x00\x01"+name, "another block")
		restore := verify.UDP("multiply=1,2")
		conn.Write([]byte("\x00\x04\x00\x01"))
		restore()
		return true
	}
	return false
}
