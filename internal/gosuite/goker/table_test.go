package goker

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

var table = flag.String("table", "", "write the table of all kernels to this `file`")

const tableHead = "# The kernels of the goroutine leak profile\n" + `
Each file of ` + "`runtime/testdata/testgoroutineleakprofile/goker`" + ` of the Go distribution, as a program that executes the
faulty code once (see package ` + "`internal/gosuite/goker`" + `). Made by

    make goker

*First* is the search up to the first finding: breadth first, with reduction, all settings at their defaults. *All* goes
on after it, up to its end or 1,000 states, or 30,000 if an expected leak is missing then. Its findings are compared with
what the Go team expects (` + "`runtime/goroutineleakprofile_test.go`" + `): every goroutine that is expected to leak
is found, also those that are too rare to be relied on in a run, and no other. Kernels marked with * draw random
numbers; 16 seeds are explored. Etcd7492, Grpc660 and Moby33781 have endless paths: a clock that the program reads or a
sequence of random numbers makes each round of a loop another state. Depth first, such a path would be followed for
ever; that is why the searches here are breadth first. A search whose assumptions turn out to be wrong (see
docs/RATIONALE.md) is made again without them: states and transitions are those of the last one, seconds are those of all.

| kernel | findings | expected leaks found | first: states | transitions | seconds | all: states | transitions | seconds |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

// A run is a search and how long it took.
type run struct {
	*explore.Result
	seconds float64
}

// timed searches a program as the command does, with assumptions.
func timed(t *testing.T, prog *bytecode.Program, o explore.Options, s execute.Settings) run {
	t.Helper()
	var r *explore.Result
	began := time.Now()
	check.Settle(execute.Unknown(), func(known execute.Known) (found []*execute.Found, done bool) {
		var sys *execute.System
		var err error
		s.Known = known
		r, err = explore.Run(func() (lts.System, error) {
			sys, err = execute.NewSystem(prog, execute.Process{Args: []string{"main"}}, s)
			return sys, err
		}, o)
		if err != nil {
			t.Fatal(err)
		}
		defer sys.Close()
		return []*execute.Found{sys.Found()}, len(r.Findings) > 0 && !o.All
	})
	return run{r, time.Since(began).Seconds()}
}

// TestTable writes docs/results/goker.md, and checks that nothing takes long.
func TestTable(t *testing.T) {
	if *table == "" {
		t.Skip("no -table")
	}
	s, dir := session(t), t.TempDir()
	var b strings.Builder
	b.WriteString(tableHead)
	slowest := 0.0
	for _, k := range kernels(t) {
		file := filepath.Join(dir, filepath.Base(k.File))
		if err := os.WriteFile(file, k.Source, 0o666); err != nil {
			t.Fatal(err)
		}
		prog := compileFile(t, s, file)
		name, settings := k.Name, execute.Settings{}
		if k.Random {
			name, settings.Random = name+"*", 16
		}
		o := explore.Options{Strategy: explore.BreadthFirst, Reduce: true}
		first := timed(t, prog, o, settings)
		if first.Verdict != explore.Violation {
			t.Errorf("%s: got %s, want a finding", k.Name, first.Result)
		}
		if slowest = max(slowest, first.seconds); first.seconds > 10 {
			t.Errorf("%s: got the first finding after %.1f s, want it within 10 s", k.Name, first.seconds)
		}
		var all run
		found := make([]bool, len(k.Leaks))
		o.All = true
		for _, o.Limits.States = range []int64{1000, 30000} {
			all = timed(t, prog, o, settings)
			leaksOf(t, &k, all.Result, found)
			if len(all.Left) == 0 || missing(&k, found) == "" && all.Verdict == explore.Violation {
				break
			}
		}
		if m := missing(&k, found); m != "" {
			t.Errorf("%s: got no leak %s", k.Name, m)
		}
		n := 0
		for _, ok := range found {
			if ok {
				n++
			}
		}
		expected := fmt.Sprintf("%d of %d", n, len(found))
		if !k.Listed {
			expected = "none stated"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %.2f | %d | %d | %.2f |\n", name, kindsOf(all.Result), expected,
			first.States, first.Transitions, first.seconds, all.States, all.Transitions, all.seconds)
	}
	fmt.Fprintf(&b, "\nThe slowest first finding took %.2f seconds.\n", slowest)
	if err := os.WriteFile(*table, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// kindsOf lists the kinds of findings with how many there are of each.
func kindsOf(r *explore.Result) string {
	count := make(map[string]int)
	for _, f := range r.Findings {
		count[f.Kind]++
	}
	var list []string
	for kind, n := range count {
		list = append(list, fmt.Sprintf("%d %s", n, kind))
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}
