//go:build linux

package peer

import (
	"fmt"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/iocache"
)

func init() {
	// Says each datagram again, those of several words word by word.
	helpers["udp echo"] = func(args []string) {
		c, err := net.ListenPacket("udp", args[0])
		if err != nil {
			os.Exit(98)
		}
		b := make([]byte, 1<<16)
		for {
			n, from, err := c.ReadFrom(b)
			if err != nil {
				os.Exit(97)
			}
			text := string(b[:n])
			if text == "die" {
				os.Exit(0)
			}
			for word := range strings.SplitSeq(text, " ") {
				c.WriteTo([]byte(word), from)
			}
		}
	}
	// The same, and says lines again over TCP.
	helpers["both"] = func(args []string) {
		go helpers["udp echo"](args[1:])
		serveLines(args[0], func(c *net.TCPConn, line string) { fmt.Fprintf(c, "%s\n", line) })
	}
	// Sends its words, each when the one before is answered.
	helpers["udp client"] = func(args []string) {
		c, err := net.Dial("udp", args[0])
		if err != nil {
			os.Exit(98)
		}
		b := make([]byte, 100)
		for _, word := range args[1:] {
			c.Write([]byte(word))
			c.Read(b)
		}
	}
}

func udpOut(n int) iocache.Name {
	return iocache.Name{Dir: iocache.Out, Creator: iocache.Datagrams + "main", N: n}
}

// frames are datagrams as they are in the cache.
func frames(list ...string) string {
	var b []byte
	for _, d := range list {
		b = iocache.AppendDatagram(b, iocache.Datagram{Data: []byte(d)})
	}
	return string(b)
}

func TestUDPServer(t *testing.T) {
	g := newGroup(t, helper(Server, "udp echo", "{udp:69}"))
	if got := fmt.Sprint(g.Peers()); got != "[{server server server 69 true  25600 7168}]" {
		t.Errorf("got %s, want a server for datagrams at port 69", got)
	}
	for i := range 2 { // each has a socket of its own
		name := udpOut(i)
		l := start(t, g, iocache.HistoryID{Peer: "server", Conn: name})
		l.say(iocache.Open, name, "", "")
		l.say(iocache.Write, name, frames("one"), name.String()+" "+frames("one"))
		l.say(iocache.Write, name, frames("two three"), name.String()+" "+frames("two", "three"))
		l.say(iocache.Write, name, frames(""), name.String()+" "+frames(""))
		l.say(iocache.Write, name, frames("four", "five"), name.String()+" "+frames("four", "five"))
		large := strings.Repeat("x", 60000)
		l.say(iocache.Write, name, frames(large), name.String()+" "+frames(large))
		l.say(iocache.Close, name, "", "")
	}
}

// TestUDPUnreachable: what comes back when nobody receives any more.
func TestUDPUnreachable(t *testing.T) {
	g := newGroup(t, helper(Server, "udp echo", "{udp}"))
	name := udpOut(0)
	l := start(t, g, iocache.HistoryID{Peer: "server", Conn: name})
	l.say(iocache.Open, name, "", "")
	l.say(iocache.Write, name, frames("die"), "")
	l.say(iocache.Write, name, frames("gone"), name.String()+" "+string(iocache.AppendDatagram(nil, iocache.Datagram{Unreachable: true})))
}

// TestUDPBoth: one server with a port for connections and one for datagrams.
func TestUDPBoth(t *testing.T) {
	g := newGroup(t, helper(Server, "both", "{addr:80}", "{udp:53}"))
	if got := fmt.Sprint(g.Peers()); got != "[{server server server 53 true  25600 7168} {server server server 80 false  25600 7168}]" {
		t.Errorf("got %s, want a server with two ports", got)
	}
	u := start(t, g, iocache.HistoryID{Peer: "server", Conn: udpOut(0)})
	u.say(iocache.Open, udpOut(0), "", "")
	u.say(iocache.Write, udpOut(0), frames("a"), udpOut(0).String()+" "+frames("a"))
	c := start(t, g, connection("server", 0))
	c.say(iocache.Open, out(0), "", "")
	c.say(iocache.Write, out(0), "a\n", "main#0 a")
}

// TestUDPClient: the first datagram of a client is a connection, and the cache asks
// for nothing twice.
func TestUDPClient(t *testing.T) {
	g := newGroup(t, helper(Client, "udp client", "{udp:69}", "hello", "bye"))
	cache := iocache.New(g, iocache.Options{})
	defer cache.Close()
	p := script{t, cache.NewSession()}
	c, st, err := p.s.Accept("client", iocache.Datagrams)
	if st != iocache.Ready || err != nil {
		t.Fatalf("accept: got %v %v, want ready", st, err)
	}
	p.read(c, frames("hello"))
	here := p.s.Save()
	for range 2 {
		p.write(c, frames("yes"))
		p.read(c, frames("bye"))
		p.s.Restore(here)
	}
	if got := g.Stats().Launches; got != 1 {
		t.Errorf("got %d launches, want 1", got)
	}
}

func TestUDPSpec(t *testing.T) {
	for text, want := range map[string]string{
		"udp:127.0.0.1:53":      "127.0.0.1:53 true",
		"127.0.0.1:53":          "127.0.0.1:53 false",
		"named -p {udp}":        " false",
		"x {udp:1} {udp:2}":     "error: server: mentions 2 ports (1, 2): only one can be told apart: use a peer for each",
		"x {udp:70000}":         "error: server: {udp:70000}: want a port from 1 to 65535",
		"x {addr:1} {udp:1}":    " false",
		"udp:a b":               " false",
		"x {addr:1} {program:}": "error: server: {program:}: there are {addr}, {port}, {udp}, {udpport}, {program}, all of them also with a number as in {addr:8080}, {unix:/path} and {n}",
	} {
		s, err := ParseSpec(Server, text)
		got := fmt.Sprintf("%s %v", s.Addr, s.UDP)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
