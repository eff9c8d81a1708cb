// Mcrl2 times the search of models: states a CPU second and bytes a state, with one
// worker and with two. It prints a Markdown page.
//
//	go run ./bench/mcrl2 -o docs/results/mcrl2.md
//
// The models are those of examples/models and of the tests, made larger. Each
// measurement is a process of its own; of several runs the best one counts. The
// page also has the table of all models of examples/models with their counts.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

func main() {
	log.SetFlags(0)
	runs := flag.Int("n", 3, "runs of each measurement, and five times as many of a short one")
	out := flag.String("o", "", "file for the page, standard output if empty")
	one := flag.String("one", "", "search one model and print figures (used internally)")
	workers := flag.Int("workers", 1, "with -one: so many workers")
	symbolic := flag.Bool("symbolic", false, "with -one: search symbolically")
	only := flag.String("only", "", "measure only this `section` of the page anew: sets or counts")
	flag.Parse()
	if *only != "" {
		if err := replace(*out, *only); err != nil {
			log.Fatal(err)
		}
		return
	}
	if *one != "" {
		var f any
		var err error
		if *symbolic {
			f, err = measureSets(*one)
		} else {
			f, err = measure(*one, *workers)
		}
		if err == nil {
			err = json.NewEncoder(os.Stdout).Encode(f)
		}
		if err != nil {
			log.Fatal(err)
		}
		return
	}
	w := io.Writer(os.Stdout)
	var page strings.Builder
	if *out != "" {
		w = io.MultiWriter(os.Stdout, &page)
	}
	if err := write(w, *runs); err != nil {
		log.Fatal(err)
	}
	if *out != "" {
		if err := os.WriteFile(*out, []byte(page.String()), 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

const header = `# Models in mCRL2

    $ make bench-mcrl2

## Speed

Depth-first, everything searched, one worker, no trace kept. CPU seconds are those of the search alone; reading the model
and making it linear are a column of their own. Bytes are those of the set of visited states. The last column is the
figure of the mCRL2 toolset's lps2lts with --cached on its own example of that kind, where there is one, and what we have
of it: its models are not ours, so that is an order of magnitude and no more.

| model | states | transitions | linear, s | CPU s | states / CPU s | bytes / state | 2 workers | lps2lts --cached, states / CPU s |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
`

// write measures and prints the page.
func write(w io.Writer, runs int) error {
	load := loadAverage()
	io.WriteString(w, header)
	cpu := map[string]float64{}
	for _, b := range benches {
		best, err := child(b.name, 1, runs)
		if err != nil {
			return err
		}
		two, err := child(b.name, 2, 1)
		if err != nil {
			return err
		}
		same := "same counts"
		if two.States != best.States || two.Transitions != best.Transitions {
			same = fmt.Sprintf("**%d, %d**", two.States, two.Transitions)
		}
		cpu[b.name] = best.CPU
		known := ""
		if b.cached > 0 {
			known = fmt.Sprintf("%s (%.0f times)", thousands(b.cached), best.rate()/float64(b.cached))
		}
		fmt.Fprintf(w, "| %s | %s | %s | %.2f | %.2f | %s | %.1f | %s | %s |\n", b.title, thousands(best.States), thousands(best.Transitions),
			best.Linear, best.CPU, thousands(int64(best.rate())), float64(best.Bytes)/float64(best.States), same, known)
	}
	if err := sets(w, cpu); err != nil {
		return err
	}
	if err := counts(w); err != nil {
		return err
	}
	best := "one run of each"
	if runs > 1 {
		best = fmt.Sprintf("best of %d runs, or of %d where a search takes less than a CPU second", runs, runs*moreRuns)
	}
	fmt.Fprintf(w, "\n%s, %s/%s, %d cores, %s; load average %s before and %s after.\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), best, load, loadAverage())
	return nil
}

// moreRuns is how many more runs a short search gets: what others do on the machine
// matters more to it.
const moreRuns = 5

// child measures in processes of their own and returns the best.
func child(name string, workers, runs int) (best figures, err error) {
	for i := 0; i < runs || runs > 1 && best.CPU < 1 && i < runs*moreRuns; i++ {
		text, err := exec.Command(os.Args[0], "-one", name, "-workers", fmt.Sprint(workers)).Output()
		if err != nil {
			return best, fmt.Errorf("%s: %v", name, err)
		}
		var f figures
		if err := json.Unmarshal(text, &f); err != nil {
			return best, err
		}
		if i == 0 || f.CPU < best.CPU {
			best = f
		}
	}
	return best, nil
}

func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// thousands prints a number with commas.
func thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
