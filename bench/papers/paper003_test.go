package main

import (
	"strings"
	"testing"
)

func TestSelectorRows(t *testing.T) {
	rows, err := parseSelectorRows(tables003)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, r := range rows {
		count[r.program]++
	}
	for program, want := range map[string]int{"all": 14, "accept": 12, "read": 12, "write": 12, "net": 12, "rupy-defect": 2, "rupy-fixed": 2} {
		if count[program] != want {
			t.Errorf("%s: got %d rows, want %d", program, count[program], want)
		}
	}
	for text, want := range map[string]string{
		"all 3":            "want program, connections",
		"nothing 3 2 0:20": "want program, connections",
		"all x 2 0:20 5":   "invalid syntax",
	} {
		if _, err := parseSelectorRows(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestSelectorCommands(t *testing.T) {
	b := bench{}
	got := map[string]string{}
	for _, j := range selectorJobs() {
		got[j.name] = b.line(j)
	}
	for name, want := range map[string]string{
		"read/3x2":       "heddle check -nonblocking=accept,write,connect ./examples/alphabet/epoll/server -client './examples/alphabet/peer/client.sh {addr} 2' -client './examples/alphabet/peer/client.sh {addr} 2' -client './examples/alphabet/peer/client.sh {addr} 2' -- -n 3 -m 2",
		"rupy-fixed/1x0": "heddle check ./examples/eventloop/server -client './examples/eventloop/peer/get.sh {addr}' -- -n 1",
	} {
		if got[name] != want {
			t.Errorf("%s: got %s, want %s", name, got[name], want)
		}
	}
	if _, ok := got["faulty/99x2"]; !ok {
		t.Error("got no row with 99 clients")
	}
}

func TestSelectorPage(t *testing.T) {
	measured := map[string]figures{
		"all/3x2":         {Verdict: "verified", States: 1241, Seconds: 1.25, Memory: 1 << 20},
		"all/6x2":         {Verdict: "inconclusive", Why: "more than 10m0s"},
		"faulty/7x2":      {Verdict: "violation", Kinds: []string{"assert"}, States: 2, Seconds: 0.5, Search: 0.25},
		"rupy-defect/2x0": {Verdict: "violation", Kinds: []string{"race"}, States: 27, Seconds: 0.4},
	}
	text := selectorPage(measured, limits{}, "a machine")
	for _, want := range []string{
		"| 3 | 2 | 0:20 | 21,167 | 1.2 s | 1,241 | 1 MiB | verified |",
		"| 6 | 2 | - | - | 0.0 s | 0 | 0 MiB | inconclusive: more than 10m0s |",
		"| 4 | 2 | 14:32 | 1,024,777 | | | | not measured |",
		"| 1 to 10 | 1 of 10 | 0.25 s | 0.50 s | 2 |",
		"| 2 | 0 | 0:03 | 1,303 | 0.4 s | 27 | 0 MiB | found: race |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("got no line %s in\n%s", want, text)
		}
	}
}
