// Server hands out files by datagrams. A client first asks over TCP, by a line with
// the name of a file, and gets a line with the number of the file and that of its
// packets. Then it asks by datagrams for packets of the file: the name and the
// indices. Each is answered by a packet: the number of the file, the index, the data.
//
// This is the server of paper 004, section IV.B. See the README of the folder above
// for how it is checked together with its client.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"strconv"
	"strings"
)

// size is how many bytes of a file are in a packet.
const size = 2

// files are the contents of the repository.
var files = []struct{ name, text string }{
	{"one", "abcd"},
	{"two", "1234"},
}

func main() {
	tcp := flag.String("tcp", "127.0.0.1:2628", "address to listen on")
	udp := flag.String("udp", "127.0.0.1:2629", "address to receive datagrams at")
	flag.Parse()

	conn, err := net.ListenPacket("udp", *udp)
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", *tcp)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", l.Addr(), "and", conn.LocalAddr())
	go deliver(conn)
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		describe(c)
	}
}

// describe answers the questions of one client about files.
func describe(c net.Conn) {
	defer c.Close()
	in := bufio.NewScanner(c)
	for in.Scan() {
		id, text := find(in.Text())
		fmt.Fprintln(c, id, (len(text)+size-1)/size)
	}
}

// deliver sends packets to whoever asks.
func deliver(conn net.PacketConn) {
	request := make([]byte, 128)
	for {
		n, from, err := conn.ReadFrom(request)
		if err != nil {
			return
		}
		words := strings.Fields(string(request[:n]))
		id, text := find(words[0])
		for _, word := range words[1:] {
			if i, err := strconv.Atoi(word); err == nil && i*size < len(text) {
				packet := append([]byte{byte(id), byte(i)}, text[i*size:min(len(text), (i+1)*size)]...)
				conn.WriteTo(packet, from)
			}
		}
	}
}

// find returns the number of a file and its contents.
func find(name string) (int, string) {
	for i, f := range files {
		if f.name == name {
			return i + 1, f.text
		}
	}
	return 0, ""
}
