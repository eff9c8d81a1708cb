package cli

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A toy counts for ever. At its second state it interrupts the process, as a user
// does.
type toy struct {
	n     uint64
	marks []uint64
}

func newToy(execute.Process, execute.Settings) (lts.System, error) { return new(toy), nil }

func (t *toy) Reset()                            { *t = toy{} }
func (t *toy) Enabled(dst []lts.Step) []lts.Step { return append(dst, 0) }
func (t *toy) AppendKey(dst []byte) []byte       { return binary.AppendUvarint(dst, t.n) }

func (t *toy) Take(lts.Step) lts.Label {
	if t.n++; t.n == 2 {
		syscall.Kill(os.Getpid(), syscall.SIGINT)
	}
	return 0
}

func (t *toy) Save() lts.Mark {
	t.marks = append(t.marks, t.n)
	return lts.Mark(len(t.marks) - 1)
}

func (t *toy) Restore(m lts.Mark) { t.n, t.marks = t.marks[m], t.marks[:m+1] }

// TestInterrupt: a signal ends the search of a program that has no end, and what
// is not covered is said, and kept if that is asked for.
func TestInterrupt(t *testing.T) {
	point := filepath.Join(t.TempDir(), "point")
	code, stdout, stderr, _ := invoke("check -checkpoint " + point + " p")
	want := regexp.MustCompile(`^inconclusive: p: no violation in [0-9]+ states, [0-9]+ transitions, depth [0-9]+(, nor in [0-9]+ walks?)?; not covered: interrupted: steps not taken \(1\)\n$`)
	if code != 3 || !want.MatchString(stdout) || stderr != "" {
		t.Errorf("got exit %d, %q, %q, want exit 3, %v", code, stdout, stderr, want)
	}
	if info, err := os.Stat(point); err != nil || info.Size() == 0 {
		t.Errorf("no checkpoint: %v", err)
	}
}

// TestInterruptTests: an interrupt ends the checking of all tests, and those that
// were not checked are not forgotten.
func TestInterruptTests(t *testing.T) {
	code, stdout, stderr, _ := invoke("test -p 1 listed other")
	want := regexp.MustCompile(`^--- inconclusive: TestA \([0-9.]+s\): no violation in [0-9]+ states, .*; not covered: interrupted: (steps not taken \(1\)|the search was not over)
--- not checked: 1 test: interrupted
inconclusive\tlisted\t[0-9.]+s\t\(1 inconclusive, 1 not checked; 1 example and 1 fuzz target not checked\)
inconclusive\tother \[not checked: interrupted\]
2 tests in 1 package: 1 inconclusive, 1 not checked; 1 package not checked
$`)
	if code != 3 || !want.MatchString(stdout) || stderr != "" {
		t.Errorf("got exit %d, %q, %q, want exit 3, %v", code, stdout, stderr, want)
	}
}

func TestProgress(t *testing.T) {
	const second = 1e9
	steps := []explore.Progress{
		{States: 5, Elapsed: second / 10},
		{States: 1000, Transitions: 3000, Depth: 7, Frontier: 9, Bytes: 3 << 20, Rate: 500, Elapsed: 2 * second},
		{States: 2000, Bytes: 100, Rate: 600, Elapsed: 11 * second},
		{States: 3000, Elapsed: 12 * second, Beyond: "a name"},
		{States: 3001, Elapsed: 12 * second, Beyond: "a name"},
	}
	for _, test := range []struct {
		terminal bool
		width    int
		want     string
	}{
		{true, 9, "\r\x1b[K…MiB, 2s\r\x1b[K… B, 11s\r\x1b[Kp: not covered: a name; the search goes on\n\r\x1b[K… B, 12s\r\x1b[K…e story\r\x1b[K"},
		{false, 0, "p: 2000 states, 600/s, depth 0, frontier 0, 100 B, 11s\np: not covered: a name; the search goes on\n"},
		{true, 80, "\r\x1b[Kp: 1000 states, 500/s, depth 7, frontier 9, 3.0 MiB, 2s" +
			"\r\x1b[Kp: 2000 states, 600/s, depth 0, frontier 0, 100 B, 11s" +
			"\r\x1b[Kp: not covered: a name; the search goes on\n" +
			"\r\x1b[Kp: 3000 states, 0/s, depth 0, frontier 0, 0 B, 12s" +
			"\r\x1b[Kp: now the story\r\x1b[K"},
	} {
		var out bytes.Buffer
		p := &progress{w: &out, terminal: test.terminal, width: test.width, name: "p"}
		for _, s := range steps {
			p.show(s)
		}
		p.say("now the story")
		p.clear()
		if got := out.String(); got != test.want {
			t.Errorf("terminal %v:\ngot  %q\nwant %q", test.terminal, got, test.want)
		}
	}
}
