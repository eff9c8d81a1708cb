// Server answers numbers by letters of the alphabet: the line 1 by the line A, 2
// by B, and so on up to 26. Each connection has a goroutine, which ends when the
// client has closed its side.
//
// This is the alphabet server of paper 000, table 1. In folder buggy the end of the
// requests ends the answers. See the README of the folder above for how it is
// checked.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"strconv"
	"sync"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:2626", "address to listen on")
	n := flag.Int("n", 2, "number of connections to serve, 0 for no end")
	m := flag.Int("m", 0, "number of messages that each client sends, 0 for any")
	flag.Parse()

	l, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	fmt.Println("listening on", l.Addr())
	messages := *m
	var wg sync.WaitGroup
	for i := 0; *n == 0 || i < *n; i++ {
		conn, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		wg.Go(func() { serve(conn, messages) })
	}
	wg.Wait()
}

// serve answers the requests of one client.
func serve(conn net.Conn, messages int) {
	defer conn.Close()
	in := bufio.NewScanner(conn)
	answered := 0
	for in.Scan() {
		if _, err := io.WriteString(conn, letter(in.Text())); err != nil {
			return // the client has gone
		}
		answered++
	}
	verify.Assert(messages == 0 || answered == messages || in.Err() != nil, "a client said too much or too little")
}

// letter answers one request.
func letter(request string) string {
	n, err := strconv.Atoi(request)
	if err != nil || n < 1 || n > 26 {
		return "?\n"
	}
	return string(rune('A'+n-1)) + "\n"
}
