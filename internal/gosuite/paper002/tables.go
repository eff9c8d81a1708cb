package main

import (
	"fmt"
	"io"
	"log"
	"time"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/execute"
)

// Tables 2 to 4 of the paper, for certificates.

// A paperRow has what the paper says in its tables 2 to 4.
type paperRow struct {
	verify, certify, trustful float64 // seconds
	full, tree                float64 // size of the scripts in KB
	largest, treeLargest      [3]int  // of 10, 50 and 100 parts, in percent
}

var paper = map[string]paperRow{
	"philosophers":      {221, 213, 35, 104, 25, [3]int{13, 4, 2}, [3]int{11, 4, 3}},
	"boundedbuffer":     {1090, 1036, 130, 329, 74, [3]int{11, 4, 3}, [3]int{12, 4, 2}},
	"ksupipeline":       {45, 44, 9, 91, 22, [3]int{12, 4, 3}, [3]int{11, 5, 3}},
	"nestedmonitor":     {100, 97, 14, 45, 9, [3]int{11, 5, 3}, [3]int{10, 4, 3}},
	"stagepipeline":     {102, 99, 15, 51, 11, [3]int{12, 6, 2}, [3]int{13, 5, 3}},
	"readerswriters":    {246, 236, 39, 102, 29, [3]int{11, 4, 3}, [3]int{11, 5, 2}},
	"replicatedworkers": {862, 819, 140, 272, 72, [3]int{12, 5, 2}, [3]int{12, 4, 3}},
	"sleepingbarber":    {1310, 1245, 245, 492, 187, [3]int{11, 4, 3}, [3]int{11, 4, 2}},
	"elevator":          {1169, 1122, 129, 248, 54, [3]int{10, 4, 2}, [3]int{12, 5, 4}},
}

// A measured is what was measured of one program.
type measured struct {
	*subject
	full, tree                            []byte
	verify, record, certify, trustfulTime time.Duration
	clock, trustfulClock                  float64 // how many times faster than verification by the clock
	parts, greedy, treeParts              [3]partition
}

var ks = [3]int{10, 50, 100}

func (s *subject) measure() *measured {
	m := &measured{subject: s}
	sys := s.system(s.known)
	m.tree = s.record(sys, cert.Tree)
	check(sys.Close())
	t, clock := s.times(
		func(sys *execute.System) { s.explore(sys, true, nil) },
		func(sys *execute.System) { m.full = s.record(sys, cert.Full) },
		func(sys *execute.System) { s.certify(sys, m.full, false) },
		func(sys *execute.System) { s.certify(sys, m.tree, true) },
	)
	m.verify, m.record, m.certify, m.trustfulTime = t[0], t[1], t[2], t[3]
	m.clock, m.trustfulClock = clock[0].Seconds()/clock[2].Seconds(), clock[0].Seconds()/clock[3].Seconds()
	for i, k := range ks {
		m.parts[i] = s.partition(m.full, k, false, false)
		m.greedy[i] = s.partition(m.full, k, true, false)
		m.treeParts[i] = s.partition(m.tree, k, false, true)
	}
	return m
}

const sizesHead = `
## Table 2: sizes of scripts

The paper's scripts are compressed with ZIP, for graphs of 244,000 to 6,200,000 transitions. Sizes here are those of the
script sections with the sums, which are 12 bytes. A model learns nothing about a program before it has seen some of it, so the
script of a graph of some hundred transitions takes more bytes for each. A script may have 64 bytes and 0.1 for each transition here; those of larger graphs
in the next table, which are of the paper's size, may have 0.1. Bytes a transition of a trustful script are given for each transition of the graph,
as in the paper. The copy is the script once more, which is read when it is cut. The whole file is what the command writes: most of it are hashes of the program's
functions, by which it is told what has changed, and in deep searches short ways to where parts begin.

| program | paper: bytes/transition | trustful | transitions | bytes | bytes/transition | trustful: bytes | bytes/transition | copy | whole file |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

// sizes writes a row and reports whether the script is as small as is asked for.
func (m *measured) sizes(w io.Writer) bool {
	p := paper[m.folder]
	c, t := open(m.full), open(m.tree)
	file, script := c.Size()
	_, small := t.Size()
	n := float64(c.Counts.Transitions)
	all := float64(m.states) * m.ratio
	fmt.Fprintf(w, "| %s | %.3f | %.3f | %d | %d | %.3f | %d | %.3f | %d | %d |\n", m.name, 1024*p.full/all, 1024*p.tree/all,
		c.Counts.Transitions, script, float64(script)/n, small, float64(small)/n, c.CopySize(), file)
	if most := fewBytes + mostBytes*n; float64(script) > most {
		log.Printf("%s: %d bytes, %.0f are asked for", m.name, script, most)
		return false
	}
	return true
}

const timesHead = `
## Table 2: times

Seconds of the processor, the least of %d runs or, if they are short, of many more, done in turns, on a machine of two
processors that does other things at the same time. Verification is one search without writing a certificate, when it is known
already what reduction may assume; "recording" writes one. Trustful certification is that of a trustful certificate.
Transitions/states is what trustful certification is to be faster by. "Faster" is by seconds of the processor; by the clock
the script is read on another processor, if there is one that has time. Both take all steps of all states. Verification looks
in each state for a set of steps that is enough; certification only where the script says that it leaves out something, which
need not be believed: to follow all steps is never wrong.

| program | paper: certification | trustful | verification | recording | certification | faster | by the clock | trustful | faster | by the clock | transitions/states |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

func (m *measured) times(w io.Writer) {
	p := paper[m.folder]
	c := open(m.full)
	fmt.Fprintf(w, "| %s | %.2f | %.1f | %.3f | %.3f | %.3f | %.2f | %.2f | %.3f | %.1f | %.1f | %.1f |\n", m.name, p.verify/p.certify, p.verify/p.trustful,
		m.verify.Seconds(), m.record.Seconds(), m.certify.Seconds(), m.verify.Seconds()/m.certify.Seconds(), m.clock,
		m.trustfulTime.Seconds(), m.verify.Seconds()/m.trustfulTime.Seconds(), m.trustfulClock, float64(c.Counts.Transitions)/float64(c.Counts.States))
}

const partsHead = `
## Table 3: parts

The largest part in percent of all transitions, or of all states if trustful, as it turned out when each was examined; how many times faster than verification
the slowest part is, which is what those wait for who examine parts on machines of their own; and how many times faster it is together with cutting the certificate and
comparing the results, which one machine does for all, and which the paper counts, too. To cut it the copy of the script is read.
In graphs of some hundred transitions a hundredth is less than what one state has, and what each part costs at least is more.

| program | parts | paper: largest | trustful | largest | slowest: faster | with the rest | as figure 4 does: largest | trustful: largest | slowest: faster | with the rest |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

func (m *measured) balance(w io.Writer) {
	p := paper[m.folder]
	faster := func(d time.Duration) float64 { return m.verify.Seconds() / d.Seconds() }
	for i, k := range ks {
		a, g, t := m.parts[i], m.greedy[i], m.treeParts[i]
		fmt.Fprintf(w, "| %s | %d | %d | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", m.name, k, p.largest[i], p.treeLargest[i],
			100*a.largest, faster(a.slowest), faster(a.slowest+a.around), 100*g.largest, 100*t.largest, faster(t.slowest), faster(t.slowest+t.around))
	}
}

// even reports whether no part is larger than is asked for, and says which are.
func (m *measured) even() bool {
	ok := true
	for i, most := range [3]float64{0: 0.12, 1: 1, 2: 0.015} {
		for _, p := range []partition{m.parts[i], m.treeParts[i]} {
			if p.largest > most {
				log.Printf("%s: the largest of %d parts has %.2f %%, %.1f %% are asked for", m.folder, ks[i], 100*p.largest, 100*most)
				ok = false
			}
		}
	}
	return ok
}

// gains reports whether philosophers in 100 parts are as much faster as is asked for: the slowest part, also together with cutting and comparing.
func (m *measured) gains() bool {
	p := m.parts[2]
	if got := m.verify.Seconds() / (p.slowest + p.around).Seconds(); m.folder == "philosophers" && got < leastGain {
		log.Printf("%s: %d parts are %.1f times faster with cutting and comparing, %d are asked for", m.folder, ks[2], got, leastGain)
		return false
	}
	return true
}

// leastGain is how many times faster 100 parts of the philosophers have to be than verification.
const leastGain = 30

const waysHead = `
## Table 4: initialization paths

Steps from the start to where a part begins, on average and at most. In the paper they are 31, 53 and 53 on average, and at
most 16 (philosophers) to 6742 (bounded buffer). Here a slice begins wherever the last one has ended. In a search of a depth of
64 or more a short way leads to one of some 256 states before that, and from there on the way is that of the search, as far back as the part comes.

| program | depth | 10 parts | most | 50 parts | most | 100 parts | most |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

func (m *measured) ways(w io.Writer) {
	fmt.Fprintf(w, "| %s | %d", m.name, open(m.full).Counts.Depth)
	for _, p := range m.parts {
		fmt.Fprintf(w, " | %.0f | %d", p.way, p.longest)
	}
	fmt.Fprintln(w, " |")
}
