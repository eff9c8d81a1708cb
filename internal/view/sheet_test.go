package view

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/graph"
)

// readAut reads a graph in a text.
func readAut(t *testing.T, text string) *graph.Graph {
	t.Helper()
	g, err := graph.ReadAut("test.aut", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// two buffers of one place each, and a way into a deadlock.
const smallGraph = `des (0,8,5)
(0,"put(1)",1)
(0,"put(2)",2)
(1,"get(1)",0)
(2,"get(2)",0)
(1,"<b>swap</b>",2)
(2,"tau",2)
(2,"fail",3)
(4,"put(1)",0)
`

// grid is a graph of n by n states, from each of which one goes right or down; all ways end in one state. With twins each state but the
// first has a twin that is equivalent to it.
func grid(n int, twins bool) *graph.Graph {
	g := &graph.Graph{States: n * n, Labels: []string{"right", "down", "again"}}
	for y := range n {
		for x := range n {
			at := int32(y*n + x)
			if x+1 < n {
				g.Transitions = append(g.Transitions, graph.Transition{From: at, Label: 0, To: at + 1})
			}
			if y+1 < n {
				g.Transitions = append(g.Transitions, graph.Transition{From: at, Label: 1, To: at + int32(n)})
			}
			if (x+y)%7 == 0 && x > 0 {
				g.Transitions = append(g.Transitions, graph.Transition{From: at, Label: 2, To: at - 1})
			}
		}
	}
	if twins {
		m := int32(g.States)
		list := g.Transitions
		for _, t := range list {
			g.Transitions = append(g.Transitions, graph.Transition{From: t.From, Label: t.Label, To: t.To + m}, graph.Transition{From: t.From + m, Label: t.Label, To: t.To})
		}
		g.States *= 2
	}
	return g
}

func numbers(t *testing.T, text string) (list []int32) {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b)%4 != 0 {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	for ; len(b) > 0; b = b[4:] {
		list = append(list, int32(binary.LittleEndian.Uint32(b)))
	}
	return list
}

func TestGraphSheet(t *testing.T) {
	g := readAut(t, smallGraph)
	s := GraphSheet("small.aut", g, graph.Strong, "tau")
	if s.Graph.Quotient != nil || len(s.Notes) != 0 {
		t.Errorf("a small graph is drawn as it is: got notes %q", s.Notes)
	}
	if got := numbers(t, s.Graph.Edges); len(got) != 3*8 || got[0] != 0 || got[2] != 1 {
		t.Errorf("got %v", got)
	}
	if got, want := fmt.Sprint(s.Sections[0].Rows), "[[states 5] [reachable 4] [transitions 8] [labels 7] [deadlocks 1] [deterministic yes]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// With twins the quotient has half as many states.
	large := GraphSheet("large.aut", grid(30, true), graph.Strong, "tau")
	if q := large.Graph.Quotient; q == nil || q.States != 900 || len(numbers(t, large.Graph.Classes)) != 1800 {
		t.Errorf("got quotient %v", q)
	}
	if plain := GraphSheet("plain.aut", grid(30, false), graph.Strong, "tau"); plain.Graph.Quotient != nil || !strings.Contains(plain.Notes[0], "no two of them are equivalent") {
		t.Errorf("got notes %q", plain.Notes)
	}
	if empty := GraphSheet("empty.aut", new(graph.Graph), graph.Strong, "tau"); empty.Graph != nil {
		t.Error("an empty graph is drawn")
	}
}

// A graph that is too large for a page is shown around its initial state, and the page says so.
func TestGraphPart(t *testing.T) {
	g := &graph.Graph{States: 2000, Initial: 1999, Labels: []string{"a"}}
	for from := range int32(2000) {
		for to := range int32(600) {
			g.Transitions = append(g.Transitions, graph.Transition{From: from, To: to})
		}
	}
	s := GraphSheet("huge.aut", g, graph.Strong, "tau")
	n := s.Graph
	if n.States != 601 || n.Whole != 601 || len(numbers(t, n.Edges)) != 3*601*600 || numbers(t, n.Numbers)[0] != 1999 {
		t.Errorf("got %d states, %d of them whole", n.States, n.Whole)
	}
	g = &graph.Graph{States: 3, Labels: []string{"a"}}
	for range maxEdges {
		g.Transitions = append(g.Transitions, graph.Transition{From: 1, To: 2})
	}
	g.Transitions = append(g.Transitions, graph.Transition{From: 0, To: 1})
	if n := GraphSheet("wide.aut", g, graph.Strong, "tau").Graph; n.States != 2 || n.Whole != 1 {
		t.Errorf("got %d states, %d of them whole, want 2 and 1", n.States, n.Whole)
	}
}

// A graph of more states than a page holds is shown around its initial state, also if it has hardly any transitions.
func TestGraphOfManyStates(t *testing.T) {
	g := &graph.Graph{States: maxNodes + 1, Labels: []string{"a"}, Transitions: []graph.Transition{{From: 0, To: maxNodes}}}
	s := GraphSheet("sparse.aut", g, graph.Strong, "tau")
	if n := s.Graph; n.States != 2 || n.Whole != 2 || fmt.Sprint(numbers(t, n.Numbers)) != fmt.Sprint([]int{0, maxNodes}) || len(s.Notes) != 1 {
		t.Errorf("got %d states, %d of them whole, notes %q", n.States, n.Whole, s.Notes)
	}
}

// Labels are shown in a way in which nothing of them is hidden.
func TestStrangeLabels(t *testing.T) {
	s := GraphSheet("strange.aut", &graph.Graph{States: 1, Labels: []string{"a\u202eb", "c"}}, graph.Strong, "tau")
	if got, want := fmt.Sprintf("%q", s.Graph.Labels), `["a\\u202eb" "c"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

const sampleResult = `{"heddle": "devel", "command": "heddle check -json .", "verdict": "inconclusive", "exit_code": 3, "bounds": {"maporder": false}, "properties": {"race": true},
"settings": {"search": "auto"}, "findings": [], "ignored": [{"target": ".", "kind": "race", "message": "x", "reason": "<i>counts</i>", "in": "comment", "pos": {"file": "a.go", "line": 3, "col": 2}}],
"left": [{"target": ".", "reason": "states", "text": "limit of 10 states"}], "targets": [{"target": ".", "verdict": "inconclusive", "sentence": "inconclusive: .: no violation in 10 states",
"states": 10, "transitions": 12, "differ": [{"name": "main.n", "values": 7}], "executed": [{"package": "main", "statements": 20, "executed": 15}], "estimate": {"left": 90, "at_least": true, "seconds": 4},
"hunt": {"searches": [{"search": "bfs", "states": 5, "transitions": 6, "found": false}]}}]}`

func TestResultSheet(t *testing.T) {
	s, err := ResultSheet("r.json", []byte(sampleResult))
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, x := range s.Sections {
		titles = append(titles, x.Title)
	}
	want := "Run|Findings that are ignored (1)|Not covered|Size|What is left, as far as can be guessed|Statements that were executed|What makes states differ|Searches beside this one|Bounds of the claim|What was looked for|Settings"
	if got := strings.Join(titles, "|"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if b := s.Sections[4].Bars[1]; b.Text != "at least 90 states" || b.Of != 100 {
		t.Errorf("got %+v", b)
	}
	for _, text := range []string{"", "{}", "[1]", `{"verdict": "verified"}`} {
		if _, err := ResultSheet("r.json", []byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// Values of settings are shown as they are written: numbers with all digits, objects and lists as JSON.
func TestMembers(t *testing.T) {
	got := members([]byte(`{"states": 1000000, "large": 12345678901234567890, "share": 0.25, "on": true, "none": null, "name": "a <b>",
		"list": [1000000, "x"], "inner": {"depth": 2000000, "a": [ ]}}`))
	want := [][2]string{{"states", "1000000"}, {"large", "12345678901234567890"}, {"share", "0.25"}, {"on", "true"}, {"none", "null"}, {"name", "a <b>"},
		{"list", `[1000000,"x"]`}, {"inner", `{"depth":2000000,"a":[]}`}}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestStrangeResult: what cannot be seen is escaped in each text of a result.
func TestStrangeResult(t *testing.T) {
	const bad = `\u202e\u001b[2J`
	text := strings.NewReplacer(`"devel"`, `"devel`+bad+`"`, `-json ."`, `-json .`+bad+`"`, `"limit of 10 states"`, `"limit`+bad+`"`, `"auto"`, `"`+bad+`"`, `"race": true`, `"race`+bad+`": ["`+bad+`"]`,
		`<i>counts</i>`, bad, `10 states", `, bad+`", `, `"main.n"`, `"`+bad+`"`, `"package": "main"`, `"package": "`+bad+`"`, `"a.go"`, `"`+bad+`"`, `"inconclusive", "exit`, `"inconclusive`+bad+`", "exit`).Replace(sampleResult)
	s, err := ResultSheet("r"+"\u202e"+".json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	list = append(list, s.Title, s.Headline, s.Verdict)
	list = append(list, s.Notes...)
	escaped := 0
	for _, x := range s.Sections {
		list = append(list, x.Title, x.Note)
		for _, r := range x.Rows {
			list = append(list, r[:]...)
		}
		for _, b := range x.Bars {
			list = append(list, b.Name, b.Text)
		}
		list = append(list, x.Lines...)
	}
	for _, text := range list {
		if strings.ContainsAny(text, "\u202e\x1b") {
			t.Errorf("got %q", text)
		}
		if strings.Contains(text, `\u202e`) {
			escaped++
		}
	}
	if escaped < 10 {
		t.Errorf("got %d texts with what is escaped, want at least 10", escaped)
	}
}

// TestStrangeCertificate: the same for a certificate.
func TestStrangeCertificate(t *testing.T) {
	const bad = "\u202e\x1b"
	pairs := []cert.Pair{{Name: "n" + bad, Value: "v" + bad}}
	var out bytes.Buffer
	w, err := cert.NewWriter(&out, cert.Header{Kind: cert.Full, Tool: bad, Target: bad, Program: pairs, Settings: pairs, Properties: []string{"race", bad}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(nil); err != nil {
		t.Fatal(err)
	}
	c, err := cert.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	s, err := CertificateSheet("c.heddle", c, int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(s.Headline, s.Sections)
	if strings.ContainsAny(text, bad) || !strings.Contains(text, `race, \u202e\x1b`) || !strings.Contains(text, `v\u202e\x1b`) {
		t.Errorf("got %q", text)
	}
}

const (
	stateLabel = `document.querySelector(".label").textContent`
	here       = drawn + `.then(() => document.querySelector(".state.here text").textContent)`
)

// TestGraphInBrowser: a small graph is drawn as a whole, and one goes through it by keys.
func TestGraphInBrowser(t *testing.T) {
	b := startBrowser(t)
	url := serve(t, GraphSheet("small.aut", readAut(t, smallGraph), graph.Strong, "tau"))
	b.open(url)
	b.eval(drawn)
	b.picture("graph-small-light")
	for _, test := range []struct{ key, label, here string }{
		{"", "state 0 of 5", "0"},
		{"ArrowRight", "state 1 of 5", "1"},
		{"ArrowDown", "state 1 of 5", "1"},
		{"ArrowRight", "state 2 of 5", "2"}, // the second of its transitions
		{"ArrowLeft", "state 1 of 5", "1"},
		{"d", "state 3 of 5", "3"},
		{"j", "state 4 of 5", "4"},
		{"k", "state 3 of 5", "3"},
		{"Home", "state 0 of 5", "0"},
		{"End", "state 4 of 5", "4"},
	} {
		if test.key != "" {
			b.press(test.key)
		}
		if got := b.eval(stateLabel); got != test.label {
			t.Errorf("%s: got %q, want %q", test.key, got, test.label)
		}
		if got := b.eval(here); got != test.here {
			t.Errorf("%s: got state %q in the picture, want %q", test.key, got, test.here)
		}
	}
	for what, expr := range map[string]string{
		"all states are there":      `document.querySelectorAll(".state").length === 5`,
		"all transitions are there": `document.querySelectorAll(".arrow").length === 8`,
		"labels are texts":          `document.querySelectorAll("b, i, img").length === 0 && document.querySelector(".net").textContent.includes("<b>swap</b>")`,
		"a deadlock is marked":      `document.querySelectorAll(".state.dead").length === 1`,
		"it is announced":           `document.querySelector("[aria-live]").textContent === "state 4, 1 transitions"`,
		"buttons have names":        `[...document.querySelectorAll("button")].every((b) => b.getAttribute("aria-label"))`,
		"a state without a way":     `document.querySelector(".panels").textContent.includes("it cannot be reached")`,
	} {
		if b.eval(expr) != "true" {
			t.Errorf("%s: got no, want yes", what)
		}
	}
	b.press("m") // the neighbourhood of state 4
	if got := b.eval(drawn + `.then(() => document.querySelectorAll(".state").length)`); got != "5" {
		t.Errorf("neighbourhood: got %s states", got)
	}
	b.press("t")
	b.picture("graph-small-dark")
	if len(b.errors) > 0 {
		t.Errorf("the page complains: %s", strings.Join(b.errors, "\n"))
	}
	for _, asked := range b.asked {
		if asked != url && asked != "data:," {
			t.Errorf("the page asks for %s", asked)
		}
	}
}

// TestLargeGraphInBrowser: of a graph of 50,000 states the page shows a neighbourhood, which has as many elements as that of a small one. How much CPU
// time a move takes is said, and not judged: that depends on the machine.
func TestLargeGraphInBrowser(t *testing.T) {
	b := startBrowser(t)
	b.ask("Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil)
	for _, test := range []struct {
		name string
		g    *graph.Graph
	}{{"50,176 states", grid(224, false)}, {"50,562 states, each with a twin", grid(159, true)}} {
		states := test.g.States
		b.open(serve(t, GraphSheet("large.aut", test.g, graph.Strong, "tau")))
		b.eval(drawn)
		loaded := b.spent() // the clock begins with the page
		worst, longest := 0.0, 0
		for i := range 40 {
			before := b.spent()
			at := i * 6173 % states
			b.eval(fmt.Sprintf(`document.querySelector("#slider").value = %d, document.querySelector("#slider").dispatchEvent(new Event("input")), %s`, at, drawn))
			worst = max(worst, b.spent()-before)
			if got, want := b.eval(stateLabel), fmt.Sprintf("state %d of %d", at, states); got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
			var n int
			fmt.Sscan(b.eval(`document.querySelectorAll("*").length`), &n)
			longest = max(longest, n)
		}
		b.picture("graph-large-" + strings.Fields(test.name)[len(strings.Fields(test.name))-1])
		t.Logf("%s, %d transitions: %.0f ms of CPU time to load, and at most %.0f to move the slider", test.name, len(test.g.Transitions), loaded, worst)
		if longest > 3000 {
			t.Errorf("got %d elements, want that only what can be seen is there", longest)
		}
	}
	if len(b.errors) > 0 {
		t.Errorf("the page complains: %s", strings.Join(b.errors, "\n"))
	}
}

// TestLongGraphInBrowser: a graph with very many levels is shown, and one goes to states by their numbers, if they are numbers of states.
func TestLongGraphInBrowser(t *testing.T) {
	b := startBrowser(t)
	const states = 300_000
	g := &graph.Graph{States: states, Labels: []string{"next"}}
	for s := range int32(states - 1) {
		g.Transitions = append(g.Transitions, graph.Transition{From: s, To: s + 1})
	}
	b.open(serve(t, GraphSheet("chain.aut", g, graph.Strong, "tau")))
	b.eval(drawn)
	if b.eval(`document.querySelector(".panels") !== null && document.querySelector(".panels").textContent.includes("300000 levels from the initial state, at most 1 states in one")`) != "true" {
		t.Fatalf("levels: got no, want yes: %s", strings.Join(b.errors, "\n"))
	}
	for _, test := range []struct{ number, label, outs string }{
		{"299998", "state 299998 of 300000", "1"},
		{"1.5", "state 299998 of 300000", "1"},
		{"-1", "state 299998 of 300000", "1"},
		{"", "state 299998 of 300000", "1"},
		{"300000", "state 299998 of 300000", "1"},
		{"299999", "state 299999 of 300000", "0"},
	} {
		b.eval(fmt.Sprintf(`document.querySelector("#number").value = %q, document.querySelector("#number").dispatchEvent(new Event("change")), %s`, test.number, drawn))
		if got := b.eval(stateLabel); got != test.label {
			t.Errorf("%s: got %q, want %q", test.number, got, test.label)
		}
		if got := b.eval(`document.querySelector("[aria-live]").textContent.split(", ")[1].split(" ")[0]`); got != test.outs {
			t.Errorf("%s: got %s transitions, want %s", test.number, got, test.outs)
		}
	}
	if len(b.errors) > 0 {
		t.Errorf("the page complains: %s", strings.Join(b.errors, "\n"))
	}
}

// TestManyBarsInBrowser: a result may have more bars than a function takes arguments.
func TestManyBarsInBrowser(t *testing.T) {
	b := startBrowser(t)
	x := Section{Title: "Bars"}
	for i := range 300_000 {
		x.Bars = append(x.Bars, Bar{Name: "b", Value: float64(i), Text: "b"})
	}
	b.open(serve(t, &Sheet{Title: "bars", Kind: "result", Notes: []string{}, Sections: []Section{x}}))
	if got := b.eval(`document.querySelectorAll(".bar").length`); got != "200" || len(b.errors) > 0 {
		t.Errorf("got %s bars, want 200: %s", got, strings.Join(b.errors, "\n"))
	}
}

// TestSheetInBrowser: tables and bars are there, and what others have written is text.
func TestSheetInBrowser(t *testing.T) {
	b := startBrowser(t)
	s, err := ResultSheet("r.json", []byte(sampleResult))
	if err != nil {
		t.Fatal(err)
	}
	b.open(serve(t, s))
	for what, expr := range map[string]string{
		"all sections":       `document.querySelectorAll("section.panel").length === 11`,
		"bars are drawn":     `document.querySelectorAll(".bar").length === 5`,
		"the verdict":        `document.querySelector("h1 .kind").textContent === "inconclusive"`,
		"nothing is markup":  `document.querySelectorAll("i").length === 0 && document.body.textContent.includes("<i>counts</i>")`,
		"it can be scrolled": `document.documentElement.scrollHeight >= document.querySelector("main").scrollHeight`,
	} {
		if b.eval(expr) != "true" {
			t.Errorf("%s: got no, want yes", what)
		}
	}
	b.picture("result-light")
	b.press("t")
	b.picture("result-dark")
	if len(b.errors) > 0 {
		t.Errorf("the page complains: %s", strings.Join(b.errors, "\n"))
	}
	for n, want := range map[float64]string{7: "7", 99.6: "100", 17161: "17000", 2.5e9: "2500000000"} {
		if got := roughly(n); got != want {
			t.Errorf("roughly %v: got %s, want %s", n, got, want)
		}
	}
}
