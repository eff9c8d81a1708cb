// Client asks an alphabet server for letters over several connections at once, and
// does not wait for ever: a connection on which an answer takes too long is given up.
//
// Each connection has one goroutine. A live peer answers before any deadline; beside the
// server with deadlines, each of the two may find the other too late. See the README of
// folder alphabet for how it is checked.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"sync"
	"time"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:2626", "address of the server")
	n := flag.Int("n", 2, "number of connections")
	m := flag.Int("m", 1, "number of messages on each, at most 26")
	patience := flag.Duration("patience", time.Second, "how long to wait for an answer")
	flag.Parse()

	var wg sync.WaitGroup
	received := make([]int, *n)
	for i := range *n {
		conn, err := net.Dial("tcp", *addr)
		if err != nil {
			log.Fatal(err)
		}
		wg.Go(func() { received[i] = ask(conn, *m, *patience) })
	}
	wg.Wait()
	sum := 0
	for _, k := range received {
		verify.Assert(k <= *m, "more letters than numbers")
		sum += k
	}
	fmt.Println(sum, "of", *n**m, "letters in time")
}

// ask sends numbers, each after the letter for the one before, and returns how many
// letters came in time.
func ask(conn net.Conn, messages int, patience time.Duration) int {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for i := range messages {
		if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
			log.Fatal(err)
		}
		if _, err := fmt.Fprintln(conn, i+1); err != nil {
			return i // too late, here or there
		}
		line, err := in.ReadString('\n')
		if err != nil || line == "late\n" {
			return i
		}
		verify.Assert(line == string(rune('A'+i))+"\n", "a wrong letter")
	}
	return messages
}
