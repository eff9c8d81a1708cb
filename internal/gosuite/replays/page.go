package main

import (
	"fmt"
	"slices"
	"strings"
)

// page is what is written.
func page(rows []*row, states int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Findings, replayed

Programs are checked in each way of searching, up to %d states, and each finding that is told is replayed by
the command that is told with it, which has to end with exit code 1. No way may verify a program in which another finds something. *Pairs* are the servers and clients of the examples, checked as
groups of processes, *issues* are those of the load balancer; *generated* programs are those of package `+"`internal/gosuite/randconc`"+`; those with
*descriptors* have goroutines that are alike but for the numbers of descriptors of their own.

    $ make replays

Made at commit %s.

| kind | way | programs | verified | with findings | findings | replayed |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
`, states, strings.Join(commits(rows), ", "))
	var kinds []string
	for _, r := range rows {
		if !slices.Contains(kinds, r.Kind) {
			kinds = append(kinds, r.Kind)
		}
	}
	var all, replayed int
	var more int64
	for _, kind := range kinds {
		for i, w := range ways {
			var programs, verified, found int
			var sum tally
			for _, r := range rows {
				t := r.Ways[i]
				if r.Kind != kind || !t.Searched {
					continue
				}
				programs++
				if t.Findings > 0 {
					found++
				}
				if t.Verified {
					verified++
				}
				sum.Findings, sum.Replayed, sum.More = sum.Findings+t.Findings, sum.Replayed+t.Replayed, sum.More+t.More
			}
			if programs > 0 {
				fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d |\n", kind, w.name, programs, verified, found, sum.Findings, sum.Replayed)
			}
			all, replayed, more = all+sum.Findings, replayed+sum.Replayed, more+sum.More
		}
	}
	fmt.Fprintf(&b, "\n%d findings in all, %d replayed.", all, replayed)
	if more > 0 {
		fmt.Fprintf(&b, " %d more were found with `-all` beyond those that a check keeps; they are not told, and have no trace.", more)
	}
	b.WriteString("\n")
	return b.String()
}

// commits lists the versions by which rows were made.
func commits(rows []*row) (list []string) {
	for _, r := range rows {
		if !slices.Contains(list, r.Commit) {
			list = append(list, r.Commit)
		}
	}
	return list
}
