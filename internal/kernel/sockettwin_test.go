package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// A socketStep is one random call on sockets; it returns its results as text.
type socketStep struct {
	text  string
	op    string
	fd    int
	do    func(c socketCalls) string
	other int // another descriptor, of which it takes the address
}

// The descriptors that steps use.
const (
	firstFD = 3
	lastFD  = 7
)

// showAddress prints an address. Ports differ from one machine to the other: what
// is the same is which descriptors have it as their own.
func showAddress(c socketCalls, addr []byte, e linux.Errno) string {
	if e != 0 {
		return e.Error()
	}
	port := portOf(addr)
	if port == 0 {
		return fmt.Sprintf("%q", addr)
	}
	var same []int
	for fd := firstFD; fd <= lastFD; fd++ {
		if own, e := c.Getsockname(fd); e == 0 && portOf(own) == port {
			same = append(same, fd)
		}
	}
	b := bytes.Clone(addr)
	b[2], b[3] = 0, 0
	return fmt.Sprintf("%x port of %v", b, same)
}

// newSocket makes a stream socket that sends at once, as those of package net do:
// with Nagle's algorithm the host may take its time.
func newSocket(c socketCalls, domain int) (int, linux.Errno) {
	fd, e := c.Socket(domain, nonblocking, 0)
	if e == 0 && domain != linux.AF_UNIX {
		e = c.Setsockopt(fd, linux.IPPROTO_TCP, linux.TCP_NODELAY, word(1))
	}
	return fd, e
}

// tcpPair makes a connection as a program does that waits for it.
func tcpPair(c socketCalls, n int) string {
	domain, ip := linux.AF_INET, own4
	if n%2 == 1 {
		domain, ip = linux.AF_INET6, own6
	}
	l, _ := newSocket(c, domain)
	defer c.Close(l)
	c.Bind(l, sockaddr{ip: ip}.encode(domain))
	c.Listen(l, 0)
	to, _ := c.Getsockname(l)
	a, e := newSocket(c, domain)
	e1 := c.Connect(a, to)
	for range 1000 {
		if ready, _ := c.Ready(l, 'r'); ready {
			break
		}
		unix.Poll(nil, 1)
	}
	b, _, e2 := c.Accept(l, linux.SOCK_NONBLOCK)
	return fmt.Sprint(a, b, e, e1, e2)
}

// word is the value of a socket option.
func word(vs ...uint32) (b []byte) {
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// drawSocketStep draws a step. Names in the Unix domain contain unique.
func drawSocketStep(t *rapid.T, unique string) socketStep {
	fd := rapid.IntRange(firstFD, lastFD).Draw(t, "fd")
	other := rapid.IntRange(firstFD, lastFD).Draw(t, "other")
	n := rapid.IntRange(0, 9).Draw(t, "n")
	op := rapid.SampledFrom([]string{
		"tcp4", "tcp6", "unix", "reuse", "bind", "bindsame", "name", "tryname", "listen", "connect", "connect", "again",
		"pair", "packets", "tcppair", "tcppair", "tcppair", "server", "server6", "unixserver", "client", "client", "client", "accept", "accept", "accept",
		"read", "read", "read", "read", "write", "write", "write", "write", "write", "peek", "send", "sendto",
		"shutdown", "shutdown", "shutdown", "close", "close", "close", "dup", "local", "peer", "error", "abort", "only6", "accepting",
	}).Draw(t, "op")
	s := socketStep{op: op, fd: fd, other: other, text: fmt.Sprintf("%s fd %d other %d n %d", op, fd, other, n)}
	s.do = func(c socketCalls) string {
		one := func(fd int, e linux.Errno) string { return fmt.Sprint(fd, " ", e) }
		defer func() {
			for fd := range 4 { // keep to few descriptors
				c.Close(lastFD + 1 + fd)
			}
		}()
		to, toErr := c.Getsockname(other)
		switch op {
		case "tcp4":
			return one(newSocket(c, linux.AF_INET))
		case "tcp6":
			return one(newSocket(c, linux.AF_INET6))
		case "unix":
			return one(newSocket(c, linux.AF_UNIX))
		case "pair":
			a, b, e := c.Socketpair(linux.AF_UNIX, nonblocking, 0)
			return fmt.Sprint(a, b, e)
		case "packets":
			a, b, e := c.Socketpair(linux.AF_UNIX, linux.SOCK_SEQPACKET|linux.SOCK_NONBLOCK, 0)
			return fmt.Sprint(a, b, e)
		case "tcppair":
			return tcpPair(c, n)
		case "reuse":
			fd, e := newSocket(c, linux.AF_INET)
			return fmt.Sprint(fd, e, c.Setsockopt(fd, linux.SOL_SOCKET, linux.SO_REUSEADDR, word(1)))
		case "bind":
			domain, ip := linux.AF_INET, own4
			switch n {
			case 1:
				ip = all4
			case 2:
				domain, ip = linux.AF_INET6, own6
			case 3:
				domain, ip = linux.AF_INET6, all6
			case 4:
				domain = linux.AF_INET6
			case 5:
				ip = netip.AddrFrom4([4]byte{127, 1, 2, 3})
			case 6:
				ip = netip.AddrFrom4([4]byte{192, 0, 2, 1})
			}
			return fmt.Sprint(c.Bind(fd, sockaddr{ip: ip}.encode(domain)))
		case "bindsame":
			if toErr != 0 || portOf(to) == 0 {
				return ""
			}
			a := bytes.Clone(to)
			if n%3 == 1 { // the same port at any address
				clear(a[4:])
			}
			return fmt.Sprint(c.Bind(fd, a))
		case "name", "tryname":
			a := sockaddr{name: []string{"p" + unique, "q" + unique, "\x00" + unique, "d/r" + unique, "a"}[n%5]}
			if op == "tryname" {
				return c.Connect(fd, a.encode(linux.AF_UNIX)).Error()
			}
			return fmt.Sprint(c.Bind(fd, a.encode(linux.AF_UNIX)))
		case "listen":
			return fmt.Sprint(c.Listen(fd, n%3))
		case "server": // a listener at once
			fd, e := newSocket(c, linux.AF_INET)
			return fmt.Sprint(fd, e, c.Bind(fd, sockaddr{ip: own4}.encode(linux.AF_INET)), c.Listen(fd, 5))
		case "server6": // for both protocols
			fd, e := newSocket(c, linux.AF_INET6)
			return fmt.Sprint(fd, e, c.Bind(fd, sockaddr{ip: all6}.encode(linux.AF_INET6)), c.Listen(fd, 5))
		case "unixserver":
			fd, e := newSocket(c, linux.AF_UNIX)
			a := sockaddr{name: []string{"s", "\x00s"}[n%2] + unique + fmt.Sprint(fd)}
			return fmt.Sprint(fd, e, c.Bind(fd, a.encode(linux.AF_UNIX)), c.Listen(fd, n%3))
		case "client": // and a connection
			if toErr != 0 || portOf(to) == 0 && to[0] != linux.AF_UNIX {
				return ""
			}
			fd, e := newSocket(c, int(to[0]))
			return fmt.Sprint(fd, e, c.Connect(fd, to))
		case "connect":
			if toErr != 0 || portOf(to) == 0 && to[0] != linux.AF_UNIX {
				return toErr.Error()
			}
			return c.Connect(fd, to).Error()
		case "again":
			return c.Connect(fd, sockaddr{ip: own4, port: 1}.encode(linux.AF_INET)).Error()
		case "accept":
			fd, addr, e := c.Accept(fd, linux.SOCK_NONBLOCK)
			return fmt.Sprint(fd, e, showAddress(c, addr, e))
		case "read":
			buf := make([]byte, n)
			m, e := c.Read(fd, buf)
			return fmt.Sprintf("%q %v", buf[:m], e)
		case "peek":
			buf := make([]byte, n+1)
			m, from, e := c.Recv(fd, buf, linux.MSG_PEEK)
			return fmt.Sprintf("%q %v %q", buf[:m], e, from)
		case "write":
			return one(c.Write(fd, []byte("0123456789")[:n]))
		case "send":
			return one(c.Send(fd, []byte("abcdefghij")[:n], linux.MSG_NOSIGNAL, nil))
		case "sendto":
			if toErr != 0 {
				return ""
			}
			return one(c.Send(fd, []byte("z"), linux.MSG_NOSIGNAL, to))
		case "shutdown":
			return fmt.Sprint(c.Shutdown(fd, n%4))
		case "close":
			return fmt.Sprint(c.Close(fd))
		case "dup":
			return one(c.Dup(fd, 0, false))
		case "local":
			addr, e := c.Getsockname(fd)
			return showAddress(c, addr, e)
		case "peer":
			addr, e := c.Getpeername(fd)
			return showAddress(c, addr, e)
		case "error":
			v, e := c.Getsockopt(fd, linux.SOL_SOCKET, linux.SO_ERROR)
			return fmt.Sprint(v, e)
		case "accepting":
			v, e := c.Getsockopt(fd, linux.SOL_SOCKET, linux.SO_ACCEPTCONN)
			w, f := c.Getsockopt(fd, linux.IPPROTO_IPV6, linux.IPV6_V6ONLY)
			return fmt.Sprint(v, e, w, f)
		case "abort":
			return fmt.Sprint(c.Setsockopt(fd, linux.SOL_SOCKET, linux.SO_LINGER, word(uint32(n%2), 0)))
		case "only6":
			return fmt.Sprint(c.Setsockopt(fd, linux.IPPROTO_IPV6, linux.IPV6_V6ONLY, word(uint32(n%2))))
		}
		panic(op)
	}
	return s
}

// readiness prints the events of the descriptors.
func readiness(c socketCalls) string { return eventsOf(c, nil) }

// eventsOf prints the events of all descriptors but some.
func eventsOf(c socketCalls, but map[int]bool) string {
	var b strings.Builder
	for fd := firstFD; fd <= lastFD; fd++ {
		if _, e := c.Fcntl(fd, linux.F_GETFL, 0); e == 0 && !but[fd] {
			fmt.Fprintf(&b, "%d:", fd)
			events := c.PollEvents(fd, linux.EvAll)
			for _, ev := range []struct {
				bit  uint32
				name string
			}{{linux.EvIn, "in"}, {linux.EvOut, "out"}, {linux.EvRdHup, "rdhup"}, {linux.EvHup, "hup"}, {linux.EvErr, "err"}, {linux.EvPri, "pri"}, {linux.EvRdNorm, "rdnorm"}, {linux.EvWrNorm, "wrnorm"}, {linux.EvNval, "nval"}} {
				if events&ev.bit != 0 {
					b.WriteString(" " + ev.name)
				}
			}
			b.WriteString("; ")
		}
	}
	return b.String()
}

// odd reports whether a step is not worth comparing. It asks for a connection at
// a listener that has no room: the host then tries again after a second. Or it
// takes a port that its socket has lost, which may be anybody's. Or it would use
// a socket that was shut down, which is refused.
func odd(k *Kernel, s socketStep) bool {
	own, o := domainOf(k, s.fd), domainOf(k, s.other)
	if own != 0 && own != linux.AF_UNIX && (s.op == "listen" || s.op == "connect" || s.op == "again") && cut(k, s.fd) {
		return true
	}
	switch {
	case o == 0 || o == linux.AF_UNIX || s.op != "connect" && s.op != "client" && s.op != "bindsame":
		return false
	case !held(k, s.other):
		return true
	}
	return full(k, s.other)
}

// toItself lists the sockets that are connected to themselves. The host may connect
// a socket so that has no port yet, by chance; the model never chooses that port.
func toItself(c socketCalls) string {
	var list []int
	for fd := firstFD; fd <= lastFD; fd++ {
		own, e1 := c.Getsockname(fd)
		far, e2 := c.Getpeername(fd)
		if e1 == 0 && e2 == 0 && portOf(own) != 0 && bytes.Equal(own, far) {
			list = append(list, fd)
		}
	}
	return fmt.Sprint(list)
}

// TestSocketTwin holds the sockets of both kinds of kernel against the host's.
// The host needs a moment to carry packets: it has it until its readiness is the
// one of the kernels, so that is compared too.
func TestSocketTwin(t *testing.T) {
	probe, err := unix.Socket(linux.AF_INET6, linux.SOCK_STREAM, 0)
	if err == nil {
		err = unix.Bind(probe, &unix.SockaddrInet6{Addr: own6.As16()})
		unix.Close(probe)
	}
	if err != nil {
		t.Skipf("the host has no IPv6: %v", err)
	}
	t.Chdir(t.TempDir())
	run := 0
	check := func(rt *rapid.T) {
		run++
		unique := fmt.Sprintf("%d-%d", os.Getpid(), run)
		dir := t.TempDir()
		defer os.RemoveAll(dir)
		stage(t, dir)
		real := &realHost{map[int]int{}}
		if e := real.Chdir(dir); e != 0 {
			t.Fatal(e)
		}
		defer func() {
			os.Chdir(packageDir)
			for fd := range real.fds {
				real.Close(fd)
			}
		}()
		var kernels []*Kernel
		for _, through := range []bool{true, false} {
			own := fmt.Sprint(dir, "/", through)
			if err := os.Mkdir(own, 0o755); err != nil {
				t.Fatal(err)
			}
			stage(t, own)
			kernels = append(kernels, New(&host.Real{}, Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}, Dir: own, Through: through}))
		}
		var log []string
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			s := drawSocketStep(rt, unique)
			if odd(kernels[0], s) {
				continue
			}
			want := s.do(real)
			log = append(log, s.text+": "+want)
			var is string
			for i, k := range kernels {
				if got := s.do(k); got != want {
					rt.Fatalf("through %v:\n%s\ngot  %s\nwant %s", i == 0, strings.Join(log, "\n"), got, want)
				}
				if what := k.Refused(); what != "" {
					rt.Fatalf("%s\nrefused: %s", strings.Join(log, "\n"), what)
				}
				is = readiness(k)
			}
			if (s.op == "connect" || s.op == "client") && toItself(real) != toItself(kernels[0]) {
				rt.Skip("of all ports the host has chosen the one that is connected to")
			}
			for try := 0; readiness(real) != is; try++ {
				if try == 10_000 {
					rt.Fatalf("readiness:\n%s\ngot  %s\nwant %s", strings.Join(log, "\n"), is, readiness(real))
				}
				unix.Poll(nil, 1)
			}
		}
	}
	for range testlong.Or(3, 10) { // each is a hundred sequences of calls
		rapid.Check(t, check)
	}
}
