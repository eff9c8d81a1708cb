// Server answers datagrams by letters of the alphabet: 0 by a, 1 by b, and so on.
//
// This is the alphabet server of paper 004, section IV.A. See the README of the
// folder above for how it is checked.
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:2627", "address to receive at")
	n := flag.Int("n", 0, "number of sockets of the clients, 0 for no end")
	m := flag.Int("m", 1, "number of requests on each")
	flag.Parse()

	conn, err := net.ListenPacket("udp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	fmt.Println("listening on", conn.LocalAddr())
	request := make([]byte, 16)
	for i := 0; *n == 0 || i < *n**m; i++ {
		size, from, err := conn.ReadFrom(request)
		if err != nil {
			log.Fatal(err)
		}
		if _, err := conn.WriteTo(letters(request[:size]), from); err != nil {
			log.Fatal(err)
		}
	}
}

// letters answers one request.
func letters(request []byte) []byte {
	answer := make([]byte, len(request))
	for i, digit := range request {
		answer[i] = '?'
		if digit >= '0' && digit <= '9' {
			answer[i] = digit - '0' + 'a'
		}
	}
	return answer
}
