// Client asks an alphabet server for letters, over several connections at once.
// The server answers the line 1 by the line A, 2 by B, and so on up to 26.
//
// Each connection has two goroutines. The writer sends numbers and closes its side
// of the connection. The reader receives letters until the server closes the other
// side, and looks whether they are the right ones. This is the alphabet client of
// paper 000, table 1; in folder buggy the writer closes both sides. See the README
// of the folder above for how it is checked.
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
	if err := conn.CloseWrite(); err != nil {
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
