package scout

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/settings"
)

var places = []sockets.Place{
	{Listens: true, Net: "tcp", Host: "::", Port: 8080},
	{Listens: true, Net: "udp", Host: "127.0.0.1", Port: 69},
	{Listens: true, Net: "unix", Host: "/run/a.sock"},
	{Net: "name", Host: "queue.internal"},
	{Net: "tcp", Host: "127.0.0.1", Port: 6379},
	{Net: "tcp", Host: "10.0.0.5", Port: 6379},
	{Net: "tcp", Host: "db.internal", Port: 5432},
	{Net: "udp", Host: "127.0.0.1", Port: 53},
}

// TestYAML: all kinds of places, as text, which heddle.yaml may have.
func TestYAML(t *testing.T) {
	s := &Sight{Target: "./server", Args: []string{"-name", "it's"}, Places: places, HTTP: true, Ended: "main.go:3:1: exit:\nexit code 1",
		Calls: []Call{{"main.go:5", `net.Listen("tcp", addr)`}}}
	const want = `# How heddle checks this package: heddle check ./server
# heddle init has written this file from a look at the program. Flags on the command
# line go before it; docs/flags.md and 'heddle help check' list all settings.

# While nobody answered, the program ended: main.go:3:1: exit: exit code 1
# It may need arguments (args), or the servers below, to go on. Then run
# heddle init -force again.

args: ['-name', 'it''s']

# Who talks to the program. Commands run in this folder by sh; {addr:N} is the
# address that the program calls port N, {port:N} its number (docs/network.md).
peers:
  # The program listens at :8080 (tcp).
  - client: curl -s http://{addr:8080}/
    count: 2        # so many of them at a time
  # The program listens at 127.0.0.1:69 (udp).
  # Put a command in the place of COMMAND, and take the # away.
  # - client: COMMAND {udp:69}
  # The program listens at /run/a.sock (unix).
  # Put a command in the place of COMMAND, and take the # away.
  # - client: COMMAND {unix:/run/a.sock}
  # The program looks up queue.internal.
  # Put a command in the place of COMMAND, and take the # away.
  # - server: COMMAND {addr}
  #   name: queue
  # The program dials 127.0.0.1:6379 (tcp), and nobody is there.
  - server: redis-server --port {port:6379}
    name: redis
  # The program dials 10.0.0.5:6379 (tcp), and nobody is there.
  - server: redis-server --port {port:6379}
    name: redis2
  # The program dials db.internal:5432 (tcp), and nobody is there.
  # Put a command in the place of COMMAND, and take the # away.
  # - server: COMMAND {addr:5432}
  #   name: db
  # The program dials 127.0.0.1:53 (udp), and nobody is there.
  # Put a command in the place of COMMAND, and take the # away.
  # - server: COMMAND {udp:53}
  #   name: server

# The names and addresses by which the program knows them.
hosts:
#   queue.internal: queue
  10.0.0.5: redis2
#   db.internal: db

# Calls in this package that listen or dial. The program may not have come to all
# of them:
#   main.go:5  net.Listen("tcp", addr)

# Settings that are often wanted:
# timeout: 5m        # end the search after that, inconclusive
# late: 0            # timers fire only when everybody waits: fewer schedules
# leak: false        # a kind of finding that is not looked for: heddle explain
# faults: reset:1    # one connection may be reset on each path: docs/network.md
`
	if got := s.YAML(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestYAMLIsRead: the file can be read, whatever is known, and also without the # before what a user has to fill in.
func TestYAMLIsRead(t *testing.T) {
	for n := range 1 << len(places) {
		s := &Sight{Target: ".", HTTP: n%3 == 0, Itself: n%5 == 0}
		for i, p := range places {
			if n&(1<<i) != 0 {
				s.Places = append(s.Places, p)
			}
		}
		text := s.YAML()
		if _, err := settings.Parse("heddle.yaml", []byte(text)); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		var lines []string
		for line := range strings.SplitSeq(text, "\n") {
			trimmed := strings.TrimLeft(line, " ")
			if rest, ok := strings.CutPrefix(trimmed, "# "); ok && (strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "  name:") || rest == "peers:" || rest == "hosts:" || strings.HasPrefix(rest, "  ") && strings.Contains(rest, ".internal: ")) {
				line = strings.Repeat(" ", len(line)-len(trimmed)) + rest
			}
			lines = append(lines, line)
		}
		entries, err := settings.Parse("heddle.yaml", []byte(strings.Join(lines, "\n")))
		if err != nil {
			t.Fatalf("%v:\n%s", err, strings.Join(lines, "\n"))
		}
		has := slices.ContainsFunc(entries, func(e settings.Entry) bool { return e.Name == "peers" && e.Nested() })
		if want := len(s.peers()) > 0; has != want {
			t.Fatalf("peers: %t, want %t:\n%s", has, want, strings.Join(lines, "\n"))
		}
	}
}

// TestCalls: by the names of what is called.
func TestCalls(t *testing.T) {
	file := filepath.Join(t.TempDir(), "main.go")
	text := `package main

func main() {
	l, _ := net.Listen("tcp",
		":1")
	d.DialContext(ctx, "udp", a)
	http.HandleFunc("/", nil)
	s.ServeHTTP(w, r)
	list.Listener()
	http.ListenAndServe(` + strings.Repeat("x", 90) + `)
}
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	want := []Call{
		{"main.go:4", `net.Listen("tcp", ":1")`},
		{"main.go:6", `d.DialContext(ctx, "udp", a)`},
		{"main.go:10", "http.ListenAndServe(" + strings.Repeat("x", 59) + "…"},
	}
	if got := Calls([]string{file, "nosuch.go"}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
