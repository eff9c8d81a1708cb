package main

import (
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/execute"
)

const (
	reducedStates = 3000 // tests with more states are left out
	fewStates     = 20   // and so are those with fewer: nobody else is there
	mostStates    = 20 * reducedStates
)

// A reduction is what the searches of tests cost without one guess or view, or without any reduction.
type reduction struct {
	name         string
	flags        []string
	more, fewer  int     // tests with more steps than before, and with fewer
	sum          float64 // of the logarithms of by how many times, of those with more
	most         float64
	at           string   // the test with most
	steps, base  int64    // of all tests, without it and with everything
	unended      int      // tests that have more than mostStates
	other        []string // tests with another verdict
	cpu, cpuBase float64
}

// reductions are the rows of the page.
func reductions() (list []*reduction) {
	for _, name := range execute.CanBeWithout() {
		list = append(list, &reduction{name: name, flags: []string{"-without", name}})
	}
	return append(list, &reduction{name: "all of them, and the theorem", flags: []string{"-reduce=false"}})
}

// reduceAll searches the tests of modules depth first, those whose search is neither trivial nor long, with everything and without one guess or view each, and writes a page about what that
// costs.
func reduceAll(list []*module, dir, heddle, page string) {
	rows, tests := reductions(), 0
	limit := func(n int, budget string) []string {
		return []string{"-search", "dfs", "-budget", budget, "-states", fmt.Sprint(n)}
	}
	for _, m := range list {
		folder, err := fetch(m, filepath.Join(dir, "src"))
		if err != nil {
			log.Fatal(err)
		}
		pkgs, err := testedPackages(m, folder)
		if err != nil {
			log.Fatal(err)
		}
		for _, pkg := range pkgs {
			all := &checked{Package: pkg}
			all.run(heddle, folder, limit(reducedStates, "5s")...)
			base := slices.DeleteFunc(all.Tests, func(t checkedTest) bool { return t.Verdict != "verified" || t.States < fewStates })
			if len(base) == 0 {
				continue
			}
			tests += len(base)
			var names []string
			for _, t := range base {
				names = append(names, t.Name)
			}
			for _, r := range rows {
				c := &checked{Package: pkg}
				c.run(heddle, folder, append(append(limit(mostStates, "30s"), r.flags...), "-run", "^("+strings.Join(names, "|")+")$")...)
				r.add(pkg, base, c.Tests)
			}
			fmt.Fprintf(os.Stderr, "%-50s %d tests\n", pkg, len(base))
		}
	}
	finish(reductionsPage(rows, tests), page, nil)
}

// add adds what the tests of a package cost.
func (r *reduction) add(pkg string, base, without []checkedTest) {
	for _, b := range base {
		i := slices.IndexFunc(without, func(t checkedTest) bool { return t.Name == b.Name })
		if i < 0 {
			r.other = append(r.other, fmt.Sprintf("%s %s (not checked)", pkg, b.Name))
			continue
		}
		t := without[i]
		r.base, r.cpuBase, r.steps, r.cpu = r.base+b.Steps, r.cpuBase+b.CPU, r.steps+t.Steps, r.cpu+t.CPU
		switch times := float64(t.Steps) / float64(b.Steps); {
		case t.Verdict == "inconclusive":
			r.unended++
			times = max(times, 1)
			fallthrough
		case times > 1:
			r.more++
			r.sum += math.Log(times)
			if times > r.most {
				r.most, r.at = times, pkg+" "+b.Name
			}
		case times < 1:
			r.fewer++
		}
		if t.Verdict != b.Verdict && t.Verdict != "inconclusive" {
			r.other = append(r.other, fmt.Sprintf("%s %s (%s)", pkg, b.Name, t.Verdict))
		}
	}
}

// reductionsPage returns the page.
func reductionsPage(rows []*reduction, tests int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What each reduction brings on the tests of popular modules\n\n    $ make modules-reductions\n\nCommit %s, %s, %s/%s.\n\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(&b, "The %d tests of these modules (modules-checked.md) that are verified depth first in %d to %d states, and 5 s, are searched again without one guess or view each (`-without`, see\n"+
		"[REDUCTION.md](../REDUCTION.md)), up to %d states and 30 s. Steps are transitions. What the members of the hunt have found is in [modules-checked.md](modules-checked.md).\n"+
		"`rests` is the bound of `-late` itself: without it timers fire at any moment, so verdicts differ. What makes no difference here does so for programs with connections and groups of processes\n([guesses.md](guesses.md)).\n\n", tests, fewStates, reducedStates, mostStates)
	b.WriteString("| without | tests with more steps | by (geometric mean) | at most by | of them not ended | tests with fewer | steps of all | CPU time of all |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	var worst, other []string
	for _, r := range rows {
		mean := math.Exp(r.sum / float64(max(r.more, 1)))
		fmt.Fprintf(&b, "| %s | %d | %.2f | %.1f | %d | %d | ×%.2f | ×%.2f |\n", r.name, r.more, mean, max(r.most, 1), r.unended, r.fewer,
			float64(r.steps)/float64(max(r.base, 1)), r.cpu/max(r.cpuBase, 0.001))
		if r.at != "" {
			worst = append(worst, fmt.Sprintf("- %s: %s, %.1f times", r.name, r.at, r.most))
		}
		for _, t := range r.other {
			other = append(other, "- "+r.name+": "+t)
		}
	}
	fmt.Fprintf(&b, "\nWhere each brings most:\n\n%s\n", strings.Join(worst, "\n"))
	if len(other) > 0 {
		fmt.Fprintf(&b, "\nTests with another verdict:\n\n%s\n", strings.Join(other, "\n"))
	}
	return b.String()
}
