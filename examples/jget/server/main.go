// Server is a web server for one file that also serves parts of it, each connection
// in a goroutine. It speaks so much of HTTP/1.0 that curl and the client beside it
// understand it.
//
// This is the web server for Jget of paper 000, table 1. See the README of the
// folder above for how it is checked.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"strings"
	"sync"
)

// file is the content of the file: letters in the order of the alphabet.
func file(size int) string {
	return strings.Repeat("abcdefghijklmnopqrstuvwxyz", size/26+1)[:size]
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	n := flag.Int("n", 2, "number of pieces in which a client downloads the file besides the whole, -1 for no end")
	size := flag.Int("size", 8, "size of the file")
	flag.Parse()

	l, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	fmt.Println("listening on", l.Addr())
	content := file(*size)
	var wg sync.WaitGroup
	for i := 0; *n < 0 || i < *n+1; i++ {
		conn, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		wg.Go(func() { serve(conn, content) })
	}
	wg.Wait()
}

// serve answers the request of one client and closes the connection, which ends
// the answer.
func serve(conn net.Conn, content string) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	span := ""
	for line := ""; line != "\r\n"; {
		var err error
		if line, err = in.ReadString('\n'); err != nil {
			return // the client has gone
		}
		if s, ok := strings.CutPrefix(line, "Range: bytes="); ok {
			span = strings.TrimSpace(s)
		}
	}
	io.WriteString(conn, answer(span, content)) // the client need not wait for it
}

// answer returns the response to a request for a file, or for the bytes that a
// range names, from the first to the last one.
func answer(span, content string) string {
	status := "200 OK"
	if span != "" {
		var first, last int
		if _, err := fmt.Sscanf(span, "%d-%d", &first, &last); err != nil || first > last || last >= len(content) {
			return "HTTP/1.0 416 Range Not Satisfiable\r\nContent-Length: 0\r\n\r\n"
		}
		status, content = "206 Partial Content", content[first:last+1]
	}
	return fmt.Sprintf("HTTP/1.0 %s\r\nContent-Length: %d\r\n\r\n%s", status, len(content), content)
}
