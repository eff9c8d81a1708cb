//go:build linux

package peer

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/iocache"
)

func init() {
	// Answers each datagram from a new port, where it answers what comes, too, as servers of
	// TFTP do. With a time it says its last word again and again until it is told more.
	helpers["udp new port"] = func(args []string) {
		c, err := net.ListenPacket("udp", args[0])
		if err != nil {
			os.Exit(98)
		}
		again := time.Duration(0)
		if len(args) > 1 {
			again, _ = time.ParseDuration(args[1])
		}
		b := make([]byte, 1<<16)
		for {
			n, from, err := c.ReadFrom(b)
			if err != nil {
				os.Exit(97)
			}
			go answerAlone(from, string(b[:n]), again)
		}
	}
}

func answerAlone(to net.Addr, text string, again time.Duration) {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		os.Exit(96)
	}
	defer c.Close()
	b := make([]byte, 1<<16)
	for text != "end" {
		c.WriteTo([]byte("new "+text), to)
		if again > 0 {
			c.SetReadDeadline(time.Now().Add(again))
		}
		n, from, err := c.ReadFrom(b)
		if err == nil {
			text, to = string(b[:n]), from
		}
	}
}

// fromPort is a datagram of another port, as it is in the cache.
func fromPort(port int, text string) string {
	return string(iocache.AppendDatagram(nil, iocache.Datagram{Data: []byte(text), Port: port}))
}

// shownPort returns the port of a datagram.
func shownPort(t *testing.T, text string) int {
	t.Helper()
	_, frame, _ := strings.Cut(text, " \xff\xfe")
	d, _, ok := iocache.CutDatagram([]byte("\xff\xfe" + frame))
	if !ok || d.Port < firstStandIn || d.Port >= firstStandIn+standIns {
		t.Fatalf("got %q, want a datagram from another port", text)
	}
	return d.Port
}

// TestUDPNewPort: what comes from a new port is told with a number that stands for it, and what is sent there
// gets there. The numbers are the same in each run, together and one by one.
func TestUDPNewPort(t *testing.T) {
	var ports []int
	for range 2 {
		g := newGroup(t, helper(Server, "udp new port", "{udp:69}"))
		for _, whole := range []bool{false, true} {
			name := udpOut(0)
			id := iocache.HistoryID{Peer: "server", Conn: name}
			if whole {
				id = iocache.HistoryID{Peer: "server", Whole: true}
			}
			l := start(t, g, id)
			if whole {
				l.hear("")
			}
			l.say(iocache.Open, name, "", "")
			if err := l.p.Do(iocache.Request{Kind: iocache.Write, Conn: name, Data: []byte(frames("one"))}); err != nil {
				t.Fatal(err)
			}
			got, err := l.heard()
			if err != nil {
				t.Fatal(err)
			}
			port := shownPort(t, got)
			if want := name.String() + " " + fromPort(port, "new one"); got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
			l.say(iocache.Write, name, fromPort(port, "two"), name.String()+" "+fromPort(port, "new two"))
			l.say(iocache.Write, name, frames("three"), name.String()+" "+fromPort(port+1, "new three"))
			l.say(iocache.Write, name, fromPort(port, "four"), name.String()+" "+fromPort(port, "new four"))
			l.say(iocache.Write, name, fromPort(port, "end"), "")
			ports = append(ports, port)
		}
	}
	for _, p := range ports {
		if p != ports[0] {
			t.Errorf("got ports %v, want the same each time", ports)
		}
	}
}

// TestUDPShownElsewhere: connections that are looked at one by one do not know each other's ports.
func TestUDPShownElsewhere(t *testing.T) {
	g := newGroup(t, helper(Server, "udp new port", "{udp:69}"))
	l := start(t, g, iocache.HistoryID{Peer: "server", Conn: udpOut(0)})
	l.say(iocache.Open, udpOut(0), "", "")
	err := l.p.Do(iocache.Request{Kind: iocache.Write, Conn: udpOut(0), Data: []byte(fromPort(firstStandIn, "x"))})
	if _, why := iocache.Depends(err); why == "" {
		t.Errorf("got %v, want that the connections depend on each other", err)
	}
}

// TestUDPRepeats: what a peer says again because nobody answers is said once.
func TestUDPRepeats(t *testing.T) {
	g := newGroup(t, helper(Server, "udp new port", "{udp:69}", "100ms"))
	name := udpOut(0)
	l := start(t, g, iocache.HistoryID{Peer: "server", Conn: name})
	l.say(iocache.Open, name, "", "")
	port := 0
	for i := range 3 {
		to := frames("a")
		if i > 0 {
			to = fromPort(port, "a") // the answers are equal, and not the same
		}
		if err := l.p.Do(iocache.Request{Kind: iocache.Write, Conn: name, Data: []byte(to)}); err != nil {
			t.Fatal(err)
		}
		got, err := l.heard()
		if err != nil {
			t.Fatal(err)
		}
		if port = shownPort(t, got); got != name.String()+" "+fromPort(port, "new a") {
			t.Errorf("got %q, want one answer", got)
		}
		time.Sleep(250 * time.Millisecond)
	}
}

// TestUDPGivesUp: a port that the peer has closed since it was quiet is not one at which nobody was.
func TestUDPGivesUp(t *testing.T) {
	g := newGroup(t, helper(Server, "udp new port", "{udp:69}"))
	name := udpOut(0)
	p, err := g.Start(iocache.HistoryID{Peer: "server", Conn: name})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	l := teller{t, p}
	l.say(iocache.Open, name, "", "")
	p.Do(iocache.Request{Kind: iocache.Write, Conn: name, Data: []byte(frames("one"))})
	got, err := l.heard()
	if err != nil {
		t.Fatal(err)
	}
	port := shownPort(t, got)
	other, err := net.Dial("udp", fmt.Sprintf("127.0.0.1:%d", p.(*live).ports.real(port)))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.Write([]byte("end")) // as if it had waited for too long
	for slices.Contains(p.(*live).boundPorts(), p.(*live).ports.real(port)) {
		time.Sleep(time.Millisecond)
	}
	err = p.Do(iocache.Request{Kind: iocache.Write, Conn: name, Data: []byte(fromPort(port, "two"))})
	var code interface{ ExitCode() int }
	if !errors.As(err, &code) || code.ExitCode() != diag.ExitIncomplete || !strings.Contains(err.Error(), "has closed port") {
		t.Errorf("got %v, want that the port is closed", err)
	}
}

func TestPortMap(t *testing.T) {
	m := &portMap{first: 100, count: 3}
	a, b := udpOut(0), udpOut(1)
	seen := map[int]bool{}
	for i, on := range []iocache.Name{a, b, a} {
		n, err := m.number(4000+i, on)
		if err != nil || n < 100 || n > 102 || seen[n] || m.real(n) != 4000+i {
			t.Errorf("port %d: got %d, %v, want a number of its own", 4000+i, n, err)
		}
		seen[n] = true
		if again, _ := m.number(4000+i, b); again != n {
			t.Errorf("port %d: got %d, and then %d", 4000+i, n, again)
		}
	}
	if _, err := m.number(5000, a); err == nil {
		t.Error("got a fourth number of three, want an error")
	}
	if m.real(99) != 0 {
		t.Error("got a port for a number that stands for none")
	}
}

func init() {
	// Answers each datagram but says its last word again before, as a server does whose timer runs out just when it is asked.
	helpers["udp crossing"] = func(args []string) {
		c, err := net.ListenPacket("udp", args[0])
		if err != nil {
			os.Exit(98)
		}
		b, last := make([]byte, 1<<16), []byte(nil)
		for {
			n, from, err := c.ReadFrom(b)
			if err != nil {
				os.Exit(97)
			}
			if last != nil {
				c.WriteTo(last, from)
			}
			last = append([]byte("re "), b[:n]...)
			if string(b[:n]) != "no" {
				c.WriteTo(last, from)
			}
		}
	}
}

// TestUDPCrossing: what a peer is known to say again is no answer if it says more. What it is not known to say again is.
func TestUDPCrossing(t *testing.T) {
	name := udpOut(0)
	heard := func(texts ...string) string { return name.String() + " " + frames(texts...) }
	for _, known := range []bool{false, true} {
		g := newGroup(t, helper(Server, "udp crossing", "{udp:69}"))
		if known {
			g.habits["server"].repeat([]byte(frames("re a")))
			g.habits["server"].repeat([]byte(frames("re b")))
		}
		l := start(t, g, iocache.HistoryID{Peer: "server", Conn: name})
		l.say(iocache.Open, name, "", "")
		l.say(iocache.Write, name, frames("a"), heard("re a"))
		all := func(twice, once string) string {
			if known {
				return once
			}
			return twice
		}
		l.say(iocache.Write, name, frames("a"), all(heard("re a", "re a"), heard("re a")))
		l.say(iocache.Write, name, frames("b"), all(heard("re a", "re b"), heard("re b")))
		l.say(iocache.Write, name, frames("no"), heard("re b"))
		l.say(iocache.Write, name, frames("b", "a"), heard("re no", "re b", "re b", "re a"))
		l.say(iocache.Write, name, frames("a", "a"), heard("re a", "re a", "re a", "re a"))
	}
}
