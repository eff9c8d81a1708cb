package trace

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// TestReadable: one goroutine has one name, a number only if there are others of that name, and places are short.
func TestReadable(t *testing.T) {
	at := func(file string, line int) diag.Pos { return diag.Pos{File: file, Line: line, Col: 1} }
	tr := &Trace{
		Finding: diag.Finding{Kind: "leak", Message: "x", Pos: at("cmd/pool/main.go", 9)},
		Steps: []Step{
			{Event: lts.Event{Actor: "main", Action: "go main.main.func1", Pos: at("cmd/pool/main.go", 3)}},
			{Event: lts.Event{Actor: "main", Action: "wg.Go(func): Add, starts example.com/pool.(*Pool).work#10, starts example.com/pool.(*Pool).work#9", Pos: at("cmd/pool/main.go", 4)}},
			{Event: lts.Event{Actor: "example.com/pool.(*Pool).work#10", Action: "lock cr.mu#2", Pos: at("pool/pool.go", 5)}},
			{Event: lts.Event{Actor: "sync.(*WaitGroup).Go.func1#10", Action: "(*sync.WaitGroup).Add", Pos: at("/go/src/sync/waitgroup.go", 77)}},
			{Event: lts.Event{Actor: "net/http.(*conn).serve#2.1", Action: "receive on c, and main.main.func1 sends", Pos: at("other/pool.go", 6)}},
			{Event: lts.Event{Actor: "clock", Action: "move the clock"}},
		},
		Stacks:  []lts.Stack{{Actor: "main.main.func1", Frames: []lts.Frame{{Func: "main.main.func1", Pos: at("cmd/pool/main.go", 3)}}}},
		Waiting: []lts.Waiting{{Actor: "main.main.func1", For: "lock a", Pos: at("cmd/pool/main.go", 9), Releasers: []string{"example.com/pool.(*Pool).work#9"}}},
	}
	before := tr.Text()
	got := tr.Readable()
	want := []string{
		"main main.go:3 go main.func1",
		"main main.go:4 wg.Go(func): Add, starts pool.(*Pool).work 2, starts pool.(*Pool).work 1",
		"pool.(*Pool).work 2 pool/pool.go:5 lock cr.mu#2",
		"pool.(*Pool).work 2 sync/waitgroup.go:77 (*sync.WaitGroup).Add",
		"http.(*conn).serve other/pool.go:6 receive on c, and main.func1 sends",
		"clock - move the clock",
	}
	for i := range got.Steps {
		s := &got.Steps[i]
		if line := s.Actor + " " + place(s.Pos) + " " + s.Action; line != want[i] {
			t.Errorf("step %d: got %q, want %q", i+1, line, want[i])
		}
	}
	if w := got.Waiting[0]; w.Actor != "main.func1" || w.Releasers[0] != "pool.(*Pool).work 1" || w.Pos.File != "main.go" {
		t.Errorf("got %v", w)
	}
	if s := got.Stacks[0]; s.Actor != "main.func1" || s.Frames[0].Func != "main.main.func1" {
		t.Errorf("got %v, want functions as they are", s)
	}
	if got.Finding.Pos.File != "cmd/pool/main.go" || tr.Text() != before {
		t.Error("the place of the finding, or the original, has changed")
	}
}

// TestReadableProcesses: goroutines of two processes stay two.
func TestReadableProcesses(t *testing.T) {
	tr := new(Trace)
	for _, name := range []string{"client/main", "client/main.main.func1#2", "server/main.main.func1#2", "server/example.com/pool.(*Pool).work#3", "server/sync.(*WaitGroup).Go.func1#3"} {
		tr.Steps = append(tr.Steps, Step{Event: lts.Event{Actor: name, Action: "x"}})
	}
	var names []string
	for _, s := range tr.Readable().Steps {
		names = append(names, s.Actor)
	}
	if got, want := strings.Join(names, ", "), "client/main, client/main.func1, server/main.func1, server/pool.(*Pool).work, server/pool.(*Pool).work"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestReadableRace: the first line of a race names what is read or written.
func TestReadableRace(t *testing.T) {
	for _, test := range []struct{ kind, message, of, want string }{
		{"race", "read races with write at a.go:2:3", "c.last", "read of c.last races with write at a.go:2:3"},
		{"race", "read in bytes.Equal races with write at a.go:2:3", "", "read in bytes.Equal races with write at a.go:2:3"},
		{"fatal", "concurrent map writes: the other is at a.go:2:3", "h.count", "concurrent map writes of h.count: the other is at a.go:2:3"},
		{"panic", "x", "y", "x"},
	} {
		tr := &Trace{Finding: diag.Finding{Kind: test.kind, Message: test.message}, Stacks: []lts.Stack{{Actor: "main", Action: "read", Of: test.of}}}
		if got := tr.Readable().Finding.Message; got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
