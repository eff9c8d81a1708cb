package kernel

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// openMail opens two sockets for datagrams on the loopback interface. The first one is
// connected with the second.
func openMail(c epollCalls) (a, b int) {
	var fds [2]int
	var to []byte
	for i := range fds {
		fds[i], _ = c.Socket(linux.AF_INET, linux.SOCK_DGRAM|linux.SOCK_NONBLOCK, 0)
		c.Bind(fds[i], sockaddr{ip: own4}.encode(linux.AF_INET))
		to, _ = c.Getsockname(fds[i])
	}
	c.Connect(fds[0], to)
	return fds[0], fds[1]
}

// TestEpollRoom: a datagram that is sent is news of room for who has sent it, when Linux
// frees the buffer: with UDP at once, in the Unix domain when it is received or its
// receiver is closed.
func TestEpollRoom(t *testing.T) {
	unix := func(c epollCalls) (a, b int) {
		a, b, _ = c.Socketpair(linux.AF_UNIX, linux.SOCK_DGRAM|linux.SOCK_NONBLOCK, 0)
		return a, b
	}
	for _, tc := range []struct {
		name string
		open func(c epollCalls) (a, b int)
		acts string // s: the first sends, r: the second receives, p: it looks, c: it is closed, w: what epoll tells
		want string
	}{
		{"udp", openMail, "wwswwrw", "a4 b4, none, a4 b5, none, none"},
		{"udp twice", openMail, "wsswrwsw", "a4 b4, a4 b5, none, a4 b5"},
		{"unix", unix, "wwswwpwrw", "a4 b4, none, b5, none, none, a4"},
		{"unix twice", unix, "wsswrwrw", "a4 b4, b5, a4, a4"},
		{"unix close", unix, "wswcw", "a4 b4, b5, a4"},
		{"unix full", unix, "wssssssssssswwrwrwcw", "a4 b4, b5, none, a4, a4, a4"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			do := func(c epollCalls) string {
				ep, _ := c.EpollCreate(0)
				a, b := tc.open(c)
				for i, fd := range []int{a, b} {
					const edge = 1 << 31 // EPOLLET
					if e := c.EpollCtl(ep, linux.EPOLL_CTL_ADD, fd, linux.EvIn|linux.EvOut|edge, uint64('a'+i)); e != 0 {
						t.Fatal(e)
					}
				}
				var told []string
				for _, act := range tc.acts {
					var e linux.Errno
					switch act {
					case 's':
						_, e = c.Write(a, []byte("x"))
					case 'r':
						_, e = c.Read(b, make([]byte, 8))
					case 'p':
						_, _, e = c.Recv(b, make([]byte, 8), linux.MSG_PEEK)
					case 'c':
						e = c.Close(b)
					case 'w':
						list, e := c.EpollWait(ep, 9)
						var words []string
						for _, ev := range list {
							words = append(words, fmt.Sprintf("%c%x", rune(ev.Data), ev.Events))
						}
						if e == linux.EAGAIN {
							words = []string{"none"}
						}
						told = append(told, strings.Join(words, " "))
					}
					if e != 0 {
						t.Fatalf("%c: %v", act, e)
					}
				}
				return strings.Join(told, ", ")
			}
			real := &realHost{map[int]int{}}
			defer func() {
				for fd := range real.fds {
					real.Close(fd)
				}
			}()
			if got := do(real); got != tc.want {
				t.Errorf("the host tells %s, want %s", got, tc.want)
			}
			k := New(&host.Real{}, Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}})
			if got := do(k); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}
