// Paper002 repeats tables 1 to 4 of paper 002 for its nine programs, and prints
// docs/results/paper002.md: states and transitions with and without reduction, which
// depend on the programs alone, then sizes of certificates, times and parts.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"

	"github.com/heddle-mc/heddle/internal/explore"
)

// A row is a program of the paper's table: its folder below examples, its name
// and parameters there, the paper's numbers of states and of transitions for
// each state, and constants that it has instead of those of the example.
type row struct {
	folder, name string
	states       int64
	ratio        float64
	constants    map[string]int
}

var rows = []row{
	{"philosophers", "Dining Philosopher (8)", 209014, 5.2, nil},
	{"boundedbuffer", "Bounded Buffer (5,4,4)", 786987, 7.1, map[string]int{"each": 2}},
	{"ksupipeline", "NASA KSU Pipeline (4,1)", 59512, 4.1, nil},
	{"nestedmonitor", "Nested Monitor (5,4,4)", 71941, 6.9, nil},
	{"stagepipeline", "Pipeline (7)", 82011, 6.1, nil},
	{"readerswriters", "RWVSN (4,4)", 227116, 5.1, nil},
	{"replicatedworkers", "Replicated Workers (5,2)", 710022, 5.1, nil},
	{"sleepingbarber", "Sleeping Barber (2,4,3)", 1452194, 4.3, nil},
	{"elevator", "Elevator (5,10,10)", 386032, 8.4, nil},
}

const head = `# The nine programs of paper 002

` + "`make paper002`" + ` at %s with %s: each program of examples/ at the parameters of table 1, searched depth first with one
worker until nothing is left, all properties on. The paper's columns are those of JPF with its reduction on.

## Table 1: states

The programs are written anew as idiomatic Go; the paper's Java sources were not at hand. What is the same is the
problem, the parameters and the numbers of invariants and assertions. A step here goes from one synchronising operation
to the next, and goroutines that are alike are not told apart: both make states fewer than JPF's. How many items the goroutines
of Bounded Buffer move the paper does not say. In the example it is one each, which makes 321 states; here it is two, so that
there are about as many states without reduction as the paper has.

| program | paper: states | transitions/state | reduced: states | transitions/state | plain: states | transitions/state | paper/reduced |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

func main() {
	log.SetFlags(0)
	dir := flag.String("examples", "examples", "folder of the examples")
	to := flag.String("o", "", "write the page to `file` instead of standard output, when it is complete")
	commit := flag.String("commit", "an unknown commit", "what is measured")
	rounds := flag.Int("rounds", 3, "each time is the least of `n`")
	flag.Parse()
	var err error
	scratch, err = os.MkdirTemp("", "paper002")
	check(err)
	defer os.RemoveAll(scratch)
	var page bytes.Buffer
	fmt.Fprintf(&page, head, *commit, runtime.Version())
	var list []*measured
	failed := false
	for _, r := range rows {
		s := load(*dir, r, *rounds)
		plain, reduced := s.search(false), s.search(true)
		fmt.Fprintf(&page, "| %s | %d | %.1f | %d | %.1f | %d | %.1f | %.1f |\n", r.name, r.states, r.ratio,
			reduced.States, ratio(reduced), plain.States, ratio(plain), float64(r.states)/float64(reduced.States))
		if reduced.States > r.states {
			log.Printf("%s: %d states, the paper has %d", r.folder, reduced.States, r.states)
			failed = true
		}
		m := s.measure()
		list = append(list, m)
		failed = !m.even() || !m.gains() || failed
	}
	page.WriteString(sizesHead)
	for _, m := range list {
		failed = !m.sizes(&page) || failed
	}
	page.WriteString(largeHead)
	for _, l := range large {
		failed = !l.sizes(*dir, &page) || failed
	}
	for _, t := range []struct {
		head string
		row  func(*measured, io.Writer)
	}{{fmt.Sprintf(timesHead, *rounds), (*measured).times}, {partsHead, (*measured).balance}, {waysHead, (*measured).ways}} {
		page.WriteString(t.head)
		for _, m := range list {
			t.row(m, &page)
		}
	}
	if *to == "" {
		os.Stdout.Write(page.Bytes())
	} else {
		check(os.WriteFile(*to, page.Bytes(), 0o666))
	}
	if failed {
		os.RemoveAll(scratch)
		os.Exit(1)
	}
}

func ratio(r *explore.Result) float64 { return float64(r.Transitions) / float64(r.States) }
