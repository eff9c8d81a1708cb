package main

import (
	"fmt"
	"strings"
	"time"
)

// A judgement says whether a part of a row is as it should be.
type judgement int

// The judgements.
const (
	fine       judgement = iota
	unverified           // not everything was seen, or something was found
	larger               // there are more states than the paper has
)

func (j judgement) note() string {
	return [...]string{fine: "", unverified: " (not verified)", larger: " (more states than the paper)"}[j]
}

// judge holds figures against the paper's.
func judge(c cell, f figures) judgement {
	switch {
	case f.Verdict != "verified":
		return unverified
	case c.new > 0 && f.States > c.new:
		return larger
	}
	return fine
}

const header = `# Paper 000, table 2

Each row of the table, with all processes in the checker (centralization), and with one of them in the checker and the
others as live peers (caching). The programs are those of examples/, written anew as idiomatic Go: the paper's Java
sources were not at hand. What is the same is the problem, the protocol and the parameters. "conn" is the number of
connections, "scale" the number of messages on each (alphabet) or of clients that are let in (chat).

    $ make bench-papers

Limits are %v and %s for each part of a row. There is one worker, but for chat 4x4 with all in the checker: that has two.
The paper's figures are those of JPF 4 on a Core 2 Duo of 2.33 GHz,
with a limit of two hours; "new" are distinct states, "again" transitions to states that were seen before. Times are
those of the whole process, loading and peers included; memory is the most that the process of heddle had.

%s
`

// page returns the page of results.
func page(rows []row, measured map[string]figures, l limits, machine string) string {
	var b strings.Builder
	fmt.Fprintf(&b, header, l.time, size(l.memory), machine)
	for _, section := range []struct {
		title string
		parts []part
	}{
		{"Caching", []part{client, server}},
		{"Centralization", []part{central}},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n", section.title)
		b.WriteString("| program | conn | scale | in the checker | paper: time | new | again | heddle: time | new | again | memory | |\n")
		b.WriteString("| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n")
		var count [3]int
		missing := 0
		for _, p := range section.parts {
			for _, r := range rows {
				c, ok := r.paper[p]
				if !ok {
					continue
				}
				f, ok := measured[jobName(r, p)]
				if !ok {
					missing++
				} else {
					count[judge(c, f)]++
				}
				writeRow(&b, r, p, c, f, ok)
			}
		}
		fmt.Fprintf(&b, "\nVerified within the limits, and with no more states than the paper where it gives a number: %d of %d.", count[fine], count[fine]+count[unverified]+count[larger]+missing)
		for _, more := range []struct {
			n    int
			what string
		}{{count[larger], "with more states"}, {count[unverified], "not verified"}, {missing, "not measured"}} {
			if more.n > 0 {
				fmt.Fprintf(&b, " %d %s.", more.n, more.what)
			}
		}
		b.WriteString("\n")
	}
	writeWaiting(&b, measured)
	writeAgreement(&b, measured)
	return b.String()
}

// inChecker names what the checker executes.
var inChecker = map[part]string{central: "all", client: "client", server: "server"}

func writeRow(b *strings.Builder, r row, p part, c cell, f figures, ok bool) {
	scale, states := "", " | "
	if r.scale > 0 {
		scale = fmt.Sprint(r.scale)
	}
	if c.new > 0 {
		states = fmt.Sprintf("%d | %d", c.new, c.revisited)
	} else if c.time != tooLong {
		states = "JPF error | "
	}
	fmt.Fprintf(b, "| %s | %d | %s | %s | %s | %s | ", r.program, r.conn, scale, inChecker[p], c.time, states)
	if !ok {
		b.WriteString("| | | | not measured |\n")
		return
	}
	result := f.Verdict
	if j := judge(c, f); j == larger {
		result += j.note()
	}
	if f.Why != "" {
		result += ": " + short(f.Why)
	}
	fmt.Fprintf(b, "%s | %d | %d | %s | %s |\n", clock(f.Seconds), f.States, f.Revisited, size(f.Memory), result)
}

// short makes a reason fit into a cell.
func short(why string) string {
	const most = 120
	if r := []rune(why); len(r) > most {
		why = string(r[:most]) + " ..."
	}
	return strings.NewReplacer("|", "\\|", "\n", " ").Replace(why)
}

// clock writes seconds as the paper does, but for tenths.
func clock(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second)).Round(time.Second / 10)
	return fmt.Sprintf("%d:%04.1f", int(d.Minutes()), (d % time.Minute).Seconds())
}

func size(bytes int64) string {
	if bytes >= 1<<30 {
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}
