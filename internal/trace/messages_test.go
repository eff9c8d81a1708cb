package trace

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// talking is the story of two goroutines and a server.
func talking() *Trace {
	pos := func(line int) diag.Pos { return diag.Pos{File: "x/a.go", Line: line, Col: 3} }
	step := func(actor, action string, line int, list ...lts.Message) Step {
		return Step{Event: lts.Event{Actor: actor, Action: action, Pos: pos(line), Messages: list}}
	}
	return &Trace{
		Path: lts.Path{0, 1, 0},
		Before: []lts.Event{
			{Actor: "main", Action: "connect to server", Pos: pos(1), Messages: []lts.Message{{From: "main", To: "server", Text: "connect"}}},
			{Actor: "main", Action: "listen", Pos: pos(2)},
		},
		Steps: []Step{
			step("main", `write "1" to server`, 3, lts.Message{From: "main", To: "server", Text: `"1"`}),
			step("w", `read "A" from server, end of file from server`, 4,
				lts.Message{From: "server", To: "w", Text: `"A"`}, lts.Message{From: "server", To: "w", Text: "end of file"}),
			step("main", "lock mu", 5),
		},
	}
}

func TestMessagesText(t *testing.T) {
	want := "" +
		"    ·   main  x/a.go:1  connect to server\n" +
		"    ·   main  x/a.go:2  listen\n"
	if got := talking().BeforeText(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMessagesColumns(t *testing.T) {
	want := "" +
		"      main               w                  server\n" +
		"      ────────────────── ────────────────── ──────────────────\n" +
		"   ·  connect to server  ────────────────────► connect\n" +
		"        a.go:1\n" +
		"   ·  listen\n" +
		"        a.go:2\n" +
		"   1- write \"1\" to       ────────────────────► \"1\"\n" +
		"        server\n" +
		"        a.go:3\n" +
		"   2- │                  read \"A\" from      ◄─ \"A\"\n" +
		"      │                    server, end of   ◄─ end of file\n" +
		"      │                    file from server\n" +
		"      │                    a.go:4\n" +
		"   3- lock mu\n" +
		"        a.go:5\n"
	if got := talking().Columns(64); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMessagesMermaid(t *testing.T) {
	want := `sequenceDiagram
    participant a1 as main
    participant a2 as w
    participant a3 as server
    a1->>a3: connect to server
    Note over a1: listen
    a1->>a3: 1 write "1" to server (a.go:3)
    Note over a2: 2 read "A" from server, end of file from server (a.go:4)
    a3->>a2: "A"
    a3->>a2: end of file
    Note over a1: 3 lock mu (a.go:5)
`
	if got := talking().Mermaid(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMessagesJSON(t *testing.T) {
	var b bytes.Buffer
	if err := talking().Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if want := talking(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
