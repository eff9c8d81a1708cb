package gosuite

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// every is the part of the Go team's programs that TestSample runs: the one
// numbered phase of this many. The phase leaves out the program that takes
// longest, abi/uglyfib.go.
var every = testlong.Or(45, 4)

const phase = 0

// session is that of all tests here.
var session = sync.OnceValues(NewSession)

// TestSample runs a part of the Go team's programs: all pass. All of them are
// what "make conformance" runs.
func TestSample(t *testing.T) {
	names, err := List(goroot.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 1000 {
		t.Fatalf("got %d programs in GOROOT/test, want about 1017", len(names))
	}
	known := Known()
	var chosen []string
	for i, n := range names {
		if i%every == phase && known[n] == "" {
			chosen = append(chosen, n)
		}
	}
	runAll(t, chosen)
}

// TestRefused runs the programs that are refused: each is, for the reason given.
func TestRefused(t *testing.T) { runAll(t, slices.Sorted(maps.Keys(Known()))) }

// runAll runs programs and has a subtest for each.
func runAll(t *testing.T, names []string) {
	known := Known()
	s, err := session()
	if err != nil {
		t.Fatal(err)
	}
	results, err := Run(names, Options{Session: s, GOROOT: goroot.Dir(), Timeout: 10 * time.Minute, Workers: 2, Isolated: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		t.Run(r.Name, func(t *testing.T) {
			if s := Unexpected(known, r); s != "" {
				t.Error(s)
			}
		})
	}
}

// TestLimits checks that docs/LIMITS.md names every program that is refused, and
// that all of them exist.
func TestLimits(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "LIMITS.md"))
	if err != nil {
		t.Fatal(err)
	}
	names, err := List(goroot.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for name := range Known() {
		if !strings.Contains(string(text), " "+name) {
			t.Errorf("docs/LIMITS.md does not name %s", name)
		}
		if !slices.Contains(names, name) {
			t.Errorf("refused.txt names %s, which is not in the suite", name)
		}
	}
}

// TestWrongIsUnexpected plants what must not go unnoticed.
func TestWrongIsUnexpected(t *testing.T) {
	known := map[string]string{"a.go": "starting a process"}
	for _, r := range []Result{
		{Name: "a.go", Verdict: Pass},
		{Name: "a.go", Verdict: Wrong, Detail: "starting a process"},
		{Name: "a.go", Verdict: Refused, Detail: "something else"},
		{Name: "b.go", Verdict: Refused, Detail: "starting a process"},
		{Name: "b.go", Verdict: Wrong},
		{Name: "b.go", Verdict: Timeout},
		{Name: "b.go", Verdict: Crash},
	} {
		if Unexpected(known, r) == "" {
			t.Errorf("got nothing for %+v, want a complaint", r)
		}
	}
	for _, r := range []Result{{Name: "b.go", Verdict: Pass}, {Name: "a.go", Verdict: Refused, Detail: "x: starting a process: no"}} {
		if s := Unexpected(known, r); s != "" {
			t.Errorf("got %q for %+v, want nothing", s, r)
		}
	}
}

// TestLimitCPU checks that a busy thread is stopped.
func TestLimitCPU(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var stopped atomic.Bool
	defer limitCPU(20*time.Millisecond, func() { stopped.Store(true) })()
	for !stopped.Load() {
	}
}
