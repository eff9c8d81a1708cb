// Server answers numbers by letters of the alphabet, if it comes to it.
//
// The bug: requests are read by one goroutine and answered by another. The
// first closes the connection when the client has closed its side, while the
// second may still have letters to send. heddle check reports the letter that
// could not be sent. The cure: who writes closes, as in the folder above.
//
// Finding: assert.
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
	flag.Int("m", 0, "is not looked at")
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
		requests := make(chan string, 1)
		wg.Go(func() { receive(conn, requests) })
		wg.Go(func() { answer(conn, requests) })
	}
	wg.Wait()
}

// receive hands on the requests of one client.
func receive(conn net.Conn, requests chan<- string) {
	defer conn.Close() // BUG: the answers are still to be sent
	in := bufio.NewScanner(conn)
	for in.Scan() {
		requests <- in.Text()
	}
	close(requests)
}

// answer sends a letter for each request.
func answer(conn net.Conn, requests <-chan string) {
	for r := range requests {
		_, err := io.WriteString(conn, letter(r))
		verify.Assert(err == nil, "a letter was not sent")
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
