package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/testlong"
)

const model = "../../examples/loadbalancer/model"

// TestIssues finds each of the six issues where the paper says it is, and checks
// that the end of the trace tells its story.
func TestIssues(t *testing.T) {
	tests := []struct {
		finding string
		parts   []string // of the trace, in this order
	}{
		// The processor (3) finishes with one client and takes the other.
		{"_error(WrongPartners, 2, 3)", []string{
			"setPartner(processors, 2, 3)", "application(3, finish)", "putRequest(processors, request(requestDisconnect, 2))",
			"setPartner(processors, 3, 0)", "application(3, work)", "setPartner(processors, 3, 1)"}},
		{"_error(SleepWithoutPartner, 2)", []string{
			"application(2, ask)", "application(1, quit)", "setState(clients, 1, STATE_DISCONNECT, none)",
			"setPartner(clients, 1, 0)", "getPartner(clients, 1, 0)"}},
		{"_error(SleepWithoutPartner, 2)", []string{
			"application(1, submit)", "application(2, work)", "application(2, ask)",
			"putRequest(processors, request(requestReceive, 1))", "setState(processors, 2, STATE_SLEEP, none)",
			"startRead(clients, 1)", "closed(clients, 1)", "setState(clients, 1, SOCK_FREE, none)"}},
		{"_error(CriticalLog)", []string{
			"application(1, quit)", "putRequest(clients, request(requestDisconnect, 1))",
			"log(illegalDisconnect, 1, STATE_TRANSACTION)"}},
		{"_error(CriticalLog)", []string{
			"closed(processors, 2)", "application(1, submit)", "putRequest(clients, request(requestWakeUp, 2))",
			"setState(processors, 2, STATE_BREAK, none)", "log(illegalWakeUp, 2, STATE_BREAK)"}},
		{"_error(MaxRequests)", []string{
			"application(2, finish)", "putRequest(processors, request(requestDisconnect, 1))",
			"application(2, finish)", "putRequest(processors, request(requestDisconnect, 1))",
			"getConnection(processors, 2, STATE_TRANSACTION, none, 1)"}},
	}
	for i, test := range tests {
		s, err := find(model, issuesAt[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.finding != test.finding {
			t.Errorf("issue %d: got %q, want %q", s.issue, s.finding, test.finding)
		}
		rest := s.steps
		for _, part := range test.parts {
			at := slices.Index(rest, part)
			if at < 0 {
				t.Errorf("issue %d: got no %s where it was wanted in\n%s", s.issue, part, strings.Join(s.steps, "\n"))
				break
			}
			rest = rest[at+1:]
		}
	}
}

// TestFixed checks that nothing is found without issues, and the numbers of
// states.
func TestFixed(t *testing.T) {
	tests := []struct {
		config
		states, transitions int64
	}{
		{config{1, 1, 0}, 16007, 28558},
		{config{1, 2, 0}, 194808, 358068},
		{config{2, 1, 0}, 261495, 474523},
	}
	for _, test := range tests {
		if !testlong.On() && test.clients+test.processors > 2 {
			continue
		}
		l, err := load(model, test.config, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := search(l, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != explore.Verified || r.States != test.states || r.Transitions != test.transitions {
			t.Errorf("%v: got %v, want %d states and %d transitions, verified", test.config, r, test.states, test.transitions)
		}
	}
}

// TestProperties changes the model so that the properties that no issue breaks do
// not hold either.
func TestProperties(t *testing.T) {
	tests := []struct{ old, new, want string }{
		{"nMaxLock = 2", "nMaxLock = 1", "_error(MaxLock)"},
		{"-> _unlock(tid) . WaitEvent(tid)", "-> _unlock(tid) . delta", "deadlock no step is enabled"},
	}
	for _, test := range tests {
		changed := false
		s, err := find(model, config{1, 1, 0}, func(_, text string) string {
			changed = changed || strings.Contains(text, test.old)
			return strings.ReplaceAll(text, test.old, test.new)
		})
		if err != nil {
			t.Fatal(err)
		}
		if !changed || s.finding != test.want {
			t.Errorf("%s: got %q (changed: %t), want %q", test.old, s.finding, changed, test.want)
		}
	}
}

func TestParseConfig(t *testing.T) {
	for text, want := range map[string]config{
		"1+1": {1, 1, 0}, "2+3": {2, 3, 0}, "": {}, "1": {}, "0+1": {}, "1+0": {}, "3+3": {}, "1+1x": {}, "-1+1": {},
	} {
		got, err := parseConfig(text)
		if got != want || (err == nil) != (want != config{}) {
			t.Errorf("%q: got %v and error %v, want %v", text, got, err, want)
		}
	}
}

func TestPage(t *testing.T) {
	var b strings.Builder
	known := map[string]figures{
		"1+1": {Verdict: "verified", States: 11, Transitions: 12, Depth: 13, Seconds: 1.25, CPU: 200, RSS: 5 << 20},
		"2+3": {Verdict: "inconclusive", Left: "time", RSS: 3 << 30},
	}
	found := make([]story, 6)
	found[2].steps = []string{"lock(clients)", "closed(clients, 1)", "getState(clients, 1, SOCK_FREE)"}
	if err := page(&b, known, found, limits{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| 1+1 | 7m 38s | 237 | 368k | 796k | 1.2s | 3m 20s | 13 | 11 | 12 | 5 MiB | verified |\n",
		"| 2+3 | - | - | - | - | 0.0s | 0.0s | - | 0 | 0 | 3.0 GiB | not complete: limit of time |\n",
		"| 3+1 | 9d 3h | 637 | 1.8b | 38.9b | not run | | | | | | |\n",
		"```\nclosed(clients, 1)\n```\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got\n%swant a page with\n%s", b.String(), want)
		}
	}
}
