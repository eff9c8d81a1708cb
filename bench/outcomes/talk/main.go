// Command talk talks to a server in one of several ways and tells what has come of it.
//
//	talk ADDR incr | turns | pieces | pause | pipeline | bye | deadline
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/heddle-mc/heddle/verify"
)

func dial() net.Conn {
	c, err := net.Dial("tcp", os.Args[1])
	if err != nil {
		panic(err)
	}
	return c
}

func ask(c net.Conn, what string) string {
	fmt.Fprintln(c, what)
	line, _ := bufio.NewReader(c).ReadString('\n')
	return strings.TrimSpace(line)
}

// once returns what one Read finds.
func once(c net.Conn) string {
	b := make([]byte, 100)
	n, err := c.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return "too late"
	}
	return fmt.Sprintf("%q", b[:n])
}

func main() {
	switch os.Args[2] {
	case "incr": // on a connection each
		both(func(i int) string { return ask(dial(), "incr") })
	case "turns": // on one connection, one after the other
		c := dial()
		var mu sync.Mutex
		both(func(i int) string {
			mu.Lock()
			defer mu.Unlock()
			return ask(c, "incr")
		})
	case "pieces", "pause":
		c := dial()
		fmt.Fprintln(c, os.Args[2])
		verify.Outcome(once(c))
	case "pipeline":
		c := dial()
		fmt.Fprintln(c, "incr")
		fmt.Fprintln(c, "incr")
		verify.Outcome(once(c))
	case "bye":
		c := dial()
		fmt.Fprintln(c, "bye")
		all, err := io.ReadAll(c)
		verify.Outcome(fmt.Sprintf("%q %v", all, err))
	case "deadline":
		c := dial()
		fmt.Fprintln(c, "pause")
		first := once(c)
		c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		verify.Outcome(first, once(c))
	}
}

// both tells what two goroutines return.
func both(f func(i int) string) {
	var got [2]string
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i] = f(i) })
	}
	wg.Wait()
	verify.Outcome(got[0], " ", got[1])
}
