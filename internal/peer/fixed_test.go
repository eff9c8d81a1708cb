package peer

import (
	"crypto/rand"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/iocache"
)

func init() {
	// Says what a Go program takes for time and random numbers.
	helpers["random"] = func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			var b strings.Builder
			key := make([]byte, 8)
			rand.Read(key)
			some := make(map[int]bool)
			for i := range 20 {
				some[i] = true
			}
			fmt.Fprintf(&b, "%x %d %s", key, mathrand.Int64(), time.Now().Format(time.RFC3339Nano))
			for i := range some {
				fmt.Fprint(&b, " ", i)
			}
			fmt.Fprintln(&b)
			io.WriteString(c, b.String())
		})
	}
	// Answers by what a command says.
	helpers["run"] = func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			text, err := exec.Command(args[1], args[2:]...).CombinedOutput()
			if err != nil {
				text = fmt.Append(text, err)
			}
			c.Write(text)
		})
	}
}

// runs asks a server in several runs, by some requests on two connections in each, and returns what it says in each.
func runs(t *testing.T, spec Spec, n int, lines ...string) (answers []string) {
	t.Helper()
	g := newGroup(t, spec)
	if got := len(g.Fixed()); spec.Fixed && got != 1 {
		t.Skipf("system calls cannot be watched here: %v", g.Notes())
	}
	for range n {
		l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
		l.hear("")
		var all strings.Builder
		for i, line := range lines {
			conn := out(i % 2)
			if i < 2 {
				l.say(iocache.Open, conn, "", "")
			}
			if err := l.p.Do(iocache.Request{Kind: iocache.Write, Conn: conn, Data: []byte(line)}); err != nil {
				t.Fatal(err)
			}
			text, err := l.heard()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&all, text)
		}
		l.p.Stop()
		answers = append(answers, all.String())
	}
	if notes := g.Notes(); len(notes) > 0 {
		t.Errorf("got notes %q, want none", notes)
	}
	return answers
}

// compile compiles a program in C.
func compile(t *testing.T, file string, flags ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "program")
	if text, err := exec.Command("gcc", append(flags, "-o", name, file)...).CombinedOutput(); err != nil {
		t.Skipf("gcc: %v %s", err, text)
	}
	return name
}

const pythonServer = `
import os, random, socket, sys, time, uuid
host, port = sys.argv[1].split(':')
l = socket.socket()
l.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
l.bind((host, int(port)))
l.listen()
import selectors
s = selectors.DefaultSelector()
s.register(l, selectors.EVENT_READ)
while True:
    for key, _ in s.select():
        if key.fileobj is l:
            s.register(l.accept()[0], selectors.EVENT_READ)
            continue
        c = key.fileobj
        if not c.recv(1000):
            s.unregister(c)
            continue
        c.sendall(f'{os.urandom(8).hex()} {time.time()} {random.random()} {uuid.uuid4()} {hash("x")} {id(s)} {set("abcdefgh")}\n'.encode())
`

// TestFixed: a server whose time and random numbers are fixed says the same in each run, in whatever language it is written.
// One for which they are not does not, or else the test would show nothing.
func TestFixed(t *testing.T) {
	python := func(t *testing.T) Spec {
		if _, err := exec.LookPath("python3"); err != nil {
			t.Skip("python3 is not installed")
		}
		return Spec{Role: Server, Args: []string{"python3", "-c", pythonServer, "{addr}"}, Ready: hang, Answer: hang}
	}
	for _, test := range []struct {
		name string
		spec func(t *testing.T) Spec
	}{
		{"go", func(*testing.T) Spec { return helper(Server, "random", "{addr}") }},
		{"python", python},
		{"shell", func(*testing.T) Spec {
			return helper(Server, "run", "{addr}", "sh", "-c", "date +%s.%N; head -c 8 /dev/urandom | od -tx1; mktemp -u; date")
		}},
		{"c", func(t *testing.T) Spec { return helper(Server, "run", "{addr}", compile(t, "testdata/ask.c")) }},
		{"c without libraries", func(t *testing.T) Spec {
			return helper(Server, "run", "{addr}", compile(t, "testdata/ask.c", "-static"))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := test.spec(t)
			lines := []string{"a\n", "b\n", "c\n"}
			if got := runs(t, spec, 2, lines...); got[0] == got[1] {
				t.Errorf("not fixed: got %q twice, want a server that does not repeat itself", got[0])
			}
			spec.Fixed = true
			got := runs(t, spec, 5, lines...)
			for i := range got {
				if got[i] != got[0] {
					t.Errorf("got\n%swant\n%s", got[i], got[0])
				}
			}
			if words := strings.Count(got[0], "waited all truly"); strings.HasPrefix(test.name, "c") && words != len(lines) {
				t.Errorf("got %s, want that it waits until the end %d times", got[0], len(lines))
			}
			t.Log(got[0])
		})
	}
}
