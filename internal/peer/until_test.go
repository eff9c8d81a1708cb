//go:build linux

package peer

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/iocache"
)

func init() {
	// Answers by what a command says to each line.
	helpers["tell"] = func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			text, err := exec.Command(args[1], line).CombinedOutput()
			if err != nil {
				text = fmt.Append(text, err)
			}
			c.Write(text)
		})
	}
	// Answers when so many milliseconds have passed on the calendar, at which it looks after each of its short waits.
	helpers["until"] = func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			ms, _ := strconv.Atoi(line)
			end := time.Now().UnixMilli() + int64(ms)
			for time.Now().UnixMilli() < end {
				time.Sleep(50 * time.Millisecond)
			}
			io.WriteString(c, line+" over\n")
		})
	}
}

// pythonAccepts is how a server in Python begins that has one connection, c.
const pythonAccepts = `
import select, socket, sys, time
host, port = sys.argv[1].split(':')
l = socket.socket()
l.bind((host, int(port)))
l.listen()
c = l.accept()[0]
`

// pythonUntil answers when so many milliseconds have passed on the calendar. Before each look it waits for input, in one thread.
const pythonUntil = pythonAccepts + `while True:
    line = c.recv(1000).decode()
    if not line:
        break
    start = time.time()
    while time.time() < start + int(line) / 1000:
        select.select([c], [], [], 0.1)
    c.sendall(f'{line.strip()} over at {time.time()} after {round(time.time() - start, 1)} s\n'.encode())
`

// TestFixedUntil: a peer whose date is fixed, and that goes around until a date, gets there in whatever way it waits, and at the same date in each run.
func TestFixedUntil(t *testing.T) {
	ways := []string{"select", "pselect", "poll", "ppoll", "epoll", "cond", "sem", "sigtimedwait", "sleep", "sleep until", "itimer", "timer", "timerfd", "timerfd until", "timerfd monotonic"}
	python := func(t *testing.T) Spec {
		if _, err := exec.LookPath("python3"); err != nil {
			t.Skip("python3 is not installed")
		}
		return Spec{Role: Server, Args: []string{"python3", "-c", pythonUntil, "{addr}"}, Ready: hang, Answer: hang}
	}
	for _, test := range []struct {
		name  string
		spec  func(t *testing.T) Spec
		lines []string
	}{
		{"c", func(t *testing.T) Spec { return helper(Server, "tell", "{addr}", compile(t, "testdata/until.c")) }, ways},
		{"python", python, []string{"150", "100"}},
		{"go", func(*testing.T) Spec { return helper(Server, "until", "{addr}") }, []string{"40", "30"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := test.spec(t)
			spec.Fixed = true
			g := newGroup(t, spec)
			if len(g.Fixed()) != 1 {
				t.Skipf("system calls cannot be watched here: %v", g.Notes())
			}
			var first string
			for range 2 {
				l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
				l.hear("")
				l.say(iocache.Open, out(0), "", "")
				var all strings.Builder
				for _, line := range test.lines {
					if err := l.p.Do(iocache.Request{Kind: iocache.Write, Conn: out(0), Data: []byte(line + "\n")}); err != nil {
						t.Fatal(err)
					}
					text, err := l.heard()
					if err != nil || text == "" {
						t.Fatalf("after %q: got %q, %v, want an answer", line, text, err)
					}
					fmt.Fprintln(&all, text)
				}
				l.p.Stop()
				if first == "" {
					first = all.String()
					t.Log(first)
				}
				if got := all.String(); got != first {
					t.Errorf("got\n%swant\n%s", got, first)
				}
			}
		})
	}
}

// pythonTicker tells the date when it is asked, and looks around all the time.
const pythonTicker = pythonAccepts + `while True:
    if select.select([c], [], [], 0.02)[0]:
        if not c.recv(1000):
            break
        c.sendall(f'{time.time()}\\n'.encode())
`

// TestFixedIdle: how long a peer was idle, while it looked around, does not show in its date. What was about to run out when it was asked may.
func TestFixedIdle(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	g := newGroup(t, Spec{Role: Server, Args: []string{"python3", "-c", pythonTicker, "{addr}"}, Ready: hang, Answer: hang, Fixed: true})
	if len(g.Fixed()) != 1 {
		t.Skipf("system calls cannot be watched here: %v", g.Notes())
	}
	l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
	l.hear("")
	l.say(iocache.Open, out(0), "", "")
	var dates [2]float64
	for i := range dates {
		time.Sleep(300 * time.Millisecond)
		if err := l.p.Do(iocache.Request{Kind: iocache.Write, Conn: out(0), Data: []byte("when\n")}); err != nil {
			t.Fatal(err)
		}
		text, err := l.heard()
		if _, scan := fmt.Sscanf(text, "main#0 %f", &dates[i]); err != nil || scan != nil {
			t.Fatalf("got %q, %v, want a date", text, err)
		}
	}
	if passed := dates[1] - dates[0]; passed < 0 || passed > 0.05 {
		t.Errorf("between %f and %f: got %f s, want less than three times 20 ms", dates[0], dates[1], passed)
	}
}

// TestFixedLinger: a peer that goes around for longer is taken to be quiet. But it is heard before anybody says that it never answers.
func TestFixedLinger(t *testing.T) {
	spec := helper(Server, "until", "{addr}")
	spec.Fixed = true
	g := newGroup(t, spec)
	if len(g.Fixed()) != 1 {
		t.Skipf("system calls cannot be watched here: %v", g.Notes())
	}
	l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
	l.hear("")
	l.say(iocache.Open, out(0), "", "")
	l.say(iocache.Write, out(0), "1000\n", "")
	var unasked *Unasked
	if err := l.p.(iocache.Lingering).Linger(); !errors.As(err, &unasked) || string(unasked.Data) != "1000 over\n" {
		t.Errorf("got %v, want that the peer has said something", err)
	}
}
