package kernel

import (
	"net"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// TestTCPInfoHost: the state of a connection is told as by Linux.
func TestTCPInfoHost(t *testing.T) {
	info := func(c syscall.Conn) (state byte) {
		t.Helper()
		raw, err := c.SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		raw.Control(func(fd uintptr) {
			i, err := unix.GetsockoptTCPInfo(int(fd), linux.IPPROTO_TCP, linux.TCP_INFO)
			if err != nil {
				t.Fatal(err)
			}
			state = i.State
		})
		return state
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	pair := func() (near, far *net.TCPConn) {
		t.Helper()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		d, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close(); d.Close() })
		return c.(*net.TCPConn), d.(*net.TCPConn)
	}
	k := New(&host.Real{}, Options{})
	state := func(fd int) byte {
		t.Helper()
		b, e := k.Getsockopt(fd, linux.IPPROTO_TCP, linux.TCP_INFO)
		must(t, e)
		if len(b) != 232 {
			t.Errorf("got %d bytes, want %d", len(b), 232)
		}
		return b[0]
	}
	same := func(what string, got byte, c syscall.Conn) {
		t.Helper()
		want := info(c)
		for end := time.Now().Add(10 * time.Second); want != got && time.Now().Before(end); want = info(c) {
			time.Sleep(time.Millisecond) // the other end may not have heard of it
		}
		if got != want {
			t.Errorf("%s: got state %d, want %d", what, got, want)
		}
	}
	fd, e := k.Socket(linux.AF_INET, linux.SOCK_STREAM, 0)
	must(t, e)
	if got := state(fd); got != 7 {
		t.Errorf("new: got state %d, want %d", got, 7)
	}
	same("listener", 10, l.(*net.TCPListener))
	for _, first := range []bool{true, false} {
		k = New(&host.Real{}, Options{})
		near, far := connectedPair(t, k)
		c, d := pair()
		same("open", state(near), c)
		same("open, accepted", state(far), d)
		mine, theirs, ours, real := near, far, c, d
		if !first {
			mine, theirs, ours, real = far, near, d, c
		}
		must(t, k.Shutdown(mine, linux.SHUT_WR))
		ours.CloseWrite()
		same("shut", state(mine), ours)
		same("shut by the other end", state(theirs), real)
		must(t, k.Shutdown(theirs, linux.SHUT_WR))
		real.CloseWrite()
		same("shut by both", state(mine), ours)
		same("shut by both, second", state(theirs), real)
	}
}
