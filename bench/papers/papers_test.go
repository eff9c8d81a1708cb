package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func table(t *testing.T) []row {
	t.Helper()
	rows, err := parseTable(table2)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestTable counts what was typed in: the rows of each program, and the numbers,
// the "> 2 h" and what was left out in each column.
func TestTable(t *testing.T) {
	rows := map[string]int{}
	given, over, out := map[part]int{}, map[part]int{}, map[part]int{}
	var states int64
	for _, r := range table(t) {
		rows[r.program]++
		for _, p := range parts {
			switch c, ok := r.paper[p]; {
			case !ok:
				out[p]++
			case c.time == tooLong:
				over[p]++
			case c.new > 0:
				given[p]++
				states += c.new
				if c.revisited == 0 || !strings.Contains(c.time, ":") {
					t.Errorf("%s/%s: got %+v, want a time and two numbers", r.name(), p, c)
				}
			}
		}
	}
	for program, want := range map[string]int{"daytime": 5, "jget": 1, "alphabet": 22, "chat": 9} {
		if rows[program] != want {
			t.Errorf("%s: got %d rows, want %d", program, rows[program], want)
		}
	}
	// All of centralization but daytime 4 to 6, jget, alphabet and chat 3x2, 3x3
	// and 4 has numbers, alphabet 2x1 a time alone; and so on.
	for _, test := range []struct {
		p                part
		given, over, out int
	}{{central, 5, 31, 0}, {client, 13, 15, 9}, {server, 28, 4, 5}} {
		if given[test.p] != test.given || over[test.p] != test.over || out[test.p] != test.out {
			t.Errorf("%s: got %d with numbers, %d over 2 h, %d left out, want %d, %d, %d",
				test.p, given[test.p], over[test.p], out[test.p], test.given, test.over, test.out)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, line := range []string{"a 1 2 | - | -", "a 1 | - | - | -", "a x 1 | - | - | -", "a 1 x | - | - | -", "a 1 1 | 0:01 5 | - | -", "a 1 1 | - | 0:01 x 5 | -", "a 1 1 | - | - | 2 h"} {
		if _, err := parseTable(line); err == nil || !strings.HasPrefix(err.Error(), "table2.txt:1: ") {
			t.Errorf("%q: got %v, want an error with its line", line, err)
		}
	}
}

func TestCommands(t *testing.T) {
	b := bench{build: func(folder string) (string, error) { return "bin/" + filepath.Base(folder), nil }}
	got := map[string]string{}
	for _, j := range jobs(table(t)) {
		got[j.name] = b.line(j)
	}
	for name, want := range map[string]string{
		"daytime/2/central":    "heddle check ./examples/daytime/server ./examples/daytime/client -- -n 2",
		"daytime/6/client":     "heddle check ./examples/daytime/client -server 'bin/server -addr {addr} -n 0' -- -n 6",
		"jget/2/client":        "heddle check ./examples/jget/client -server 'bin/server -addr {addr} -n -1' -- -n 2",
		"jget/2/server":        "heddle check ./examples/jget/server -client 'curl -s http://{addr}/' -client 'curl -s -r 0-3 http://{addr}/' -client 'curl -s -r 4-7 http://{addr}/' -- -n 2",
		"alphabet/3x5/central": "heddle check ./examples/alphabet/server ./examples/alphabet/client -- -n 3 -m 5",
		"alphabet/3x5/client":  "heddle check ./examples/alphabet/client -server 'bin/server -addr {addr} -n 0' -- -n 3 -m 5",
		"alphabet/2x5/server":  "heddle check ./examples/alphabet/server -client 'bin/client -addr {addr} -n 1 -m 5' -client 'bin/client -addr {addr} -n 1 -m 5' -- -n 2 -m 5",
		"chat/3x2/central":     "heddle check ./examples/chat/server ./examples/chat/client ./examples/chat/client ./examples/chat/client -- -n 2",
		"chat/4x4/central":     "heddle check -workers 2 ./examples/chat/server ./examples/chat/client ./examples/chat/client ./examples/chat/client ./examples/chat/client -- -n 4",
		"chat/2x1/server":      "heddle check ./examples/chat/server -client 'bin/client -addr {addr}' -client 'bin/client -addr {addr}' -- -n 1",
	} {
		if got[name] != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got[name], want)
		}
	}
	if len(got) != 37+28+32 {
		t.Errorf("got %d parts, want %d", len(got), 37+28+32)
	}
}

func TestPage(t *testing.T) {
	rows, err := parseTable("a 2 - | 112:24 | 0:01 204 229 | > 2 h\nb 3 4 | > 2 h | 0:02 7 8 | -\n")
	if err != nil {
		t.Fatal(err)
	}
	got := page(rows, map[string]figures{
		"a/2/central":  {Verdict: "inconclusive", Why: "limit of 1 | 2", States: 9, Revisited: 1, Seconds: 600.04, Memory: 5 << 30},
		"a/2/client":   {Verdict: "verified", States: 204, Revisited: 4, Seconds: 1.26, Memory: 9 << 20},
		"b/3x4/client": {Verdict: "verified", States: 8, Revisited: 5, Seconds: 61},
		"waiting/look": {Verdict: "verified", States: 7, Seconds: 8, Traffic: &traffic{1, 2, 3, 4, 0.2, 0.25}},
	}, limits{time.Minute, 4 << 30}, "a machine")
	for _, want := range []string{
		"Limits are 1m0s and 4.0 GiB for each part",
		"| a | 2 |  | client | 0:01 | 204 | 229 | 0:01.3 | 204 | 4 | 9 MiB | verified |\n",
		"| b | 3 | 4 | client | 0:02 | 7 | 8 | 1:01.0 | 8 | 5 | 0 MiB | verified (more states than the paper) |\n",
		"| a | 2 |  | server | > 2 h |  |  | | | | | not measured |\n",
		"| a | 2 |  | all | 112:24 | JPF error |  | 10:00.0 | 9 | 1 | 5.0 GiB | inconclusive: limit of 1 \\| 2 |\n",
		"number: 1 of 3. 1 with more states. 1 not measured.\n",
		"number: 0 of 2. 1 not verified. 1 not measured.\n",
		"| looks at the peer | 8.00 | 0.2000 | 2.50 % | 0.2500 | 7 | 1 | 2 | 3 | 4 |\n",
		"| waits 100 ms, as the paper does | not measured |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}

func TestAgreement(t *testing.T) {
	b := bench{build: func(folder string) (string, error) { return "bin/" + folder, nil }}
	got := map[string]string{}
	for _, j := range agreementJobs() {
		got[j.name] = b.line(j)
	}
	for name, want := range map[string]string{
		"agreement/3/tree":    "heddle check -all -cache tree ./examples/alphabet/client/buggy -server 'bin/alphabet/server -addr {addr} -n 0' -- -n 1 -m 2",
		"agreement/5/linear":  "heddle check -all -cache linear ./examples/alphabet/server/buggy -client 'bin/alphabet/client -addr {addr} -n 1 -m 2' -- -n 1 -m 2",
		"agreement/9/central": "heddle check -all ./examples/chat/server/buggy ./examples/chat/client ./examples/chat/client -- -n 2",
	} {
		if got[name] != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got[name], want)
		}
	}

	race := func(states int64) figures {
		return figures{Verdict: "violation", Kinds: []string{"race"}, States: states}
	}
	right := func(states int64) figures { return figures{Verdict: "verified", States: states} }
	bug, fine := agreement{want: "race"}, agreement{}
	for _, test := range []struct {
		a                 agreement
		linear, tree, all figures
		want              string
	}{
		{bug, race(1), race(1), race(2), "agree"},
		{fine, right(1), right(1), right(2), "agree"},
		{fine, right(1), right(2), right(2), "agree, but the cache has no fewer states"},
		{bug, right(1), race(1), race(2), "linear and tree differ"},
		{agreement{want: "race", depends: true}, right(1), race(1), race(2), "agree"},
		{bug, race(1), race(1), right(2), "not as it should be"},
		{fine, race(1), race(1), race(2), "not as it should be"},
		{bug, race(1), race(1), figures{Verdict: "violation", Kinds: []string{"leak", "race"}, States: 2}, "kinds of findings differ"},
	} {
		if got := test.a.compare(test.linear, test.tree, test.all); got != test.want {
			t.Errorf("%+v, %+v, %+v: got %q, want %q", test.linear, test.tree, test.all, got, test.want)
		}
	}
}

// TestCheck runs a command in place of heddle: what it prints is believed, and
// one that takes too long is ended.
func TestCheck(t *testing.T) {
	l := limits{time.Minute, 4 << 30}
	if f := check("testdata/verified.sh", []string{"x"}, l); f.Verdict != "verified" || f.States != 12 || f.Revisited != 3 || f.Search != 1.5 || f.Seconds == 0 || f.Memory == 0 || f.Traffic == nil || f.Traffic.Hits != 4 {
		t.Errorf("got %+v, want what the script says", f)
	}
	if f := check("testdata/violation.sh", nil, l); f.Verdict != "violation" || f.Why != "race; a limit" {
		t.Errorf("got %+v, want a race and what was left", f)
	}
	if f := check("testdata/broken.sh", nil, l); f.Verdict != "failed" || f.Why != "heddle check: no such flag" {
		t.Errorf("got %+v, want that it failed", f)
	}
	if f := check("testdata/silent.sh", nil, l); f.Verdict != "failed" || !strings.HasPrefix(f.Why, "exit status 4, and what it prints is no JSON: ") {
		t.Errorf("got %+v, want that it failed", f)
	}
	if f := check("testdata/endless.sh", nil, limits{time.Millisecond, 4 << 30}); f.Verdict != "inconclusive" || f.Why != "more than 1ms" {
		t.Errorf("got %+v, want that it took too long", f)
	}
	if f := check("testdata/endless.sh", nil, limits{time.Minute, 1}); f.Verdict != "inconclusive" || f.Why != "more than 0 MiB" {
		t.Errorf("got %+v, want that it took too much memory", f)
	}
}
