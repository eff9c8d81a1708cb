package trace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// steps makes a trace of n steps, of which some matter and some are at the place of the one before.
func steps(n int, matters, same func(i int) bool) *Trace {
	t := new(Trace)
	line := 0
	for i := range n {
		if i == 0 || !same(i+1) {
			line++
		}
		s := Step{Event: lts.Event{Actor: "main", Action: "x", Pos: diag.Pos{File: "a.go", Line: line}}, Weight: Past}
		if matters(i + 1) {
			s.Weight = Key
		}
		t.Steps = append(t.Steps, s)
	}
	return t
}

// numbers returns which steps a text tells, and how many it leaves out between them.
func numbers(text string) string {
	var out []string
	last := 0
	for line := range strings.Lines(text) {
		var n int
		if _, err := fmt.Sscanf(strings.TrimSpace(line), "... %d step", &n); err == nil {
			out = append(out, fmt.Sprintf("(%d)", n))
			last += n
			continue
		}
		fmt.Sscanf(strings.TrimSpace(line), "%d", &n)
		if n != last+1 {
			out = append(out, "!")
		}
		last = n
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, " ")
}

func TestBrief(t *testing.T) {
	span := func(from, to int) string {
		var out []string
		for i := from; i <= to; i++ {
			out = append(out, fmt.Sprint(i))
		}
		return strings.Join(out, " ")
	}
	none := func(int) bool { return false }
	for _, test := range []struct {
		what  string
		trace *Trace
		want  string
	}{
		{"a short story", steps(40, none, none), span(1, 40)},
		{"a long one", steps(100, none, none), span(1, 5) + " (75) " + span(81, 100)},
		{"some matter", steps(100, func(i int) bool { return i == 30 || i == 33 || i == 37 }, none), span(1, 5) + " (24) " + span(30, 33) + " (3) 37 (43) " + span(81, 100)},
		{"all matter", steps(100, func(int) bool { return true }, none), span(1, 10) + " (40) " + span(51, 100)},
		{"some are alike", steps(50, none, func(i int) bool { return i > 10 && i < 40 }), span(1, 10) + " (29) " + span(40, 50)},
	} {
		if got := numbers(test.trace.BriefText()); got != test.want {
			t.Errorf("%s: got  %s\nwant %s", test.what, got, test.want)
		}
	}
	loop := steps(100, none, none)
	loop.Loop = 7
	if got, want := loop.BriefText(), loop.StepsText(1, 100); got != want {
		t.Errorf("a loop: got\n%s\nwant all of it", got)
	}
}

// A copy has other names wherever a story has them, and the original keeps its own.
func TestRenamed(t *testing.T) {
	old := &Trace{
		Finding: diag.Finding{Kind: "leak", Message: "p.a is blocked"},
		Before:  []lts.Event{{Actor: "p.a", Action: "listens"}},
		Steps: []Step{{
			Event:  lts.Event{Actor: "p.a", Action: "starts p.b", Changed: []lts.Change{{Name: "p.x", Old: "p.y", New: "p.z"}}, Kept: []string{"p.b"}, Passed: 1e6, Messages: []lts.Message{{From: "p.a", To: "server", Text: "hi"}}},
			Weight: Key, Why: []Reason{{Text: "last step of p.a"}},
		}},
		Waiting: []lts.Waiting{{Actor: "p.b", For: "send on p.c", Releasers: []string{"p.a"}}},
	}
	before := old.Text() + old.DelayText() + old.Columns(0)
	own := old.Renamed(func(s string) string { return strings.ReplaceAll(s, "p.", "") })
	if got := own.Text() + own.DelayText() + own.Columns(0); strings.Contains(got, "p.") || !strings.Contains(got, "starts b") {
		t.Errorf("got\n%s\nwant no p. in it", got)
	}
	if got := old.Text() + old.DelayText() + old.Columns(0); got != before {
		t.Errorf("the original: got\n%s\nwant\n%s", got, before)
	}
}

// TestBriefLibrary: operations of the library are left out of a story, unless there are no others.
func TestBriefLibrary(t *testing.T) {
	none := func(int) bool { return false }
	tr := steps(100, func(i int) bool { return i%10 == 0 }, none)
	for i := range tr.Steps {
		tr.Steps[i].Library = i+1 != 20 && i+1 != 22 && i+1 != 70
	}
	if got, want := numbers(tr.BriefText()), "(19) 20 (1) 22 (47) 70 (30)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for i := range tr.Steps {
		tr.Steps[i].Library = true
	}
	if got := numbers(tr.BriefText()); !strings.HasPrefix(got, "1 2 3 4 5 ") {
		t.Errorf("got %s, want the first steps", got)
	}
}

// TestBriefCalls: of what a call of the library does its first step is told, as the call, and nothing of what is not in the program.
func TestBriefCalls(t *testing.T) {
	at := func(line int) diag.Pos { return diag.Pos{File: "a.go", Line: line} }
	tr := &Trace{Steps: []Step{
		{Event: lts.Event{Actor: "main", Action: "m.Run()", Pos: diag.Pos{File: "_testmain.go", Line: 4}, Library: true}, Weight: Key},
		{Event: lts.Event{Actor: "x", Action: "http.Get(url): lock", Pos: at(1), Library: true}, Weight: Past},
		{Event: lts.Event{Actor: "y", Action: "lock it", Pos: diag.Pos{File: "/go/src/net/http/server.go", Line: 7}}, Weight: Key},
		{Event: lts.Event{Actor: "x", Action: "http.Get(url): unlock", Pos: at(1), Library: true}, Weight: Past},
		{Event: lts.Event{Actor: "x", Action: "lock a", Pos: at(2)}, Weight: Key},
		{Event: lts.Event{Actor: "x", Action: "http.Get(url): lock", Pos: at(1), Library: true}, Weight: Past},
		{Event: lts.Event{Actor: "z", Action: "lock b", Pos: at(9)}, Weight: Apart},
		{Event: lts.Event{Actor: "z", Action: "lock c", Pos: at(9)}, Weight: Apart},
	}}
	text := tr.BriefText()
	if got, want := numbers(text), "(1) 2 (2) 5 6 (2)"; got != want || strings.Contains(text, ": lock") || !strings.Contains(text, "http.Get(url)\n") {
		t.Errorf("got %s, want %s:\n%s", got, want, text)
	}
}
