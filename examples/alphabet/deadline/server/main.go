// Server answers numbers by letters of the alphabet, as the one in folder
// alphabet/server does, but a client that takes too long for its next number is told
// so by the line "late" and is no longer served.
//
// See the README of folder alphabet for how it is checked.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:2626", "address to listen on")
	n := flag.Int("n", 2, "number of connections to serve, 0 for no end")
	m := flag.Int("m", 0, "number of messages that each client sends, 0 for any")
	patience := flag.Duration("patience", time.Second, "how long to wait for a number")
	flag.Parse()

	l, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	fmt.Println("listening on", l.Addr())
	var wg sync.WaitGroup
	for i := 0; *n == 0 || i < *n; i++ {
		conn, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		wg.Go(func() { serve(conn, *m, *patience) })
	}
	wg.Wait()
}

// serve answers the requests of one client.
func serve(conn net.Conn, messages int, patience time.Duration) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for answered := 0; ; answered++ {
		conn.SetReadDeadline(time.Now().Add(patience))
		line, err := in.ReadString('\n')
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			io.WriteString(conn, "late\n") // whether or not anybody is there to read it
			return
		case err != nil:
			verify.Assert(messages == 0 || answered == messages || err != io.EOF, "a client said too much or too little")
			return
		}
		if _, err := io.WriteString(conn, letter(line[:len(line)-1])); err != nil {
			return // the client has gone
		}
	}
}

// letter answers one request.
func letter(request string) string {
	n, err := strconv.Atoi(request)
	if err != nil || n < 1 || n > 26 {
		return "?\n"
	}
	return string(rune('A'+n-1)) + "\n"
}
