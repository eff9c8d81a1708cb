// Client asks a daytime server (RFC 867) what time it is, over several connections
// at once. The server speaks first, and closes.
//
// This is the daytime client of paper 000, table 1. See the README of the folder
// above for how it is checked.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"sync"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:1313", "address of the server")
	n := flag.Int("n", 2, "number of connections")
	flag.Parse()

	answers := make([]string, *n)
	var wg sync.WaitGroup
	wg.Add(*n)
	for i := range answers {
		go func() {
			defer wg.Done()
			answers[i] = ask(*addr)
		}()
	}
	wg.Wait()
	for _, a := range answers {
		verify.Assert(a == answers[0], "the day has two times")
		fmt.Print(a)
	}
}

// ask returns the line that the server says.
func ask(addr string) string {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	line, err := io.ReadAll(conn)
	if err != nil {
		log.Fatal(err)
	}
	verify.Assert(len(line) > 0 && line[len(line)-1] == '\n', "the answer is not a line")
	return string(line)
}
