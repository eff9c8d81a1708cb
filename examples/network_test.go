package examples

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/testlong"
)

// networked are the programs with a network, which end by themselves if their
// other side does.
var networked = []string{
	"alphabet/client", "alphabet/server", "chat/client", "chat/server", "daytime/client", "daytime/server",
	"httprace/server", "jget/client", "jget/server", "jget/http/client", "jget/http/server",
	"limitlistener/stuck", "limitlistener/fixed",
	"alphabet/udp/client", "alphabet/udp/server", "filetransfer/client", "filetransfer/server",
	"alphabet/epoll/client", "alphabet/epoll/server", "alphabet/deadline/client", "alphabet/deadline/server",
	"eventloop/server", "twochannel/client", "evio/serve", "evio/shutdown",
}

// networkedBugs are the folders of their versions with a bug, and what is found.
var networkedBugs = map[string]string{
	"alphabet/client/buggy":       "assert",
	"alphabet/server/buggy":       "assert",
	"chat/server/buggy":           "race",
	"chat/server/buggy/leave":     "race",
	"httprace/server/buggy":       "race",
	"jget/client/buggy":           "assert",
	"filetransfer/client/buggy":   "assert",
	"alphabet/epoll/server/buggy": "assert",
	"eventloop/server/buggy":      "race",
	"twochannel/client/buggy":     "assert",
}

func TestNetworkedBugsAreMarkedAndNamed(t *testing.T) {
	for dir, want := range networkedBugs {
		text := read(t, dir, "main.go")
		if got := strings.Count(text, "// BUG: "); got != 1 {
			t.Errorf("%s: got %d lines marked BUG, want 1", dir, got)
		}
		if m := finding.FindStringSubmatch(text); m == nil || m[1] != want {
			t.Errorf("%s: got finding %q in the package comment, want %q", dir, m, want)
		}
	}
}

// TestLimitListener looks whether the two modules have the versions that the issue
// names, and the same program.
func TestLimitListener(t *testing.T) {
	if read(t, "limitlistener/stuck/main.go") != read(t, "limitlistener/fixed/main.go") {
		t.Error("got two programs, want one with two versions of the package")
	}
	for dir, version := range map[string]string{
		"stuck": "v0.0.0-20180320002117-6078986fec03",
		"fixed": "v0.0.0-20180404174746-b3c676e531a6",
	} {
		want := "\nrequire golang.org/x/net " + version + "\n"
		if got := read(t, "limitlistener", dir, "go.mod"); !strings.Contains(got, want) {
			t.Errorf("%s: got go.mod\n%swant %s", dir, got, want)
		}
	}
}

// TestTFTP looks whether the two modules have the versions that the issue names, and
// the same programs.
func TestTFTP(t *testing.T) {
	for _, dir := range []string{"ack", "shutdown"} {
		if read(t, "tftp/old", dir, "main.go") != read(t, "tftp/new", dir, "main.go") {
			t.Errorf("%s: got two programs, want one with two versions of the package", dir)
		}
	}
	for dir, version := range map[string]string{"old": "v3.1.0", "new": "v3.2.0"} {
		want := "github.com/pin/tftp/v3 " + version + "\n"
		if got := read(t, "tftp", dir, "go.mod"); !strings.Contains(got, want) {
			t.Errorf("%s: got go.mod\n%swant %s", dir, got, want)
		}
	}
}

// TestEvio looks whether the module has the version that the issue names.
func TestEvio(t *testing.T) {
	const want = "\nrequire github.com/tidwall/evio v1.0.8\n"
	if got := read(t, "evio/go.mod"); !strings.Contains(got, want) {
		t.Errorf("got go.mod\n%swant %s", got, want)
	}
}

// A native builds and runs the programs with plain go.
type native struct {
	bin   string
	ctx   context.Context // ends programs that do not end, and the test with them
	built map[string]bool // by folder
}

func newNative(t *testing.T) *native {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(cancel)
	return &native{t.TempDir(), ctx, map[string]bool{}}
}

// path builds the binary of a folder, if that has not been done, and returns where it is.
func (n *native) path(t *testing.T, dir string) string {
	t.Helper()
	bin := filepath.Join(n.bin, strings.ReplaceAll(dir, "/", "-"))
	if !n.built[dir] {
		n.built[dir] = true
		cmd := exec.CommandContext(n.ctx, "go", "build", "-ldflags=-s -w", "-o", bin, ".")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", dir, err, out)
		}
	}
	return bin
}

// A process is one that has said where it listens.
type process struct {
	addr string
	cmd  *exec.Cmd
	out  *bufio.Scanner
	errs bytes.Buffer
}

// listen starts a command and waits for the address that it prints.
func (n *native) listen(t *testing.T, name string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.CommandContext(n.ctx, name, args...)}
	p.cmd.Stderr = &p.errs
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewScanner(out)
	if !p.out.Scan() {
		t.Fatalf("%s says nothing: %v\n%s", name, p.cmd.Wait(), p.errs.Bytes())
	}
	addr, ok := strings.CutPrefix(p.out.Text(), "listening on ")
	if !ok {
		t.Fatalf("%s: got %q, want where it listens", name, p.out.Text())
	}
	p.addr = addr
	return p
}

// end waits for the end of a process, which must be a good one, and returns what
// it has said since it was started.
func (p *process) end(t *testing.T) string {
	t.Helper()
	var said []string
	for p.out.Scan() {
		said = append(said, p.out.Text())
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("%v: %v\n%s", p.cmd.Args, err, p.errs.Bytes())
	}
	return strings.Join(said, "\n")
}

// kill ends a process that has no end.
func (p *process) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// say runs a command to its end and returns what it prints.
func (n *native) say(t *testing.T, name string, args ...string) string {
	t.Helper()
	var errs bytes.Buffer
	cmd := exec.CommandContext(n.ctx, name, args...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v: %v\n%s", cmd.Args, err, errs.Bytes())
	}
	return string(out)
}

func equal(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// daily are the programs that make test runs natively, one of each protocol: to link
// all of them takes longer than all that they do.
var daily = []string{"alphabet/python", "alphabet/shell", "alphabet/udp", "jget/curl", "limitlistener"}

// TestNetworked runs the programs natively, each against its other side and
// against those in other languages.
func TestNetworked(t *testing.T) {
	n := newNative(t)
	ran := 0
	try := func(name string, f func(t *testing.T)) {
		if testlong.On() || slices.Contains(daily, name) {
			ran++
			t.Run(name, f)
		}
	}
	local := []string{"-addr", "127.0.0.1:0"}
	start := func(t *testing.T, dir string, args ...string) *process {
		return n.listen(t, n.path(t, dir), append(local, args...)...)
	}
	try("daytime", func(t *testing.T) {
		s := start(t, "daytime/server", "-n", "3")
		got := n.say(t, n.path(t, "daytime/client"), "-addr", s.addr, "-n", "3")
		equal(t, got, strings.Repeat("Tuesday, November 10, 2009 23:00:00-UTC\r\n", 3))
		s.end(t)
	})
	try("alphabet", func(t *testing.T) {
		s := start(t, "alphabet/server", "-n", "3", "-m", "5")
		equal(t, n.say(t, n.path(t, "alphabet/client"), "-addr", s.addr, "-n", "3", "-m", "5"), "3 times 5 letters\n")
		s.end(t)
	})
	try("alphabet/epoll", func(t *testing.T) {
		s := start(t, "alphabet/epoll/server", "-n", "3", "-m", "5")
		equal(t, n.say(t, n.path(t, "alphabet/epoll/client"), "-addr", s.addr, "-n", "3", "-m", "5"), "3 times 5 letters\n")
		s.end(t)
	})
	try("alphabet/deadline", func(t *testing.T) {
		s := start(t, "alphabet/deadline/server", "-n", "3", "-m", "5", "-patience", "1m")
		equal(t, n.say(t, n.path(t, "alphabet/deadline/client"), "-addr", s.addr, "-n", "3", "-m", "5", "-patience", "1m"), "15 of 15 letters in time\n")
		s.end(t)
	})
	try("eventloop", func(t *testing.T) {
		s := start(t, "eventloop/server", "-n", "2")
		for range 2 {
			n.say(t, "eventloop/peer/get.sh", s.addr)
		}
		s.end(t)
	})
	try("evio", func(t *testing.T) {
		s := start(t, "evio/serve")
		n.say(t, "evio/peer/echo.sh", s.addr)
		s.kill()
		s = start(t, "evio/shutdown") // whether it ends is another question
		n.say(t, "evio/peer/echo.sh", s.addr)
		s.kill()
	})
	try("alphabet/python", func(t *testing.T) {
		s := n.listen(t, "python3", "alphabet/peer/server.py", "127.0.0.1:0")
		equal(t, n.say(t, n.path(t, "alphabet/client"), "-addr", s.addr, "-n", "2", "-m", "26"), "2 times 26 letters\n")
		s.kill()
	})
	try("alphabet/shell", func(t *testing.T) {
		s := start(t, "alphabet/server", "-n", "1", "-m", "26")
		n.say(t, "alphabet/peer/client.sh", s.addr, "26")
		s.end(t)
	})
	try("alphabet/udp", func(t *testing.T) {
		s := start(t, "alphabet/udp/server")
		equal(t, n.say(t, n.path(t, "alphabet/udp/client"), "-addr", s.addr, "-n", "2", "-m", "9", "-wait", "0"), "2 times 9 requests\n")
		n.say(t, "python3", "alphabet/udp/peer/client.py", s.addr, "10")
		s.kill()
	})
	try("filetransfer", func(t *testing.T) {
		s := n.listen(t, n.path(t, "filetransfer/server"), "-tcp", "127.0.0.1:0", "-udp", "127.0.0.1:0")
		tcp, udp, _ := strings.Cut(s.addr, " and ")
		equal(t, n.say(t, n.path(t, "filetransfer/client"), "-tcp", tcp, "-udp", udp), "one abcd true\ntwo 1234 true\n")
		s.kill()
	})
	try("chat", func(t *testing.T) {
		s := start(t, "chat/server", "-n", "2")
		equal(t, n.say(t, n.path(t, "chat/client"), "-addr", s.addr, "-name", "one: "), "heard one: hello\n")
		equal(t, n.say(t, "chat/peer/client.sh", s.addr, "two: "), "heard two: hello\n")
		s.end(t)
	})
	try("jget", func(t *testing.T) {
		s := start(t, "jget/server", "-n", "3", "-size", "100")
		equal(t, n.say(t, n.path(t, "jget/client"), "-addr", s.addr, "-n", "3"), letters(100))
		s.end(t)
	})
	try("jget/http", func(t *testing.T) {
		s := start(t, "jget/http/server", "-n", "3", "-size", "100")
		equal(t, n.say(t, n.path(t, "jget/http/client"), "-addr", s.addr, "-n", "3"), letters(100))
		s.end(t)
	})
	try("jget/both", func(t *testing.T) {
		s := start(t, "jget/http/server", "-n", "2")
		equal(t, n.say(t, n.path(t, "jget/client"), "-addr", s.addr, "-n", "2"), "abcdefgh\n")
		s.end(t)
		s = start(t, "jget/server", "-n", "2")
		equal(t, n.say(t, n.path(t, "jget/http/client"), "-addr", s.addr, "-n", "2"), "abcdefgh\n")
		s.end(t)
	})
	try("jget/curl", func(t *testing.T) {
		s := start(t, "jget/server", "-n", "1")
		equal(t, n.say(t, "curl", "-s", "http://"+s.addr+"/"), "abcdefgh")
		equal(t, n.say(t, "curl", "-s", "-r", "2-4", "http://"+s.addr+"/"), "cde")
		s.end(t)
	})
	try("httprace/curl", func(t *testing.T) {
		s := start(t, "httprace/server") // never ends
		equal(t, n.say(t, "curl", "-s", "http://"+s.addr+"/"), "visitor 1\n")
		equal(t, n.say(t, "curl", "-s", "http://"+s.addr+"/"), "visitor 2\n")
	})
	try("limitlistener", func(t *testing.T) {
		for _, version := range []string{"stuck", "fixed"} {
			s := start(t, "limitlistener/"+version)
			conn, err := net.Dial("tcp", s.addr)
			if err != nil {
				t.Fatal(err)
			}
			if version == "stuck" {
				conn.Close() // or it would not end
			}
			equal(t, s.end(t), "one client\nstopped")
			conn.Close()
		}
		s := start(t, "limitlistener/fixed")
		n.say(t, "limitlistener/peer/hold.sh", s.addr)
		s.end(t)
	})
	if ran < len(daily) {
		t.Errorf("got %d kinds of programs, want %d at least", ran, len(daily))
	}
	for _, dir := range networked {
		if testlong.On() && !n.built[dir] {
			t.Errorf("%s was not run", dir)
		}
	}
}

// letters is the file that the servers of jget serve.
func letters(size int) string {
	return strings.Repeat("abcdefghijklmnopqrstuvwxyz", size/26+1)[:size] + "\n"
}
