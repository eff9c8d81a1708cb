package main

import (
	_ "embed"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/heddle-mc/heddle/bench/measure"
)

//go:embed rates.txt
var ratedTests string

// A rate is how fast one test is searched.
type rate struct {
	Package, Test string
	States        [2]int64 // before and now
	Steps         [2]int64
	CPU           [2]float64
}

// rateAll searches the tests of rates.txt depth first, each for ten seconds, by heddle at an earlier commit and by this one, and writes a page about how many
// states and steps each looks at in a second of the processor.
func rateAll(list []*module, dir, commit, now, page string) {
	bin, err := measure.BuildAt(commit)
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(bin)
	before := filepath.Join(bin, "heddle")
	var rates []rate
	for line := range strings.Lines(ratedTests) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		r := rate{Package: fields[0], Test: fields[1]}
		m := moduleOf(list, r.Package)
		if m == nil {
			continue
		}
		folder, err := fetch(m, filepath.Join(dir, "src"))
		if err != nil {
			log.Fatal(err)
		}
		for i, heddle := range []string{before, now} {
			c := &checked{Package: r.Package}
			c.run(heddle, folder, "-search", "dfs", "-timeout", "10s", "-run", "^"+r.Test+"$")
			for _, t := range c.Tests {
				r.States[i], r.Steps[i], r.CPU[i] = t.States, t.Steps, t.CPU
			}
			if len(c.Tests) != 1 {
				log.Fatalf("%s %s: %d tests: %s", r.Package, r.Test, len(c.Tests), c.Error)
			}
		}
		fmt.Fprintf(os.Stderr, "%v\n", r)
		rates = append(rates, r)
	}
	finish(ratesPage(rates, commit, version()), page, nil)
}

// moduleOf returns the module that a package belongs to, nil if it is not in the list.
func moduleOf(list []*module, pkg string) *module {
	for _, m := range list {
		if pkg == m.path || strings.HasPrefix(pkg, m.path+"/") {
			return m
		}
	}
	return nil
}

// ratesPage returns the page.
func ratesPage(rates []rate, before, now string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# How fast tests of popular modules are searched\n\n    $ make rates\n\nBefore: commit %s. Now: commit %s, %s, %s/%s.\n\n", before, now,
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
	b.WriteString("Each test is searched by `heddle test -search dfs -timeout 10s`, first by the older heddle. The rates are states and steps (transitions) for a second of the processor, loading not counted. " +
		"A search that ended is not cut off by the time. Where the two do not see the same states, since what a step is has changed, steps say more.\n\n")
	b.WriteString("| test | states before | now | states/s before | now | steps/s before | now | times |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range rates {
		per := func(n [2]int64, i int) float64 { return float64(n[i]) / max(r.CPU[i], 0.001) }
		times := "-" // too few to say
		if min(r.Steps[0], r.Steps[1]) >= 10 {
			times = fmt.Sprintf("%.1f", per(r.Steps, 1)/per(r.Steps, 0))
		}
		fmt.Fprintf(&b, "| %s %s | %d | %d | %.0f | %.0f | %.0f | %.0f | %s |\n", r.Package, r.Test, r.States[0], r.States[1], per(r.States, 0), per(r.States, 1), per(r.Steps, 0), per(r.Steps, 1), times)
	}
	return b.String()
}
