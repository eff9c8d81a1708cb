//go:build linux

package peer

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
)

func TestParseSpec(t *testing.T) {
	tests := []struct {
		role    Role
		text    string
		command string
		addr    string
		err     string
	}{
		{Server, "localhost:8080", "", "localhost:8080", ""},
		{Server, "[::1]:8080", "", "[::1]:8080", ""},
		{Server, "./server -listen {addr:80}", "./server -listen {addr:80}", "", ""},
		{Server, "./server", "./server", "", ""},
		{Server, "host:0", "", "", `server: want host:port, have "host:0"`},
		{Server, "", "", "", "server: want one of a command, arguments and an address, have 0"},
		{Server, "s {addr:1} {addr:2}", "", "", "server: mentions 2 ports (1, 2): only one can be told apart: use a peer for each"},
		{Server, "s {addr:1} {addr:1} {program:2}", "s {addr:1} {addr:1} {program:2}", "", ""},
		{Server, "s {addr:65536}", "", "", "server: {addr:65536}: want a port from 1 to 65535"},
		{Server, "redis-server --port {port:6379} --bind 127.0.0.1", "redis-server --port {port:6379} --bind 127.0.0.1", "", ""},
		{Server, "s {port:1} {addr:1}", "s {port:1} {addr:1}", "", ""},
		{Server, "s {port:1} {addr:2}", "", "", "server: mentions 2 ports (1, 2): only one can be told apart: use a peer for each"},
		{Server, "s {port:0}", "", "", "server: {port:0}: want a port from 1 to 65535"},
		{Server, "s {prt:80}", "", "", "server: {prt:80}: there are {addr}, {port}, {udp}, {udpport}, {program}, all of them also with a number as in {addr:8080}, {unix:/path} and {n}"},
		{Client, "curl http://{addr}/", "curl http://{addr}/", "", ""},
		{Client, "c {addr} {addr:80}", "", "", "client: mentions 2 ports ({addr}, 80): only one can be told apart: use a peer for each"},
		{Client, "localhost:80", "", "", "-client localhost:80: a client must be a command, since it is launched when the program is ready to accept"},
	}
	for _, test := range tests {
		s, err := ParseSpec(test.role, test.text)
		if test.err != "" {
			var e *diag.Error
			if !errors.As(err, &e) || e.Kind != diag.Usage || err.Error() != test.err {
				t.Errorf("%q: got error %v, want %s", test.text, err, test.err)
			}
			continue
		}
		if err != nil || s.Command != test.command || s.Addr != test.addr || s.Role != test.role {
			t.Errorf("%q: got %+v %v, want command %q, address %q", test.text, s, err, test.command, test.addr)
		}
	}
}

func TestFill(t *testing.T) {
	a := addressing{listen: netip.MustParseAddrPort("127.0.0.1:1111"), program: netip.MustParseAddrPort("127.0.0.1:2222"), udp: netip.MustParseAddrPort("127.0.0.1:3333")}
	const text = "x {addr} {addr:80} {program:90} {n} {port} {port:80} {udp:69} {udpport} {udpport:69} {other} {addr"
	for _, test := range []struct {
		role Role
		want string
	}{
		{Server, "x 127.0.0.1:1111 127.0.0.1:1111 127.0.0.1:2222 3 1111 1111 127.0.0.1:3333 3333 3333 {other} {addr"},
		{Client, "x 127.0.0.1:2222 127.0.0.1:2222 127.0.0.1:2222 3 2222 2222 127.0.0.1:3333 3333 3333 {other} {addr"},
	} {
		s := Spec{Role: test.role, Count: 3, Env: []string{"A={addr}"}}
		if got := a.fill(&s, text); got != test.want {
			t.Errorf("%v: got %q, want %q", test.role, got, test.want)
		}
		addr := strings.Fields(test.want)[1]
		want := fmt.Sprintf("[HEDDLE_ADDR=%s HEDDLE_N=3 A=%s]", addr, addr)
		if got := fmt.Sprint(a.env(&s)); got != want {
			t.Errorf("%v: got environment %s, want %s", test.role, got, want)
		}
	}
}

func TestMisspelt(t *testing.T) {
	for _, text := range []string{
		"{prt}", "{prt:80}", "{port:x}", "{port:}", "{addr:http}", "{adr:80}", "{addrs}", "{ADDR}", "{Port:80}", "{prot}", "{upd:69}",
		"{programm:90}", "{pert:80}", "{udp:-1}", "x{ports:1}y",
	} {
		if got := misspelt("a {n} {addr} " + text + " b"); !strings.Contains(text, got) || got == "" {
			t.Errorf("%s: got %q", text, got)
		}
	}
	for _, text := range []string{
		"{addr} {port:80} {udp} {udpport:69} {program:9} {n}", "${port}", "${prt}", "${port:-80}", "{a,b}", "awk '{print $1}'", "{sort}", "{post}", "{ port }",
		"jq '{name: .x}'", "f'{n:3}'", "{host}", "{pool:80}", "{}", "{1..3}", "{port,prt}", "find . -exec ls {} +", "{up}", `{"port":1}`,
	} {
		if got := misspelt(text); got != "" {
			t.Errorf("%s: got %q, want nothing", text, got)
		}
	}
}

func TestMergeEnv(t *testing.T) {
	got := fmt.Sprint(mergeEnv([]string{"A=1", "B=2", "A=3"}, []string{"B=4", "C="}))
	if want := "[A=3 B=4 C=]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTwoOfAName(t *testing.T) {
	_, err := NewGroup([]Spec{{Role: Client, Command: "a"}, {Role: Client, Command: "b"}})
	if err == nil || err.Error() != "two peers are called client: give them names" {
		t.Errorf("got %v, want two peers are called client", err)
	}
}

func TestOutputIsBounded(t *testing.T) {
	var o output
	for i := range 100_000 {
		o.add(fmt.Appendf(nil, "%d\n", i))
	}
	got := o.String()
	if len(got) > 4*maxOutput || !strings.HasPrefix(got, "0\n1\n") || !strings.HasSuffix(got, "99999\n") || !strings.Contains(got, " bytes left out]") {
		t.Errorf("got %d bytes, want beginning and end in at most %d", len(got), 4*maxOutput)
	}
}

func TestParseNetTCP(t *testing.T) {
	const v4 = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1667 1 000000006eb9a6b3 100 0 0 10 0
   1: 0100007F:DE44 0100007F:951F 06 00000000:00000000 03:00000D54 00000000     0        0 0 3 0000000010faf86b
`
	const v6 = `   0: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 42 1 000000006eb9a6b3 100 0 0 10 0
`
	got := ""
	for _, s := range append(parseNetTCP([]byte(v4)), parseNetTCP([]byte(v6))...) {
		got += fmt.Sprintf("%v %d %d;", s.local, s.state, s.inode)
	}
	if want := "127.0.0.1:8080 10 1667;127.0.0.1:56900 6 0;[::1]:80 10 42;"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDirect(t *testing.T) {
	for command, want := range map[string]string{
		"python3 server.py 127.0.0.1:80":     "exec python3 server.py 127.0.0.1:80",
		"./server -x 'a b' >log 2>/dev/null": "exec ./server -x 'a b' >log 2>/dev/null",
		"cd /tmp && ./server":                "cd /tmp && ./server",
		"A=b ./server":                       "A=b ./server",
		"if true; then ./server; fi":         "if true; then ./server; fi",
		"./server | tee log":                 "./server | tee log",
		"exec ./server":                      "exec ./server",
		"$SERVER x":                          "$SERVER x",
		"./server $(date)":                   "./server $(date)",
		"":                                   "",
	} {
		if got := direct(command); got != want {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}
