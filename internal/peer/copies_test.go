//go:build linux

package peer

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/iocache"
)

// counting is a server that counts the lines it was ever told, in one thread. A line that is the name of a file is
// also added to that file.
const counting = `
import os, select, socket, sys
host, port = sys.argv[1].split(':')
l = socket.socket()
l.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
l.bind((host, int(port)))
l.listen()
conns, n, rest = [l], 0, {}
if len(sys.argv) > 2:
    open(sys.argv[2], 'w').close()
while True:
    for s in select.select(conns if len(conns) < 3 else conns[1:], [], [])[0]:
        if s is l:
            conns.append(l.accept()[0])
            continue
        data = s.recv(1000)
        if not data:
            conns.remove(s)
            continue
        for line in data.decode().split():
            if line == 'die':
                os._exit(3)
            n += 1
            if line.startswith('/'):
                with open(line, 'a') as f:
                    f.write('x')
                s.send(b'%d %d\n' % (n, os.stat(line).st_size))
            else:
                s.send(b'%d\n' % n)
`

func countingServer(t *testing.T, args ...string) Spec {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("processes are copied on amd64 only")
	}
	return Spec{Role: Server, Args: append([]string{"python3", "-c", counting, "{addr}"}, args...), Copied: true, Ready: hang, Answer: hang}
}

var wholeServer = iocache.HistoryID{Peer: "server", Whole: true}

// TestCopies: each copy is as the server was before anybody had talked to it, also if somebody has talked to another copy.
func TestCopies(t *testing.T) {
	g := newGroup(t, countingServer(t))
	for range 8 {
		l := start(t, g, wholeServer)
		l.hear("")
		l.say(iocache.Open, out(0), "", "")
		l.say(iocache.Write, out(0), "a\n", "main#0 1")
		l.say(iocache.Open, out(1), "", "")
		l.say(iocache.Write, out(1), "b\nc\n", "main#1 2|3")
		l.say(iocache.Open, out(2), "", "") // which the server does not accept any more
		l.p.Stop()
	}
	if s := g.Stats(); s.Launches != 2 || s.Copies != 7 {
		t.Errorf("got %d launches and %d copies, want 2 and 7: %v", s.Launches, s.Copies, g.Uncopied())
	}
}

// TestCopyDies: the end of a copy is told as that of a server that was started.
func TestCopyDies(t *testing.T) {
	g := newGroup(t, countingServer(t))
	for range 3 {
		l := start(t, g, wholeServer)
		l.hear("")
		l.say(iocache.Open, out(0), "", "")
		if err := l.p.Do(iocache.Request{Kind: iocache.Write, Conn: out(0), Data: []byte("die\n")}); err != nil {
			t.Fatal(err)
		}
		if _, err := l.heard(); err == nil || !strings.Contains(err.Error(), "exit status 3") {
			t.Errorf("got %v, want that the peer died", err)
		}
		l.p.Stop()
	}
}

// TestCopiesAndFiles: a server that clears its file when it starts finds it empty in each run. Copies would not.
func TestCopiesAndFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	g := newGroup(t, countingServer(t, file))
	for range 4 {
		l := start(t, g, wholeServer)
		l.hear("")
		l.say(iocache.Open, out(0), "", "")
		l.say(iocache.Write, out(0), "a\n", "main#0 1")
		l.say(iocache.Write, out(0), file+"\n", "main#0 2 1")
		l.p.Stop()
	}
	if s := g.Stats(); s.Copies != 0 || s.Launches != 4 {
		t.Errorf("got %d launches and %d copies, want 4 and 0", s.Launches, s.Copies)
	}
	if got := strings.Join(g.Uncopied(), " "); !strings.Contains(got, "it changes files") {
		t.Errorf("got %q, want that it changes files", got)
	}
}

// TestSparesAndFiles: nor does one that was started before the one in use has written.
func TestSparesAndFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	spec := countingServer(t, file)
	spec.Copied = false
	g := newGroup(t, spec)
	for i := range 6 {
		l := start(t, g, wholeServer)
		l.hear("")
		l.say(iocache.Open, out(0), "", "")
		l.say(iocache.Write, out(0), "a\n", "main#0 1")
		if i == 2 { // the spares have cleared the file when this one writes
			for _, there := range g.spares["server"].ready {
				spare := <-there
				there <- spare
			}
		}
		if i >= 2 {
			l.say(iocache.Write, out(0), file+"\n", "main#0 2 1")
		}
		l.p.Stop()
	}
}

// TestNotCopied: a server that cannot be copied, or must not be, is started again.
func TestNotCopied(t *testing.T) {
	started := countingServer(t)
	started.Started = true
	threads := helper(Server, "echo", "{addr}")
	threads.Copied = true
	for name, spec := range map[string]Spec{"started": started, "threads": threads} {
		t.Run(name, func(t *testing.T) {
			g := newGroup(t, spec)
			for range 3 {
				l := start(t, g, wholeServer)
				l.hear("")
				l.p.Stop()
			}
			if s := g.Stats(); s.Copies != 0 || s.Launches != 3 {
				t.Errorf("got %d launches and %d copies, want 3 and 0", s.Launches, s.Copies)
			}
		})
	}
}

// TestCopiesEnd: neither a copy nor what it was copied from outlives the keeper, whatever ends that.
func TestCopiesEnd(t *testing.T) {
	g, err := NewGroup([]Spec{countingServer(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for range 2 {
		p, err := g.Start(wholeServer)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Stop()
	}
	var pids []int
	for _, r := range g.runs {
		pids = append(pids, r.pid)
	}
	if len(pids) != 3 || !g.runs[2].copied {
		t.Fatalf("got %d runs, want the first, a template and its copy", len(pids))
	}
	g.keeper.cmd.Process.Kill()
	for end := time.Now().Add(hang); ; time.Sleep(time.Millisecond) {
		left := 0
		for _, pid := range pids {
			if alive(pid) {
				left++
			}
		}
		if left == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d of %d processes are left", left, len(pids))
		}
	}
}
