package main

import (
	"cmp"
	"fmt"
	"strings"
)

// The program on which the waiting for peers is measured: the alphabet client with
// three connections and five messages on each.
var waitingRow = row{program: "alphabet", conn: 3, scale: 5}

// waits are the ways to know that a peer has answered, with their flags. The paper
// does not say how long it waits; 100 ms is what heddle does for peers that it
// cannot look at.
var waits = []struct {
	name, title string
	flags       []string
}{
	{"waiting/look", "looks at the peer", nil},
	{"waiting/delay", "waits 100 ms, as the paper does", []string{"-delay", "100ms"}},
}

func waitingJobs() []job {
	var all []job
	for _, w := range waits {
		all = append(all, job{
			name: w.name,
			args: func(b builder) ([]string, error) {
				args, err := waitingRow.command(client, b)
				return append(append([]string{}, w.flags...), args...), err
			},
			good: func(f figures) bool {
				return f.Verdict == "verified" && (w.flags != nil || f.waiting() < 0.05)
			},
			runs: waitingRuns,
			by:   func(a, b figures) int { return cmp.Compare(a.waiting(), b.waiting()) },
		})
	}
	return all
}

// waitingRuns is how often each is run: other work of the machine delays peers.
const waitingRuns = 11

// waiting is the part of the time, from the start of the process to its end, in which
// it did nothing but wait for peers: for their start, for answers, and for their end.
func (f figures) waiting() float64 {
	if f.Traffic == nil || f.Seconds == 0 {
		return 1
	}
	return f.Traffic.WaitSeconds / f.Seconds
}

const waitingHeader = `
## Waiting

How much of the time goes by in waiting for peers, for the alphabet client with 3 connections and 5 messages on each:
for the start of the server, for its answers and for its end, of all the time of the process. The looks that find the
peer quiet are work, and in a column of their own. Of %d runs each, the one in
the middle. To wait for the processor is not to wait for a peer: on a machine with other work the runs need precedence
(chrt -r 1 go run ./bench/papers -rows waiting).

| heddle | seconds | of which waiting | | looking | states | connections | hits | misses | restarts |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

func writeWaiting(b *strings.Builder, measured map[string]figures) {
	fmt.Fprintf(b, waitingHeader, waitingRuns)
	for _, w := range waits {
		f, ok := measured[w.name]
		switch {
		case !ok:
			fmt.Fprintf(b, "| %s | not measured | | | | | | | | |\n", w.title)
		case f.Traffic == nil || f.Seconds == 0:
			fmt.Fprintf(b, "| %s | %s: %s | | | | | | | | |\n", w.title, f.Verdict, short(f.Why))
		default:
			t := f.Traffic
			fmt.Fprintf(b, "| %s | %.2f | %.4f | %.2f %% | %.4f | %d | %d | %d | %d | %d |\n", w.title, f.Seconds, t.WaitSeconds,
				100*f.waiting(), t.LookSeconds, f.States, t.Connections, t.Hits, t.Misses, t.Restarts)
		}
	}
}
