package execute_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/testlong"
)

var (
	sequences   = flag.Int("sequences", testlong.Or(40, 200), "sequences of socket operations that TestSocketSequences tries")
	socketTable = flag.String("sockets", "", "file whose table TestSocketSequences writes anew")
)

// socketOps are the operations of testdata/sockets, as often as they are to be
// drawn. The first are drawn more often than the others.
var socketOps = []string{
	"read", "write", "read", "write", "shutwrite", "deadline", "close", "accept", "read", "write", "dial", "abort", "read", "write",
	"dial", "accept", "deadline", "shutread", "error", "read", "write", "linger", "dial", "accept", "shutwrite", "close", "unlisten",
	"rawread", "rawwrite", "rawread", "dial", "relisten", "listen", "until", "listen", "deadline", "fill", "backlog", "addresses", "dup", "options", "listen",
}

// datagramOps are those on sockets for datagrams.
var datagramOps = []string{"send", "receive", "send", "receive", "talk", "send", "receive", "packet", "limit", "finish"}

// drawScript draws a script. It begins with a connection, since most operations
// need one, or with sockets for datagrams.
func drawScript(t *rapid.T) string {
	var b strings.Builder
	ops, network := socketOps, rapid.IntRange(0, 6).Draw(t, "network")
	if rapid.IntRange(0, 2).Draw(t, "kind") == 2 {
		ops = datagramOps
		fmt.Fprintf(&b, "packet 0 %d 0\npacket 0 %d 0\ntalk 0 0 0\n", network, network)
	} else {
		fmt.Fprintf(&b, "listen 0 %d 0\ndial 0 0 9\naccept 0 0 0\n", network)
	}
	for range rapid.IntRange(1, 40).Draw(t, "steps") {
		op := rapid.SampledFrom(ops).Draw(t, "op")
		a, c, n := rapid.IntRange(0, 5).Draw(t, "a"), rapid.IntRange(0, 11).Draw(t, "b"), rapid.IntRange(0, 9).Draw(t, "n")
		fmt.Fprintf(&b, "%s %d %d %d\n", op, a, c, n)
	}
	return b.String()
}

// A socketTwin runs scripts on the host and in the machine.
type socketTwin struct {
	t    *testing.T
	exe  string
	prog *bytecode.Program
	runs atomic.Int64

	mu                           sync.Mutex
	sequences, operations, again int
	outcomes                     map[string]map[string]int // of each operation, how often it ended how
}

func newSocketTwin(t *testing.T) *socketTwin {
	if testing.Short() {
		t.Skip("builds and runs programs")
	}
	dir := "testdata/sockets"
	s := &socketTwin{t: t, exe: filepath.Join(t.TempDir(), "sockets"), outcomes: map[string]map[string]int{}}
	if text, err := exec.Command("go", "build", "-C", dir, "-o", s.exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var err error
	if s.prog, err = execute.Build(execute.Source{Dir: dir, Patterns: []string{"."}}); err != nil {
		t.Fatal(err)
	}
	return s
}

// temp makes a directory for the files of one run, which has a number.
func (s *socketTwin) temp() (dir string, run int64) {
	dir, err := os.MkdirTemp(filepath.Dir(s.exe), "")
	if err != nil {
		s.t.Error(err)
	}
	return dir, s.runs.Add(1)
}

// onHost runs a script natively. Settle is what an operation may take.
func (s *socketTwin) onHost(script string, settle time.Duration) string {
	dir, run := s.temp()
	defer os.RemoveAll(dir)
	cmd := exec.Command(s.exe, "-settle", settle.String())
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), fmt.Sprint("UNIQUE=", run))
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%s%v\n", out, err)
	}
	return string(out)
}

// inMachine runs a script in the machine, every other time on files of its own.
func (s *socketTwin) inMachine(script string) string {
	dir, run := s.temp()
	defer os.RemoveAll(dir)
	var out bytes.Buffer
	exit, err := execute.Run(s.prog, execute.Process{
		Args: []string{"sockets", "-settle", "1s"}, Dir: dir, Stdin: strings.NewReader(script), Stdout: &out, Stderr: &out,
		Isolated: run%2 == 0,
	})
	if err != nil {
		return err.Error()
	}
	if exit.Code != 0 {
		fmt.Fprintf(&out, "%s\nexit status %d\n", exit.Text, exit.Code)
	}
	return out.String()
}

// compare runs a script on both sides and returns how they differ, "" if they do
// not. What the host does late, because it is busy, is not a difference: it is
// given more time then.
func (s *socketTwin) compare(script string) string {
	got := s.inMachine(script)
	var want string
	for i, settle := range []time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, 400 * time.Millisecond, 2 * time.Second, 10 * time.Second} {
		if want = s.onHost(script, settle); got == want {
			s.count(got, i > 0)
			return ""
		}
	}
	return "script:\n" + script + difference(got, want)
}

// compareAll compares several scripts at the same time, since they wait a lot.
func (s *socketTwin) compareAll(scripts []string) string {
	texts := make([]string, len(scripts))
	var wg sync.WaitGroup
	for i, script := range scripts {
		wg.Go(func() { texts[i] = s.compare(script) })
	}
	wg.Wait()
	return strings.Join(texts, "")
}

// difference shows two outputs line by line up to where they differ.
func difference(got, want string) string {
	var b strings.Builder
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; i < len(g) && i < len(w); i++ {
		if g[i] != w[i] {
			fmt.Fprintf(&b, "machine: %s\nhost:    %s\n", g[i], w[i])
			return b.String()
		}
		fmt.Fprintln(&b, w[i])
	}
	fmt.Fprintf(&b, "the machine printed %d lines, the host %d\n", len(g), len(w))
	return b.String()
}

// TestSocketSequences holds package net in the machine against package net on the
// host: random sequences of operations must give the same results and errors.
func TestSocketSequences(t *testing.T) {
	s := newSocketTwin(t)
	const together, batch = 8, 20
	set := func(name, value string) {
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	set("rapid.shrinktime", "20s")
	scripts := rapid.SliceOfN(rapid.Custom(drawScript), together, together)
	for s.sequences < *sequences {
		set("rapid.checks", strconv.Itoa(min(batch, (*sequences-s.sequences+together-1)/together)))
		rapid.Check(t, func(rt *rapid.T) {
			if text := s.compareAll(scripts.Draw(rt, "scripts")); text != "" {
				rt.Fatal(text)
			}
		})
		if t.Failed() {
			return
		}
	}
	if *socketTable != "" {
		s.write(*socketTable)
	}
}

var (
	resultLine = regexp.MustCompile(`(?m)^\d+ (\w+)(?: of \d+)?: (.*)$`)
	errnoOf    = regexp.MustCompile(`\[errno (\d+)\]`)
)

// count notes how the operations of a script ended.
func (s *socketTwin) count(out string, again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sequences++
	if again {
		s.again++
	}
	for _, m := range resultLine.FindAllStringSubmatch(out, -1) {
		op, text := m[1], m[2]
		end := "done"
		switch e := errnoOf.FindStringSubmatch(text); {
		case text == "waits":
			end = "waits"
		case text == "busy" || text == "full":
			continue
		case e != nil:
			n, _ := strconv.Atoi(e[1])
			end = unix.ErrnoName(syscall.Errno(n))
		case strings.Contains(text, "[timeout]"):
			end = "timeout"
		case strings.Contains(text, "[closed]"):
			end = "closed"
		case strings.Contains(text, "[EOF]"):
			end = "end of file"
		case strings.Contains(text, "no suitable address"), strings.Contains(text, "mismatched local address"):
			end = "no suitable address"
		}
		if s.outcomes[op] == nil {
			s.outcomes[op] = map[string]int{}
		}
		s.outcomes[op][end]++
		s.operations++
	}
}

// write replaces the table in a file, which is between two marks.
func (s *socketTwin) write(file string) {
	old, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	const begin, end = "<!-- begin -->\n", "<!-- end -->\n"
	head, rest, ok := strings.Cut(string(old), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		s.t.Fatalf("%s lacks the marks %q and %q", file, begin, end)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s%d sequences, %d operations, no difference. In %d cases the host was given more time.\n\n",
		head, begin, s.sequences, s.operations, s.again)
	b.WriteString("| operation | how it ended, and how often |\n| --- | --- |\n")
	for _, op := range slices.Sorted(maps.Keys(s.outcomes)) {
		ends := s.outcomes[op]
		var list []string
		for _, end := range slices.SortedFunc(maps.Keys(ends), func(a, b string) int { return cmp.Or(ends[b]-ends[a], strings.Compare(a, b)) }) {
			list = append(list, fmt.Sprintf("%s %d", end, ends[end]))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", op, strings.Join(list, ", "))
	}
	b.WriteString(end + tail)
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		s.t.Fatal(err)
	}
}
