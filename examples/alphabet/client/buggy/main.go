// Client asks an alphabet server for letters, and may not wait for them.
//
// The bug: the writer closes the connection when it has sent its numbers, where
// it should close its own direction only. If the reader has not yet received all
// letters, it never will. heddle check reports the letter that is missing, alone
// with a live server and together with the server's source. The cure is in the
// folder above: CloseWrite.
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
	addr := flag.String("addr", "127.0.0.1:2626", "address of the server")
	n := flag.Int("n", 2, "number of connections")
	m := flag.Int("m", 1, "number of messages on each, at most 26")
	flag.Parse()

	messages := *m
	var wg sync.WaitGroup
	wg.Add(2 * *n)
	for range *n {
		conn, err := net.Dial("tcp", *addr)
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer wg.Done()
			ask(conn.(*net.TCPConn), messages)
		}()
		go func() {
			defer wg.Done()
			receive(conn, messages)
		}()
	}
	wg.Wait()
	fmt.Println(*n, "times", *m, "letters")
}

// ask sends the numbers from 1 on. The number and the end of its line are two
// messages, as in figure 6 of paper 000: a reader who looks between them must not
// find the letter yet.
func ask(conn *net.TCPConn, messages int) {
	for i := range messages {
		for _, part := range []string{strconv.Itoa(i + 1), "\n"} {
			if _, err := io.WriteString(conn, part); err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := conn.Close(); err != nil { // BUG: the reader still reads
		log.Fatal(err)
	}
}

// receive reads the letters, and the end of the connection.
func receive(conn net.Conn, messages int) {
	defer conn.Close()
	in := bufio.NewScanner(conn)
	for i := range messages {
		verify.Assert(in.Scan(), "a letter is missing")
		verify.Assert(in.Text() == string(rune('A'+i)), "a wrong letter")
	}
	verify.Assert(!in.Scan(), "more letters than numbers")
}
