package kernel

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/host"
)

// TestTalk listens to both ends of a connection of the modelled machine.
func TestTalk(t *testing.T) {
	k := New(&host.Real{}, Options{})
	names := map[string]string{}
	var got []string
	k.Talk = func(t Talk) {
		text := fmt.Sprintf("%d %s %s %q", t.Kind, t.With, t.At, t.Data)
		if t.Err != 0 {
			text += " " + t.Err.Error()
		}
		for addr, name := range names {
			text = strings.ReplaceAll(text, addr, name)
		}
		got = append(got, text)
	}
	l, e := k.Socket(syscall.AF_INET, nonblocking, 0)
	must(t, e, k.Bind(l, address{ip: loopback4, port: 2626}.encode(syscall.AF_INET)), k.Listen(l, 5))
	addr, e := k.Getsockname(l)
	must(t, e)
	a := dial(t, k, addr)
	from, e := k.Getsockname(a)
	must(t, e)
	local, e := decode(syscall.AF_INET, from)
	must(t, e)
	names[local.String()] = "caller"
	b, _, e := k.Accept(l, syscall.SOCK_NONBLOCK)
	must(t, e)
	buf := make([]byte, 10)
	if _, e := k.Read(b, buf); e != syscall.EAGAIN { // is not told
		t.Fatalf("got %v want %v", e, syscall.EAGAIN)
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
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 ""`, Listens),
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 ""`, Connects),
		fmt.Sprintf(`%d caller 127.0.0.1:2626 ""`, Accepts),
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 "ping"`, Writes),
		fmt.Sprintf(`%d caller 127.0.0.1:2626 "pin"`, Reads),
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 ""`, Shuts),
		fmt.Sprintf(`%d caller 127.0.0.1:2626 "g"`, Reads),
		fmt.Sprintf(`%d caller 127.0.0.1:2626 ""`, Reads),
		fmt.Sprintf(`%d caller 127.0.0.1:2626 "lost"`, Writes),
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 ""`, Resets),
		fmt.Sprintf(`%d caller 127.0.0.1:2626 ""`, Closes),
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 ""`, Unlistens),
		fmt.Sprintf(`%d 127.0.0.1:2626 127.0.0.1:2626 "" connection refused`, Connects),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
