package main

import (
	"fmt"
	"slices"
	"strings"
)

// An agreement is a program that is checked in several ways: against live peers with
// a linear cache and with a tree, and together with its other side.
type agreement struct {
	name string
	pair pair
	row  row
	side part   // the side that is checked against live peers
	want string // kind of finding, empty if the program is right
	// depends says that what the program sends depends on the schedule. A linear
	// cache then refuses it.
	depends bool
}

func agreements() []agreement {
	day, jg, al, ch := pairs["daytime"], pairs["jget"], pairs["alphabet"], pairs["chat"]
	r := func(program string, conn, scale int) row { return row{program: program, conn: conn, scale: scale} }
	with := func(p pair, server, client string) pair {
		p.server, p.client = p.server+server, p.client+client
		return p
	}
	return []agreement{
		{name: "daytime client, 2 connections", pair: day, row: r("daytime", 2, 0), side: client},
		{name: "alphabet client, 2 x 1", pair: al, row: r("alphabet", 2, 1), side: client},
		{name: "alphabet client that closes too much, 1 x 2", pair: with(al, "", "/buggy"), row: r("alphabet", 1, 2), side: client, want: "assert", depends: true},
		{name: "alphabet server, 2 x 1", pair: al, row: r("alphabet", 2, 1), side: server},
		{name: "alphabet server that closes too early, 1 x 2", pair: with(al, "/buggy", ""), row: r("alphabet", 1, 2), side: server, want: "assert", depends: true},
		{name: "Jget, 1 piece", pair: jg, row: r("jget", 1, 0), side: client},
		{name: "Jget that is never content, 1 piece", pair: with(jg, "", "/buggy"), row: r("jget", 1, 0), side: client, want: "assert"},
		{name: "chat server, 2 clients", pair: ch, row: r("chat", 2, 2), side: server, depends: true},
		{name: "chat server without a mutex, 2 clients", pair: with(ch, "/buggy", ""), row: r("chat", 2, 2), side: server, want: "race", depends: true},
		{name: "chat server with a mutex for readers, 2 clients", pair: with(ch, "/buggy/leave", ""), row: r("chat", 2, 2), side: server, want: "race", depends: true},
	}
}

// The ways in which a program is checked.
var ways = []string{"linear", "tree", "central"}

// job returns one way of an agreement as a job.
func (a agreement) job(i int, way string) job {
	return job{
		name: agreementName(i, way),
		args: func(b builder) ([]string, error) {
			if way == "central" {
				args, err := a.pair.command(a.row, central, b)
				return append([]string{"-all"}, args...), err
			}
			args, err := a.pair.command(a.row, a.side, b)
			return append([]string{"-all", "-cache", way}, args...), err
		},
		good: func(f figures) bool { return (a.depends && way == "linear") || a.right(f) },
	}
}

// right reports whether what should be found was found.
func (a agreement) right(f figures) bool {
	if a.want == "" {
		return f.Verdict == "verified"
	}
	return slices.Contains(f.Kinds, a.want)
}

func agreementName(i int, way string) string { return fmt.Sprintf("agreement/%d/%s", i+1, way) }

func agreementJobs() []job {
	var all []job
	for i, a := range agreements() {
		for _, way := range ways {
			all = append(all, a.job(i, way))
		}
	}
	return all
}

const agreementHeader = `
## Agreement

Small programs, with and without bugs, checked to the end in three ways: against live peers with a linear cache, as the
paper has it, and with a tree of conversations, and with all processes in the checker. Each cell has what was found and
the number of states. What the chat server sends depends on the schedule, and so it does for an alphabet server that
closes too early, and for a client that closes too much, which is a reset if an answer was not read: a linear cache may
refuse all of them.

| program | in the checker | linear | tree | centralization | |
| --- | --- | --- | --- | --- | --- |
`

// writeAgreement writes the second table.
func writeAgreement(b *strings.Builder, measured map[string]figures) {
	b.WriteString(agreementHeader)
	for i, a := range agreements() {
		fmt.Fprintf(b, "| %s | %s |", a.name, inChecker[a.side])
		var of [3]figures
		all := true
		for k, way := range ways {
			f, ok := measured[agreementName(i, way)]
			of[k], all = f, all && ok
			fmt.Fprintf(b, " %s |", found(f, ok))
		}
		if !all {
			b.WriteString(" not measured |\n")
			continue
		}
		fmt.Fprintf(b, " %s |\n", a.compare(of[0], of[1], of[2]))
	}
}

// found tells in a few words what one way has found.
func found(f figures, ok bool) string {
	switch {
	case !ok:
		return ""
	case f.Verdict == "violation":
		return fmt.Sprintf("%s, %d states", strings.Join(f.Kinds, ", "), f.States)
	case f.Verdict == "verified":
		return fmt.Sprintf("verified, %d states", f.States)
	}
	return f.Verdict + ": " + short(f.Why)
}

// compare says whether the ways agree.
func (a agreement) compare(linear, tree, all figures) string {
	switch {
	case !a.right(tree) || !a.right(all):
		return "not as it should be"
	case !slices.Equal(tree.Kinds, all.Kinds):
		return "kinds of findings differ"
	case !a.depends && (linear.Verdict != tree.Verdict || !slices.Equal(linear.Kinds, tree.Kinds)):
		return "linear and tree differ"
	case tree.States >= all.States:
		return "agree, but the cache has no fewer states"
	}
	return "agree"
}
