package report

import (
	"errors"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
)

// at is a position in a file of the sample.
func at(line, col int) diag.Pos { return diag.Pos{File: "/src/pool/pool.go", Line: line, Col: col} }

// The sample is a run with a report of every sort.
func sample() *Run {
	return &Run{
		Command: "heddle test -max-states 100 ./...",
		Version: "v1.2.3",
		Bounds: []Setting{
			{Name: "time", Value: "free"},
			{Name: "lost", Value: 2, Words: "at most 2 datagrams lost"},
		},
		Properties: []Property{{Name: "deadlock", On: true}, {Name: "leak", On: true}, {Name: "race"}},
		Settings:   []Setting{{Name: "search", Value: "dfs"}, {Name: "reduce", Value: true}},
		Reports:    []*Report{verified(), deadlocked(), several(), cutOff(), skipped(), refused()},
	}
}

func verified() *Report {
	return &Report{
		Target: "example.com/pool.TestClose", Package: "example.com/pool", Test: "TestClose",
		Verdict: Verified,
		Counts:  Counts{States: 120, Transitions: 300, Revisited: 181, Depth: 17, Seconds: 0.25, CPUSeconds: 0.5, PeakBytes: 4096},
	}
}

func deadlocked() *Report {
	return &Report{
		Target: "example.com/pool.TestGet", Package: "example.com/pool", Test: "TestGet",
		Verdict: Violation, Stopped: true,
		Counts: Counts{States: 1, Transitions: 1, Depth: 12, Seconds: 0.125, CPUSeconds: 0.125, PeakBytes: 8192},
		Traffic: &Traffic{
			Peers: 1, Connections: 2, Hits: 30, Misses: 4, Restarts: 1, Replays: 3, BytesOut: 12, BytesIn: 1, WaitSeconds: 0.0625, LookSeconds: 0.03125, Launches: 2, Uncopied: []string{"server is started again, not copied: it has 5 threads"},
			Notes: []string{"it cannot be looked at"}, Runs: []PeerRun{{"server", 1, "running", "ready\n"}},
		},
		Findings: []Finding{{
			Kind: "deadlock", Message: "all goroutines are blocked", Pos: at(41, 9),
			Before: []Step{{Actor: "main", Pos: at(8, 2), Action: "connect to server", Messages: []Message{{"main", "server", "connect"}}}},
			Steps: []Step{
				{N: 9, Actor: "main", Pos: at(12, 2), Action: "send 3 on results (chan int, 0/1)", Switch: true,
					Changed: []Change{{"len(results)", "0", "1"}, {"p.free", "", "<nil>"}}},
				{N: 10, Actor: "main.worker#2", Pos: at(30, 11), Action: "lock p.mu", Switch: true, Preemption: true,
					Matters: "it is held when step 11 wants it", Changed: []Change{{"conn & co", "{1}", ""}}},
				{N: 11, Actor: "main.worker#2", Action: "Löschen", Messages: []Message{{"main.worker#2", "server", `"Löschen"`}}},
			},
			Blocked: []Blocked{
				{"main", "receive on done (chan struct {}, 0/0)", at(41, 9), []string{"main.worker#2", "clock"}},
				{"main.idle", "lock p.mu", at(50, 3), nil},
			},
			Replay: "heddle replay heddle-out/1/trace.json",
			Folder: "heddle-out/1",
		}},
	}
}

func several() *Report {
	return &Report{
		Target: "./model", Verdict: Violation, More: 7,
		Counts: Counts{States: 50, Transitions: 90, Revisited: 41, Depth: 8},
		Findings: []Finding{
			{Kind: "race", Message: "x", Pos: diag.Pos{File: "model/a b.go", Line: 3}, Stacks: []Stack{
				{"main.add#2", "write", []Frame{{"bytes.(*Buffer).Write", diag.Pos{File: "/go/src/bytes/buffer.go", Line: 206, Col: 4}}, {"main.add", at(9, 3)}}, []Frame{{"main.main", at(14, 2)}}},
				{"main", "read", []Frame{{"main.main", at(15, 2)}}, nil},
			}},
			{Kind: "assert", Message: "n < 3", Story: "a story told elsewhere\n", Steps: []Step{{N: 1, Actor: "main", Pos: diag.Pos{File: "/go/src/sync/mutex.go", Line: 7, Col: 1}}}},
			{Kind: "race", Message: "y"},
		},
		Left: []Left{{Reason: "depth", Count: 3, Text: "limit of depth 8: states that have steps"}},
	}
}

func cutOff() *Report {
	return &Report{
		Target: "example.com/big", Package: "example.com/big",
		Verdict: Inconclusive,
		Counts:  Counts{States: 100, Transitions: 150, Revisited: 51, Depth: 40},
		Left: []Left{
			{Reason: "states", Count: 37, Text: "limit of 100 states: steps not taken"},
			{Reason: "store", Text: "the store of visited states failed"},
		},
		Differ: []Varying{{"s.seq", 9}, {"s.clock", 100}, {"a.seq", 9}},
	}
}

func skipped() *Report {
	return &Report{
		Target: "example.com/big.TestLong", Package: "example.com/big", Test: "TestLong",
		Verdict: Verified, Skipped: true, Counts: Counts{States: 1},
	}
}

func refused() *Report {
	return &Report{
		Target: "example.com/cgo", Package: "example.com/cgo", Verdict: Inconclusive,
		Err: diag.Unsupportedf(diag.Pos{File: "c.go", Line: 3, Col: 8}, `import "C"`),
	}
}

func TestExitCode(t *testing.T) {
	bug := &Report{Verdict: Inconclusive, Err: errors.New("no kind")}
	for _, test := range []struct {
		name    string
		reports []*Report
		code    int
		verdict Verdict
	}{
		{"nothing", nil, 3, Inconclusive},
		{"verified", []*Report{verified(), skipped()}, 0, Verified},
		{"cut off", []*Report{cutOff(), verified()}, 3, Inconclusive},
		{"refused", []*Report{verified(), refused()}, 2, Inconclusive},
		{"refused and cut off", []*Report{cutOff(), refused()}, 3, Inconclusive},
		{"bug", []*Report{bug, cutOff()}, 4, Inconclusive},
		{"violation", []*Report{bug, cutOff(), deadlocked(), refused()}, 1, Violation},
	} {
		run := &Run{Reports: test.reports}
		if got := run.ExitCode(); got != test.code {
			t.Errorf("%s: got exit code %d, want %d", test.name, got, test.code)
		}
		if got := run.Verdict(); got != test.verdict {
			t.Errorf("%s: got verdict %s, want %s", test.name, got, test.verdict)
		}
	}
}

// A verdict that the rest of a report contradicts is refused, and nothing of it
// is printed.
func TestContradiction(t *testing.T) {
	for name, r := range map[string]*Report{
		"verified, with something left": {Verdict: Verified, Left: []Left{{Text: "x"}}},
		"verified, with a finding":      {Verdict: Verified, Findings: make([]Finding, 1)},
		"verified, with an error":       {Verdict: Verified, Err: errors.New("x")},
		"violation without finding":     {Verdict: Violation},
		"violation, skipped":            {Verdict: Violation, Findings: make([]Finding, 1), Skipped: true},
		"inconclusive without reason":   {Verdict: Inconclusive},
		"inconclusive with a finding":   {Verdict: Inconclusive, Left: make([]Left, 1), Findings: make([]Finding, 1)},
		"no verdict":                    {},
	} {
		var stdout strings.Builder
		w := &Writers{Run: &Run{}, Stdout: &stdout}
		if err := w.Open(); err != nil {
			t.Fatal(err)
		}
		if got := diag.ExitCode(w.Report(r)); got != diag.ExitBug {
			t.Errorf("%s: got exit code %d, want %d", name, got, diag.ExitBug)
		}
		if stdout.Len() > 0 {
			t.Errorf("%s: got %q, want nothing", name, stdout.String())
		}
	}
	for _, r := range sample().Reports {
		if err := r.check(); err != nil {
			t.Error(err)
		}
	}
}

func TestSentence(t *testing.T) {
	plain := &Report{Target: "x", Verdict: Verified, Counts: Counts{States: 1, Transitions: 1}}
	for _, test := range []struct {
		run  *Run
		want string
	}{
		{&Run{}, "verified: every interleaving of x: 1 state, 1 transition, depth 0; nothing was looked for; no bounds"},
		{&Run{Properties: []Property{{Name: "leak", On: true}}}, "verified: every interleaving of x: 1 state, 1 transition, depth 0; no leak; no bounds"},
		{&Run{Properties: []Property{{Name: "leak"}}}, "verified: every interleaving of x: 1 state, 1 transition, depth 0; nothing was looked for; not looked for: leak; no bounds"},
	} {
		if got := test.run.Sentence(plain); got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
	}
	list := &Report{Target: "x", Err: diag.List{diag.Usagef("a"), diag.Usagef("b")}}
	shared := &Report{Target: "x", Verdict: Verified, Counts: Counts{States: 3, Transitions: 2}}
	if got, want := new(Run).Sentence(shared), "verified: every interleaving of x: 3 states, 2 transitions; nothing was looked for; no bounds"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := new(Run).Sentence(list), "inconclusive: x was not checked: a; b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
