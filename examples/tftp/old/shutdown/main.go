// A TFTP server in single-port mode (github.com/pin/tftp/v3) that is shut down before
// anybody has asked it for anything. Serve is to return.
//
// In folder old, which has version v3.1.0 of the package, it does not: it waits for a
// datagram, and Shutdown does not close the socket. Folder new has v3.2.0; the program
// is the same.
package main

import (
	"fmt"
	"io"
	"log"
	"net"

	"github.com/pin/tftp/v3"
)

func main() {
	server := tftp.NewServer(func(string, io.ReaderFrom) error { return nil }, nil)
	server.EnableSinglePort()
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 6969})
	if err != nil {
		log.Fatal(err)
	}
	served := make(chan error)
	go func() { served <- server.Serve(socket) }()
	server.Shutdown()
	fmt.Println("stopped:", <-served)
}
