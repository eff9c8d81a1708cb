package kernel

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// A datagramStep is one random call on datagram sockets; it returns its results
// as text.
type datagramStep struct {
	op           string
	fd, other, n int
	unique       string
}

func (s datagramStep) String() string {
	return fmt.Sprintf("%s fd %d other %d n %d", s.op, s.fd, s.other, s.n)
}

// datagramOps are the calls, as often as they are to be drawn.
var datagramOps = []string{
	"sendto", "recvfrom", "connect", "send", "read", "server", "client", "recvfrom", "sendto", "server", "gramserver", "gramclient",
	"write", "recvfrom", "sendto", "close", "pair", "udp4", "udp6", "gram", "name", "bind", "bindsame", "disconnect", "shutdown", "peek",
	"whole", "local", "peer", "error", "big", "dup", "reuse", "join", "leave", "group", "group",
}

func drawDatagramStep(t *rapid.T, unique string) datagramStep {
	return datagramStep{
		op:     rapid.SampledFrom(datagramOps).Draw(t, "op"),
		fd:     rapid.IntRange(firstFD, lastFD).Draw(t, "fd"),
		other:  rapid.IntRange(firstFD, lastFD).Draw(t, "other"),
		n:      rapid.IntRange(0, 9).Draw(t, "n"),
		unique: unique,
	}
}

// odd reports whether a step is not worth comparing, or refused.
func (s datagramStep) odd(k *Kernel) bool {
	own, o := domainOf(k, s.fd), domainOf(k, s.other)
	switch s.op {
	case "group":
		return own != linux.AF_INET || o == 0 || o != linux.AF_UNIX && !held(k, s.other) || o == linux.AF_UNIX && !bound(k, s.other)
	case "disconnect", "connect":
		if own == linux.AF_UNIX && s.op == "disconnect" {
			return true // refused: it would be connected anew
		}
		if _, e := k.Getpeername(s.fd); own == linux.AF_UNIX && e == 0 {
			return true // the same
		}
	}
	switch {
	case own == linux.AF_UNIX && s.op == "big":
		return true // it depends on the host's buffers
	case o == 0 || !strings.Contains(" sendto connect client bindsame gramclient ", " "+s.op+" "):
		return false
	case o != linux.AF_UNIX && !held(k, s.other):
		return true // the port that it had may be anybody's
	case s.op == "bindsame" && o == linux.AF_UNIX && !bound(k, s.other):
		return true // the host chooses any name
	}
	return own != 0 && s.op != "client" && s.op != "gramclient" && s.op != "bindsame" &&
		own != linux.AF_UNIX && o != linux.AF_UNIX && own != o
}

func (s datagramStep) do(c socketCalls) string {
	one := func(fd int, e linux.Errno) string { return fmt.Sprint(fd, " ", e) }
	defer func() {
		for fd := range 4 { // keep to few descriptors
			c.Close(lastFD + 1 + fd)
		}
	}()
	socket := func(domain int) (int, linux.Errno) {
		return c.Socket(domain, linux.SOCK_DGRAM|linux.SOCK_NONBLOCK, 0)
	}
	recv := func(size, flags int) string {
		buf := make([]byte, size)
		n, from, e := c.Recv(s.fd, buf, flags)
		return fmt.Sprintf("%q %v %s", buf[:min(n, size)], e, showAddress(c, from, e))
	}
	to, toErr := c.Getsockname(s.other)
	named := toErr == 0 && (portOf(to) != 0 || to[0] == linux.AF_UNIX)
	switch s.op {
	case "udp4":
		return one(socket(linux.AF_INET))
	case "udp6":
		return one(socket(linux.AF_INET6))
	case "gram":
		return one(socket(linux.AF_UNIX))
	case "reuse":
		fd, e := socket(linux.AF_INET)
		return fmt.Sprint(fd, e, c.Setsockopt(fd, linux.SOL_SOCKET, linux.SO_RCVBUF, word(4096)))
	case "join", "leave":
		option := linux.IP_ADD_MEMBERSHIP
		if s.op == "leave" {
			option = linux.IP_DROP_MEMBERSHIP
		}
		return c.Setsockopt(s.fd, linux.IPPROTO_IP, option, append(group(s.n), 0, 0, 0, 0, 1, 0, 0, 0)).Error()
	case "group":
		if !named || to[0] != linux.AF_INET {
			return ""
		}
		e := c.Setsockopt(s.fd, linux.IPPROTO_IP, linux.IP_MULTICAST_IF, []byte{127, 0, 0, 1})
		at := slices.Clone(to)
		copy(at[4:], group(s.n))
		return fmt.Sprint(e) + one(c.Send(s.fd, []byte("multicast"), linux.MSG_NOSIGNAL, at))
	case "pair":
		a, b, e := c.Socketpair(linux.AF_UNIX, linux.SOCK_DGRAM|linux.SOCK_NONBLOCK, 0)
		return fmt.Sprint(a, b, e)
	case "server", "bind":
		domain, ip := linux.AF_INET, []netip.Addr{own4, all4, own6, all6, netip.AddrFrom4([4]byte{127, 1, 2, 3})}[s.n%5]
		if ip.Is6() {
			domain = linux.AF_INET6
		}
		fd, e := s.fd, linux.Errno(0)
		if s.op == "server" {
			fd, e = socket(domain)
		}
		return fmt.Sprint(fd, e, c.Bind(fd, sockaddr{ip: ip}.encode(domain)))
	case "gramserver", "name":
		fd, e := s.fd, linux.Errno(0)
		if s.op == "gramserver" {
			fd, e = socket(linux.AF_UNIX)
		}
		a := sockaddr{name: []string{"g", "\x00g"}[s.n%2] + s.unique + fmt.Sprint(fd)}
		return fmt.Sprint(fd, e, c.Bind(fd, a.encode(linux.AF_UNIX)))
	case "client", "gramclient":
		if !named {
			return ""
		}
		fd, e := socket(int(to[0]))
		return fmt.Sprint(fd, e, c.Connect(fd, to))
	case "connect":
		if !named {
			return ""
		}
		return c.Connect(s.fd, to).Error()
	case "bindsame":
		if !named {
			return ""
		}
		return c.Bind(s.fd, to).Error()
	case "disconnect":
		return c.Connect(s.fd, make([]byte, 28)).Error()
	case "sendto":
		if !named {
			return ""
		}
		return one(c.Send(s.fd, []byte("zyxwvutsrq")[:s.n], linux.MSG_NOSIGNAL, to))
	case "send":
		return one(c.Send(s.fd, []byte("abcdefghij")[:s.n], linux.MSG_NOSIGNAL, nil))
	case "write":
		return one(c.Write(s.fd, []byte("0123456789")[:s.n]))
	case "big":
		return one(c.Send(s.fd, make([]byte, []int{65528, 70000}[s.n%2]), linux.MSG_NOSIGNAL, nil))
	case "recvfrom":
		return recv(s.n, 0)
	case "peek":
		return recv(s.n, linux.MSG_PEEK)
	case "whole":
		return recv(s.n, linux.MSG_TRUNC)
	case "read":
		buf := make([]byte, s.n)
		n, e := c.Read(s.fd, buf)
		return fmt.Sprintf("%q %v", buf[:n], e)
	case "shutdown":
		return c.Shutdown(s.fd, s.n%3).Error()
	case "close":
		return c.Close(s.fd).Error()
	case "dup":
		return one(c.Dup(s.fd, 0, false))
	case "local":
		addr, e := c.Getsockname(s.fd)
		return showAddress(c, addr, e)
	case "peer":
		addr, e := c.Getpeername(s.fd)
		return showAddress(c, addr, e)
	case "error":
		v, e := c.Getsockopt(s.fd, linux.SOL_SOCKET, linux.SO_ERROR)
		return fmt.Sprint(v, e)
	}
	panic(s.op)
}

// group is one of two groups.
func group(n int) []byte { return []byte{224, 0, 0, 250 + byte(n%2)} }

// TestDatagramTwin holds datagram sockets of both kinds against the host's.
func TestDatagramTwin(t *testing.T) {
	t.Chdir(t.TempDir())
	run := 0
	check := func(rt *rapid.T) {
		run++
		unique := fmt.Sprintf("%d-%d-", os.Getpid(), run)
		dir := t.TempDir()
		defer os.RemoveAll(dir)
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
		k := New(&host.Real{}, Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}, Dir: t.TempDir()})
		var log []string
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			s := drawDatagramStep(rt, unique)
			if s.odd(k) {
				continue
			}
			want := s.do(real)
			log = append(log, fmt.Sprint(s, ": ", want))
			got := s.do(k)
			if what := k.Refused(); what != "" {
				rt.Fatalf("%s\nrefused: %s", strings.Join(log, "\n"), what)
			}
			if got != want {
				rt.Fatalf("%s\ngot  %s\nwant %s", strings.Join(log, "\n"), got, want)
			}
			for try := 0; readiness(real) != readiness(k); try++ {
				if try == 10_000 {
					rt.Fatalf("readiness:\n%s\ngot  %s\nwant %s", strings.Join(log, "\n"), readiness(k), readiness(real))
				}
				unix.Poll(nil, 1) // packets may be on their way
			}
		}
	}
	for range testlong.Or(3, 10) { // each is a hundred sequences of calls
		rapid.Check(t, check)
	}
}

// TestDatagramUndo goes back and forth with datagram sockets.
func TestDatagramUndo(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		k := New(&host.Real{}, Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}, Dir: dir})
		checkUndo(rt, k, func() func(k *Kernel) string {
			s := drawDatagramStep(rt, "x")
			return func(k *Kernel) string { return s.do(k) + " " + readiness(k) + k.Refused() }
		})
	})
}

// TestDatagramOwners: what is sent may change any socket, so nobody can be said to
// be the only one concerned.
func TestDatagramOwners(t *testing.T) {
	k := New(&host.Real{}, Options{})
	for _, domain := range []int{linux.AF_INET, linux.AF_UNIX} {
		fd, e := k.Socket(domain, linux.SOCK_DGRAM, 0)
		must(t, e)
		k.Own(fd, 1)
		if owners, all := k.Owners(nil, fd, false); !all {
			t.Errorf("domain %d: got owners %v want all", domain, owners)
		}
	}
}
