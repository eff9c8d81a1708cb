// Client asks an alphabet server for letters by datagrams, over several sockets at
// once. The server answers 0 by a, 1 by b, and so on.
//
// Each socket has two goroutines. One sends the requests, the other receives the
// answers and looks whether the first one is that to the first request, and so on.
// This is the alphabet client of paper 004, section IV.A, which is not made for a
// network that loses datagrams: -assert=false leaves the assertion out. See the README
// of the folder above for how it is checked.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"sync"
	"time"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:2627", "address of the server")
	n := flag.Int("n", 2, "number of sockets")
	m := flag.Int("m", 1, "number of requests on each, at most 10")
	wait := flag.Duration("wait", time.Second, "time to wait for answers, 0 for ever")
	demand := flag.Bool("assert", true, "answers must be those to the requests, in order")
	flag.Parse()

	requests := *m
	strict, patience := *demand, *wait
	var wg sync.WaitGroup
	wg.Add(2 * *n)
	for range *n {
		conn, err := net.Dial("udp", *addr)
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer wg.Done()
			produce(conn, requests)
		}()
		go func() {
			defer wg.Done()
			consume(conn, requests, strict, patience)
		}()
	}
	wg.Wait()
	fmt.Println(*n, "times", *m, "requests")
}

// produce sends the requests.
func produce(conn net.Conn, requests int) {
	for i := range requests {
		if _, err := conn.Write([]byte{'0' + byte(i)}); err != nil {
			log.Fatal(err)
		}
	}
}

// consume receives the answers, and gives up when they do not come.
func consume(conn net.Conn, requests int, strict bool, patience time.Duration) {
	if patience > 0 {
		conn.SetReadDeadline(time.Now().Add(patience))
	}
	answer := make([]byte, 1)
	for i := range requests {
		_, err := conn.Read(answer)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		verify.Assert(!strict || answer[0] == 'a'+byte(i), "an answer to another request")
	}
}
