package kernel

import (
	"fmt"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
)

func TestParseFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "",
		"reset":             "reset:1",
		"short:2,reset":     "reset:1,short:2",
		"eof,eof":           "eof:2",
		"reset:0":           "error: reset:0: say how often, as reset:2",
		"lightning":         `error: unknown fault "lightning": say reset, eof, refuse, short, timeout`,
		"timeout:1,refuse":  "refuse:1,timeout:1",
		"reset, short:many": "error:  short:many: say how often, as short:2",
	} {
		f, err := sockets.ParseFaults(text)
		got := f.String()
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestInject: what each fault does to the two ends of a connection, and that there
// are no more of them than were allowed.
func TestInject(t *testing.T) {
	for _, test := range []struct {
		fault sockets.Fault
		near  string // the call itself, then what the near and the far end read
	}{
		{sockets.FaultReset, "connection reset by peer; 0 errno 0; 0 connection reset by peer"},
		{sockets.FaultTimeout, "connection timed out; 0 errno 0; 0 connection reset by peer"},
		{sockets.FaultEOF, "errno 0; 0 errno 0; 0 resource temporarily unavailable"},
		{sockets.FaultShort, "errno 0; 2 errno 0; 0 resource temporarily unavailable"},
	} {
		var faults sockets.Faults
		faults[test.fault] = 1
		k := New(&host.Real{}, Options{Settings: sockets.Settings{Faults: faults}})
		near, far := connectedPair(t, k)
		if _, e := k.Write(far, []byte("ab")); e != 0 {
			t.Fatal(e)
		}
		before := string(k.AppendKey(nil))
		m := k.Mark()
		if got := k.FaultsAt(nil, near, sockets.CallRead, 8); len(got) != 1 || got[0] != test.fault {
			t.Fatalf("%v: got %v, want it alone", test.fault, got)
		}
		e := k.Inject(near, test.fault)
		if got := k.FaultsAt(nil, near, sockets.CallRead, 8); len(got) != 0 {
			t.Errorf("%v: got %v after it has happened, want none", test.fault, got)
		}
		read := func(fd int) string {
			n, e := k.Read(fd, make([]byte, 8))
			return fmt.Sprintf("%d %v", n, e)
		}
		if got := fmt.Sprintf("%v; %s; %s", e, read(near), read(far)); got != test.near {
			t.Errorf("%v: got %q, want %q", test.fault, got, test.near)
		}
		k.Restore(m)
		if string(k.AppendKey(nil)) != before {
			t.Errorf("%v: the state did not come back", test.fault)
		}
	}
}

// connectedPair returns the ends of a connection over the loopback interface.
func connectedPair(t *testing.T, k *Kernel) (near, far int) {
	t.Helper()
	check := func(e linux.Errno) {
		if e != 0 && e != linux.EINPROGRESS {
			t.Helper()
			t.Fatal(e)
		}
	}
	socket := func() int {
		fd, e := k.Socket(linux.AF_INET, linux.SOCK_STREAM|linux.SOCK_NONBLOCK, 0)
		check(e)
		return fd
	}
	l := socket()
	at := sockaddr{ip: own4, port: 4000}.encode(linux.AF_INET)
	check(k.Bind(l, at))
	check(k.Listen(l, 1))
	near = socket()
	check(k.Connect(near, at))
	check(k.Connect(near, at))
	far, _, e := k.Accept(l, linux.SOCK_NONBLOCK)
	check(e)
	return near, far
}
