package cli

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
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
	if kind == "runs" {
		f, err := os.OpenFile(os.Args[3], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			os.Exit(8)
		}
		f.Write([]byte{0})
		if info, err := f.Stat(); err == nil {
			s.started = info.Size()
		}
	}
	if kind == "early" {
		fmt.Println("no configuration")
		os.Exit(4)
	}
	l, err := net.Listen(networkOf(addr), addr)
	if err != nil {
		fmt.Println(err)
		os.Exit(5)
	}
	if kind == "tls" {
		if l, err = testTLS(l); err != nil {
			fmt.Println(err)
			os.Exit(7)
		}
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

// networkOf tells a path from the address of a port.
func networkOf(addr string) string {
	if strings.HasPrefix(addr, "/") {
		return "unix"
	}
	return "tcp"
}

// A testServer is a server for scripts.
type testServer struct {
	kind    string
	mu      sync.Mutex
	conns   []net.Conn
	started int64  // of the file that counts runs
	login   string // the session of the last one who logged in
	kept    int    // of a server that keeps
	taken   bool   // the same
}

func (s *testServer) serve(c net.Conn) {
	defer c.Close()
	s.mu.Lock()
	s.conns = append(s.conns, c)
	n := len(s.conns)
	s.mu.Unlock()
	for in := bufio.NewScanner(c); in.Scan(); {
		switch s.kind {
		case "upper", "tls":
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
		case "sessions": // hands out what it wants back
			fmt.Fprintf(c, "%s\n", s.session(strings.Fields(in.Text())))
			continue
		case "runs": // how often it was started
			fmt.Fprintf(c, "%d\n", s.started)
			continue
		case "counts": // its connections
			fmt.Fprintf(c, "%d\n", n)
			continue
		}
		fmt.Fprintf(c, "%s\n", strings.ToUpper(in.Text()))
	}
}

// session answers as a server of sessions does.
func (s *testServer) session(words []string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if words[0] == "login" {
		s.login = rand.Text()
		return s.login
	}
	s.kept++
	if words[1] != s.login {
		return "unknown"
	}
	return fmt.Sprint(s.kept, " ", time.Now().Format(time.TimeOnly))
}

// testTLS returns a server of TLS.
func testTLS(l net.Listener) (net.Listener, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now, NotAfter: now.Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}), err
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
	c, err := net.Dial(networkOf(addr), addr)
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
