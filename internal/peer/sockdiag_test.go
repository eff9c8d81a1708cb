//go:build linux

package peer

import (
	"io"
	"net"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/iocache"
)

// pair returns both ends of a connection, ours as a conn.
func pair(t *testing.T) (*conn, *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := dial(out(0), l.Addr().(*net.TCPAddr).AddrPort())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	theirs, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { theirs.Close() })
	eventually(t, "connected", func() bool {
		done, failure := c.connected()
		if failure != 0 {
			t.Fatal(failure)
		}
		return done
	})
	return c, theirs.(*net.TCPConn)
}

// eventually waits for something that the kernel does soon.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(hang); !is(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("got not %s after %v, want it", what, hang)
		}
	}
}

// TestSockDiag: what the kernel tells of the other end of a connection.
func TestSockDiag(t *testing.T) {
	d, err := newSockDiag()
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	c, theirs := pair(t)
	var s sockState
	is := func(what string, f func() bool) {
		t.Helper()
		eventually(t, what, func() bool {
			var err error
			if s, err = d.look(c.remote, c.local); err != nil {
				t.Fatal(err)
			}
			return f()
		})
	}
	is("empty", func() bool { return s == sockState{found: true, state: tcpEstablished} })
	c.do(iocache.Write, []byte("hello"))
	is("sent", func() bool { return s.received == 5 && s.unread == 5 })
	if c.sent != 5 || !s.reaches(c.sent) || s.reaches(6) {
		t.Errorf("got %d sent and %+v, want that 5 bytes have arrived", c.sent, s)
	}
	if _, err := io.ReadFull(theirs, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	is("read", func() bool { return s.received == 5 && s.unread == 0 })
	c.do(iocache.Shutdown, nil)
	is("shut", func() bool { return s.state == tcpCloseWait })
	if s.received != 6 || c.sent != 6 {
		t.Errorf("got %d received and %d sent, want that the end counts as one", s.received, c.sent)
	}
	theirs.Close()
	is("gone", func() bool { return !s.found || s.closing() })
}

// TestArrived: what was sent and is nowhere keeps the peer from being quiet, but
// not for ever.
func TestArrived(t *testing.T) {
	d, err := newSockDiag()
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	c, theirs := pair(t)
	l := &live{g: &Group{diag: d}, conns: []*conn{c}}
	c.do(iocache.Write, []byte("hello"))
	eventually(t, "arrived", l.arrived)
	if l.g.stats.Stalls != 0 || !c.arrived {
		t.Errorf("got %d stalls, want none", l.g.stats.Stalls)
	}
	c.sent, c.arrived = 6, false // one more than was sent
	start := time.Now()
	eventually(t, "stalled", l.arrived)
	if took := time.Since(start); l.g.stats.Stalls != 1 || took < stallTime || c.arrived {
		t.Errorf("got %d stalls after %v, want one after %v", l.g.stats.Stalls, took, stallTime)
	}
	theirs.SetLinger(0)
	theirs.Close()
	eventually(t, "reset", func() bool {
		kind, _, failure := c.read(make([]byte, 1))
		return kind == iocache.Failed && failure == unix.ECONNRESET
	})
	if l.arrived(); !c.arrived {
		t.Errorf("got a connection that is gone and waited for, want it to be given up")
	}
}

// TestDelivered: while what the other end has written is not acknowledged, it
// may still be on its way. A window that is closed holds it there.
func TestDelivered(t *testing.T) {
	d, err := newSockDiag()
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	c, theirs := pair(t)
	l := &live{g: &Group{diag: d}, conns: []*conn{c}, buf: make([]byte, 64<<10)}
	eventually(t, "delivered", l.delivered)
	written := make(chan error)
	go func() {
		_, err := theirs.Write(make([]byte, 32<<20)) // more than the buffers hold
		written <- err
	}()
	eventually(t, "on its way", func() bool { return !l.delivered() })
	total := 0
	eventually(t, "all read", func() bool {
		_, n, _ := c.read(l.buf)
		total += n
		return total == 32<<20
	})
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	l.g.stats.Stalls, l.stall = 0, stall{}
	eventually(t, "delivered", l.delivered)
	if l.g.stats.Stalls != 0 {
		t.Errorf("got %d stalls, want none", l.g.stats.Stalls)
	}
}

// TestSockets: what the kernel tells of sockets when it is asked is what the files of /proc have.
func TestSockets(t *testing.T) {
	d, err := newSockDiag()
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	var ports []uint16
	for _, at := range []string{"127.0.0.1:0", ":0", "[::1]:0", "127.0.0.2:0"} {
		l, err := net.Listen("tcp", at)
		if err != nil {
			t.Logf("%s: %v", at, err)
			continue
		}
		defer l.Close()
		u, err := net.ListenPacket("udp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer u.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).AddrPort().Port(), u.LocalAddr().(*net.UDPAddr).AddrPort().Port())
	}
	me := []int{os.Getpid()}
	var found []uint16
	for _, kind := range []socketKind{tcpSockets, udpSockets} {
		asked, err := (&Group{diag: d}).socketsOf(me, kind)
		if err != nil {
			t.Fatal(err)
		}
		read, err := new(Group).socketsOf(me, kind)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(asked, read) {
			t.Errorf("%v: got %v, want %v as in the files", kind.files, asked, read)
		}
		for _, a := range asked {
			found = append(found, a.Port())
		}
	}
	for _, p := range ports {
		if !slices.Contains(found, p) {
			t.Errorf("port %d was not found", p)
		}
	}
}
