package kernel

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
)

// TestTalk listens to both ends of a connection of the modelled machine.
func TestTalk(t *testing.T) {
	k := New(&host.Real{}, Options{})
	names := map[string]string{}
	var got []string
	k.Talk = func(t sockets.Talk) {
		text := fmt.Sprintf("%d %s %s %q", t.Kind, t.With, t.At, t.Data)
		if t.Err != 0 {
			text += " " + t.Err.Error()
		}
		for addr, name := range names {
			text = strings.ReplaceAll(text, addr, name)
		}
		got = append(got, text)
	}
	l, e := k.Socket(linux.AF_INET, nonblocking, 0)
	must(t, e, k.Bind(l, sockaddr{ip: own4, port: 2626}.encode(linux.AF_INET)), k.Listen(l, 5))
	addr, e := k.Getsockname(l)
	must(t, e)
	a := dial(t, k, addr)
	from, e := k.Getsockname(a)
	must(t, e)
	local := netip.AddrPortFrom(netip.AddrFrom4([4]byte(from[4:])), binary.BigEndian.Uint16(from[2:]))
	names[local.String()] = "caller"
	b, _, e := k.Accept(l, linux.SOCK_NONBLOCK)
	must(t, e)
	buf := make([]byte, 10)
	if _, e := k.Read(b, buf); e != linux.EAGAIN { // is not told
		t.Fatalf("got %v want %v", e, linux.EAGAIN)
	}
	_, e = k.Write(a, []byte("ping"))
	must(t, e)
	_, e = k.Read(b, buf[:3])
	must(t, e, k.Shutdown(a, 1))
	_, e = k.Read(b, buf)
	must(t, e)
	_, e = k.Read(b, buf)
	must(t, e)
	_, e = k.Write(b, []byte("lost"))
	must(t, e, k.Close(a), k.Close(b), k.Close(l))
	dial(t, k, addr)
	want := []string{
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 ""`, sockets.Listens),
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 ""`, sockets.Connects),
		fmt.Sprintf(`%d caller 127.0.0.1:2626 ""`, sockets.Accepts),
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 "ping"`, sockets.Writes),
		fmt.Sprintf(`%d caller 127.0.0.1:2626 "pin"`, sockets.Reads),
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 ""`, sockets.Shuts),
		fmt.Sprintf(`%d caller 127.0.0.1:2626 "g"`, sockets.Reads),
		fmt.Sprintf(`%d caller 127.0.0.1:2626 ""`, sockets.Reads),
		fmt.Sprintf(`%d caller 127.0.0.1:2626 "lost"`, sockets.Writes),
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 ""`, sockets.Resets),
		fmt.Sprintf(`%d caller 127.0.0.1:2626 ""`, sockets.Closes),
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 ""`, sockets.Unlistens),
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 "" connection refused`, sockets.Connects),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
