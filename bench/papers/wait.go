package main

import (
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
				return f.Verdict == "verified" && (w.flags != nil || f.Traffic != nil && f.Traffic.WaitSeconds < 0.05*f.Search)
			},
		})
	}
	return all
}

const waitingHeader = `
## Waiting

How much of the time of a search goes by in waiting for peers, for the alphabet client with 3 connections and 5 messages
on each.

| heddle | seconds | of which waiting | | states | connections | hits | misses | restarts |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

func writeWaiting(b *strings.Builder, measured map[string]figures) {
	b.WriteString(waitingHeader)
	for _, w := range waits {
		f, ok := measured[w.name]
		switch {
		case !ok:
			fmt.Fprintf(b, "| %s | not measured | | | | | | | |\n", w.title)
		case f.Traffic == nil || f.Search == 0:
			fmt.Fprintf(b, "| %s | %s: %s | | | | | | | |\n", w.title, f.Verdict, short(f.Why))
		default:
			t := f.Traffic
			fmt.Fprintf(b, "| %s | %.1f | %.3f | %.2f %% | %d | %d | %d | %d | %d |\n", w.title, f.Search, t.WaitSeconds,
				100*t.WaitSeconds/f.Search, f.States, t.Connections, t.Hits, t.Misses, t.Restarts)
		}
	}
}
