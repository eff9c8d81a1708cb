package kernel

import (
	"bytes"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/files"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
)

// nonblocking is the type of the sockets in these tests.
const nonblocking = linux.SOCK_STREAM | linux.SOCK_NONBLOCK

// must fails the test if one of the errors is not 0.
func must(t *testing.T, errors ...linux.Errno) {
	t.Helper()
	for _, e := range errors {
		if e != 0 {
			t.Fatal(e)
		}
	}
}

// listener makes a listening socket at the loopback address, and its address.
func listener(t *testing.T, k *Kernel, backlog int) (fd int, addr []byte) {
	t.Helper()
	fd, e := k.Socket(linux.AF_INET, nonblocking, 0)
	must(t, e, k.Bind(fd, sockaddr{ip: own4}.encode(linux.AF_INET)), k.Listen(fd, backlog))
	addr, e = k.Getsockname(fd)
	must(t, e)
	return fd, addr
}

// dial makes a socket and asks for a connection.
func dial(t *testing.T, k *Kernel, addr []byte) int {
	t.Helper()
	fd, e := k.Socket(linux.AF_INET, nonblocking, 0)
	must(t, e)
	if e := k.Connect(fd, addr); e != linux.EINPROGRESS {
		t.Fatalf("got %v want %v", e, linux.EINPROGRESS)
	}
	return fd
}

// TestSocketBuffer fills a connection: the writer must wait until the reader has
// read.
func TestSocketBuffer(t *testing.T) {
	for _, size := range []int{1, 10, 0} {
		k := New(&host.Real{}, Options{Settings: sockets.Settings{SocketBuffer: size}})
		if size == 0 {
			size = 212992
		}
		a, b, e := k.Socketpair(linux.AF_UNIX, nonblocking, 0)
		must(t, e)
		data := bytes.Repeat([]byte("x"), size+5)
		if n, e := k.Write(a, data); n != size || e != 0 {
			t.Errorf("got %d %v want %d", n, e, size)
		}
		if n, e := k.Write(a, data); n != 0 || e != linux.EAGAIN {
			t.Errorf("got %d %v want %v", n, e, linux.EAGAIN)
		}
		if ready, _ := k.Ready(a, 'w'); ready {
			t.Error("got a full socket ready for writing")
		}
		k.Woken()
		if n, e := k.Read(b, data); n != size || e != 0 {
			t.Errorf("got %d %v want %d", n, e, size)
		}
		if ready, _ := k.Ready(a, 'w'); !ready {
			t.Error("got an empty socket not ready for writing")
		}
		if got, want := fmt.Sprint(k.Woken()), fmt.Sprint([]uint64{k.WaitKey(a)}); got != want {
			t.Errorf("reading woke %s, want the writer %s", got, want)
		}
	}
}

// TestBlockingWrite writes to a socket that may wait: what fits in an empty
// connection is written in one piece.
func TestBlockingWrite(t *testing.T) {
	k := New(&host.Real{}, Options{Settings: sockets.Settings{SocketBuffer: 10}})
	a, b, e := k.Socketpair(linux.AF_UNIX, linux.SOCK_STREAM, 0)
	must(t, e)
	for _, c := range []struct {
		write int
		n     int
		e     linux.Errno
	}{{6, 6, 0}, {6, 0, linux.EAGAIN}, {4, 4, 0}, {12, 0, linux.EAGAIN}} {
		if n, e := k.Write(a, make([]byte, c.write)); n != c.n || e != c.e {
			t.Errorf("write %d: got %d %v want %d %v", c.write, n, e, c.n, c.e)
		}
	}
	k.Read(b, make([]byte, 20))
	if n, e := k.Write(a, make([]byte, 12)); n != 10 || e != 0 {
		t.Errorf("write 12: got %d %v want 10", n, e)
	}
}

// TestBacklog asks for more connections than a listener keeps. The last ones
// wait, in the order in which they came, and are refused when it closes.
func TestBacklog(t *testing.T) {
	k := New(&host.Real{}, Options{})
	l, addr := listener(t, k, 1)
	var fds []int
	for range 5 {
		fds = append(fds, dial(t, k, addr))
	}
	connected := func() (s string) {
		for _, fd := range fds {
			if ready, _ := k.Ready(fd, 'w'); ready {
				e, _ := k.Getsockopt(fd, linux.SOL_SOCKET, linux.SO_ERROR)
				s += fmt.Sprint(e[0], " ")
			} else {
				s += "- "
			}
		}
		return strings.TrimSpace(s)
	}
	if got, want := connected(), "0 0 - - -"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
	if e := k.Connect(fds[2], addr); e != linux.EALREADY {
		t.Errorf("got %v want %v", e, linux.EALREADY)
	}
	k.Close(fds[2])
	fds[2] = fds[3]
	_, _, e := k.Accept(l, 0)
	must(t, e)
	if got, want := connected(), "0 0 0 0 -"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
	must(t, k.Close(l))
	if got, want := connected(), fmt.Sprintf("0 %d %d 0 %d", linux.ECONNRESET, linux.ECONNRESET, linux.ECONNREFUSED); got != want {
		t.Errorf("got %q want %q", got, want)
	}
}

// TestPorts looks at the ports that the kernel chooses: the smallest that nobody
// has at either end of a connection.
func TestPorts(t *testing.T) {
	k := New(&host.Real{}, Options{})
	port := func(fd int) uint16 {
		addr, e := k.Getsockname(fd)
		must(t, e)
		return portOf(addr)
	}
	l, addr := listener(t, k, 5)
	a := dial(t, k, addr)
	b := dial(t, k, addr)
	if got, want := fmt.Sprint(port(l), port(a), port(b)), "32769 32768 32770"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
	server, _, e := k.Accept(l, 0)
	must(t, e, k.Close(a))
	if c := dial(t, k, addr); port(c) != 32772 {
		t.Errorf("got %d want 32772: the server knows its client by 32768", port(c))
	}
	must(t, k.Close(server))
	if c := dial(t, k, addr); port(c) != 32768 {
		t.Errorf("got %d want 32768, which is free", port(c))
	}
}

// TestSocketKey does independent things in either order: the states are equal.
func TestSocketKey(t *testing.T) {
	dir := t.TempDir()
	for name, steps := range map[string][2]func(k *Kernel, fds []int){
		"write": {
			func(k *Kernel, fds []int) { k.Write(fds[1], []byte("one")) },
			func(k *Kernel, fds []int) { k.Write(fds[3], []byte("two")) },
		},
		"read": {
			func(k *Kernel, fds []int) { k.Write(fds[1], []byte("one")); k.Read(fds[2], make([]byte, 2)) },
			func(k *Kernel, fds []int) { k.Shutdown(fds[3], 1) },
		},
		"close": {
			func(k *Kernel, fds []int) { k.Close(fds[1]) },
			func(k *Kernel, fds []int) { k.Close(fds[4]) },
		},
		"options": {
			func(k *Kernel, fds []int) { k.Setsockopt(fds[1], linux.IPPROTO_TCP, linux.TCP_NODELAY, word(1)) },
			func(k *Kernel, fds []int) { k.Setsockopt(fds[1], linux.SOL_SOCKET, linux.SO_KEEPALIVE, word(1)) },
		},
		"names": {
			func(k *Kernel, fds []int) { k.Bind(fds[5], sockaddr{name: "x"}.encode(linux.AF_UNIX)) },
			func(k *Kernel, fds []int) { k.Bind(fds[6], sockaddr{name: "\x00y"}.encode(linux.AF_UNIX)) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			key := func(order ...int) []byte {
				k := New(&host.Real{}, Options{Dir: dir})
				l, addr := listener(t, k, 5)
				fds := []int{l}
				for range 2 {
					fds = append(fds, dial(t, k, addr))
					fd, _, e := k.Accept(l, linux.SOCK_NONBLOCK)
					must(t, e)
					fds = append(fds, fd)
				}
				for range 2 {
					fd, e := k.Socket(linux.AF_UNIX, nonblocking, 0)
					must(t, e)
					fds = append(fds, fd)
				}
				for _, i := range order {
					steps[i](k, fds)
				}
				return k.AppendKey(nil)
			}
			both := key(0, 1)
			if !bytes.Equal(both, key(1, 0)) {
				t.Error("the order shows in the key")
			}
			for i := range 2 {
				if bytes.Equal(both, key(i)) {
					t.Errorf("step %d does not show in the key", 1-i)
				}
			}
		})
	}
}

// TestSocketKeyForgets makes a connection and closes it: what was before is the
// same as what is after.
func TestSocketKeyForgets(t *testing.T) {
	k := New(&host.Real{}, Options{})
	l, addr := listener(t, k, 5)
	before := k.AppendKey(nil)
	a := dial(t, k, addr)
	b, _, e := k.Accept(l, 0)
	must(t, e)
	if bytes.Equal(before, k.AppendKey(nil)) {
		t.Error("a connection does not show in the key")
	}
	must(t, k.Close(a), k.Close(b))
	if !bytes.Equal(before, k.AppendKey(nil)) {
		t.Error("a closed connection shows in the key")
	}
}

// TestSystemFiles reads the files of the modelled machine, whichever tree the
// kernel has, and cannot write them.
func TestSystemFiles(t *testing.T) {
	for _, through := range []bool{true, false} {
		k := New(&host.Real{}, Options{Through: through, Identity: process.Identity{Hostname: "loom"}})
		for name, want := range map[string]string{
			"/etc/hosts":                   "127.0.0.1\tlocalhost\n::1\tip6-localhost ip6-loopback\n127.0.0.1\tloom\n",
			"/etc/resolv.conf":             "nameserver 127.0.0.53\nsearch .\n",
			"/etc//nsswitch.conf":          "hosts: files dns\nservices: files\nprotocols: files\n",
			"/proc/sys/net/core/somaxconn": "4096\n",
		} {
			fd, e := k.Openat(files.AtCwd, name, linux.O_RDONLY, 0)
			must(t, e)
			buf := make([]byte, 1000)
			n, e := k.Read(fd, buf)
			st, e1 := k.Statat(files.AtCwd, name, 0)
			must(t, e, e1, k.Close(fd))
			if got := string(buf[:n]); got != want || st.Size != int64(n) {
				t.Errorf("%s: got %q, size %d, want %q", name, got, st.Size, want)
			}
			if _, e := k.Openat(files.AtCwd, name, linux.O_WRONLY, 0); e != linux.EROFS {
				t.Errorf("%s: got %v want %v", name, e, linux.EROFS)
			}
		}
		if _, e := k.Statat(files.AtCwd, "/etc/mdns.allow", 0); e != linux.ENOENT {
			t.Errorf("got %v want %v", e, linux.ENOENT)
		}
	}
}

// TestQuestions refuses the lookup of a name in words that tell the name,
// whichever server is asked.
func TestQuestions(t *testing.T) {
	const question = "\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03www\x07example\x03org\x00\x00\x01\x00\x01"
	for _, c := range []struct{ server, packet, want string }{
		{"127.0.0.53", question, "looking up the name www.example.org, which is not in the modelled /etc/hosts (-host www.example.org=PEER says where it is)"},
		{"192.0.2.1", question, "looking up the name www.example.org, which is not in the modelled /etc/hosts (-host www.example.org=PEER says where it is)"},
		{"127.0.0.53", question[:20], "datagram to 127.0.0.53:53, where a name server would be"},
		{"127.0.0.53", "hello", "datagram to 127.0.0.53:53, where a name server would be"},
	} {
		k := New(&host.Real{}, Options{})
		fd, e := k.Socket(linux.AF_INET, linux.SOCK_DGRAM, 0)
		to := sockaddr{ip: netip.MustParseAddr(c.server), port: 53}
		must(t, e, k.Connect(fd, to.encode(linux.AF_INET)))
		k.Write(fd, []byte(c.packet))
		if got := k.Refused(); got != c.want {
			t.Errorf("%s %q: got %q want %q", c.server, c.packet, got, c.want)
		}
	}
}
