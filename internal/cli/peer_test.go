package cli

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
)

// testPeer is the command peer of the scripts: peer KIND ADDR. Servers answer each
// line by the same line in capital letters, but for what their kind says.
func testPeer() {
	kind, addr := os.Args[1], os.Getenv("HEDDLE_ADDR")
	if len(os.Args) > 2 {
		addr = os.Args[2]
	}
	if kind == "client" {
		testClient(addr, os.Args[3:])
	}
	if kind == "newport" {
		testNewPorts(addr)
	}
	s := &testServer{kind: kind}
	if kind == "early" {
		fmt.Println("no configuration")
		os.Exit(4)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		fmt.Println(err)
		os.Exit(5)
	}
	fmt.Println("ready")
	for {
		c, err := l.Accept()
		if err != nil {
			os.Exit(6)
		}
		go s.serve(c)
	}
}

// A testServer is a server for scripts.
type testServer struct {
	kind  string
	mu    sync.Mutex
	conns []net.Conn
	kept  int  // of a server that keeps
	taken bool // the same
}

func (s *testServer) serve(c net.Conn) {
	defer c.Close()
	s.mu.Lock()
	s.conns = append(s.conns, c)
	n := len(s.conns)
	s.mu.Unlock()
	for in := bufio.NewScanner(c); in.Scan(); {
		switch s.kind {
		case "upper":
		case "dates": // what it says differs from connection to connection
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nDate: Tue, 17 Nov 2026 01:39:%02d GMT\r\nServer: x\r\n\r\n%s!", n, in.Text())
			continue
		case "tickets": // the same
			fmt.Fprintf(c, "ticket %d for %s!", 99+n, in.Text())
			continue
		case "dies":
			fmt.Println("cannot go on")
			os.Exit(3)
		case "hangs":
			for n := 0; ; {
				n++
			}
		case "floods":
			for {
				if _, err := c.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		case "tells": // all others
			s.mu.Lock()
			for _, other := range s.conns {
				if other != c {
					fmt.Fprintf(other, "%s\n", in.Text())
				}
			}
			s.mu.Unlock()
		case "keeps": // a number and a lock, for all connections
			fmt.Fprintf(c, "%s\n", s.keep(strings.Fields(in.Text())))
			continue
		case "halves": // an answer in two writes
			fmt.Fprint(c, "a\n")
			fmt.Fprint(c, "b\n")
			continue
		case "announces": // a port, where it says the line
			announce(c, in.Text())
			continue
		case "counts": // its connections
			fmt.Fprintf(c, "%d\n", n)
			continue
		}
		fmt.Fprintf(c, "%s\n", strings.ToUpper(in.Text()))
	}
}

// keep answers as a store does.
func (s *testServer) keep(words []string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch words[0] {
	case "incr":
		s.kept++
		return strconv.Itoa(s.kept)
	case "lock":
		if s.taken {
			return "busy"
		}
		s.taken = true
	case "unlock":
		s.taken = false
	}
	return "ok"
}

// announce opens a port where it says something to who comes first, and says its number as FTP does.
func announce(c net.Conn, text string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(8)
	}
	go func() {
		defer l.Close()
		if d, err := l.Accept(); err == nil {
			fmt.Fprintln(d, text)
			d.Close()
		}
	}()
	port := l.Addr().(*net.TCPAddr).Port
	if text == "EPSV" {
		fmt.Fprintf(c, "229 (|||%d|)\n", port)
	} else {
		fmt.Fprintf(c, "227 (127,0,0,1,%d,%d)\n", port>>8, port&0xff)
	}
}

// testNewPorts answers each datagram from a new port, in two parts, of which the second is said when
// somebody says more there.
func testNewPorts(addr string) {
	at, err := net.ListenPacket("udp", addr)
	if err != nil {
		os.Exit(5)
	}
	b := make([]byte, 100)
	for {
		n, from, err := at.ReadFrom(b)
		if err != nil {
			os.Exit(6)
		}
		name := string(b[:n])
		go func() {
			c, err := net.ListenPacket("udp", "127.0.0.1:0")
			if err != nil {
				os.Exit(7)
			}
			defer c.Close()
			c.WriteTo([]byte(name+"1"), from)
			c.ReadFrom(make([]byte, 100))
			c.WriteTo([]byte(name+"2"), from)
		}()
	}
}

// testClient sends lines and prints what comes back.
func testClient(addr string, lines []string) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	in := bufio.NewScanner(c)
	for _, line := range lines {
		fmt.Fprintf(c, "%s\n", line)
		in.Scan()
		fmt.Println(in.Text())
	}
	os.Exit(0)
}
