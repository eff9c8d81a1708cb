package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
)

// table1 is what paper 001 has measured, on a 2.6 GHz AMD with 128 GiB.
var table1 = []struct{ config, time, levels, states, transitions string }{
	{"1+1", "7m 38s", "237", "368k", "796k"},
	{"1+2", "1h 42m", "365", "9.8m", "21m"},
	{"2+1", "4h 52m", "442", "28m", "61m"},
	{"1+3", "36h", "480", "209m", "455.6m"},
	{"2+2", "7d 6h", "550", "1.5b", "31.9b"},
	{"3+1", "9d 3h", "637", "1.8b", "38.9b"},
	{"1+4", "", "", "", ""},
	{"2+3", "", "", "", ""},
	{"3+2", "", "", "", ""},
	{"4+1", "", "", "", ""},
}

// stories are what paper 001, section 4.2, says of the issues.
var stories = []string{
	"the processor that finishes removes its own link, the link of the client is forgotten",
	"a client that disconnects removes its link before it uses it to wake the processor",
	"a client hangs up instead of sending data, and the processor is not woken (figure 5)",
	"a client sends itself a request to disconnect and was not put to sleep before",
	"a request to wake up reaches a processor that is being disconnected",
	"a processor sends a request to disconnect and keeps the partner",
}

const header = `# Paper 001: the load balancer

` + "`make paper001`" + ` searches the model in ` + "`examples/loadbalancer/model`" + ` for deadlocks and for the action ` + "`_error`" + `, which stands
for the other five properties of section 2.1.

The model is written after the paper's text and appendix; the paper's own is in a report that is not printed with it. So
the figures show what can be searched, not the same graph searched faster. Ours is smaller: one thread serves all clients
and one all processors, each holds PartnerLock from an event until it waits again, a socket is busy or not and has no
data in it, and the application layer knows nothing but whether there is a partner.

## Table 1

Clients + processors. The paper's columns first; theirs was a depth-first search with the toolset of 2007. Time is that of
the search with reading and linearisation, depth the longest path of a depth-first search, memory the most that the
process had. The paper could not complete configurations of five. Its
transitions of 2+2 and 3+1 are given as they are printed.

| | paper: time | levels | states | transitions | heddle: time | CPU | depth | states | transitions | memory | verdict |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
`

func page(w io.Writer, known map[string]figures, found []story, l limits) error {
	var b strings.Builder
	b.WriteString(header)
	for _, row := range table1 {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |", row.config,
			orDash(row.time), orDash(row.levels), orDash(row.states), orDash(row.transitions))
		f, ok := known[row.config]
		if !ok {
			b.WriteString(" not run | | | | | | |\n")
			continue
		}
		depth, verdict := fmt.Sprint(f.Depth), f.Verdict
		if f.Depth == 0 {
			depth = "-"
		}
		if f.Left != "" {
			verdict = "not complete: limit of " + f.Left
		}
		fmt.Fprintf(&b, " %s | %s | %s | %d | %d | %s | %s |\n",
			duration(f.Seconds), duration(f.CPU), depth, f.States, f.Transitions, bytes(f.RSS), verdict)
	}
	fmt.Fprintf(&b, "\nLimits were %v and %d GiB; %s, %s/%s, %d cores shared with other work.\n",
		l.time, l.memory, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	b.WriteString("\n## The six issues\n\nThe smallest configuration that shows each, and a shortest trace to it.\n\n" +
		"| issue | | found at | as | steps |\n| --- | --- | --- | --- | --- |\n")
	for i, s := range found {
		fmt.Fprintf(&b, "| %d | %s | %v | `%s` | %d |\n", s.issue, stories[i], s.config, s.finding, len(s.steps))
	}
	b.WriteString("\nThe table above is for the model with all of them fixed.\n\n## Figure 5\n\n" +
		"The trace to issue 3, without what reads and without locks:\n\n```\n")
	for _, step := range found[2].steps {
		if told(step) {
			b.WriteString(step + "\n")
		}
	}
	b.WriteString("```\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// told reports whether a step is told: reading and locking are not.
func told(step string) bool {
	for _, prefix := range []string{"get", "lock", "unlock", "noRequest"} {
		if strings.HasPrefix(step, prefix) {
			return false
		}
	}
	return true
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// duration prints seconds with one digit, and minutes from two on.
func duration(s float64) string {
	if s < 120 {
		return fmt.Sprintf("%.1fs", s)
	}
	return fmt.Sprintf("%dm %02ds", int(s)/60, int(s)%60)
}

func bytes(n int64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}
