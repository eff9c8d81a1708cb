// Search times the search for states: of the dining philosophers side by side with
// SPIN, of ten million states for their memory, and of the programs for which
// there are figures of Java PathFinder. It prints a Markdown page.
//
//	search              go run ./bench/search -o docs/results/search.md
//	 ├─ heddle child    one program, compiled: then checked
//	 └─ pan             what SPIN makes of spin/philosophers.pml, with gcc -O2
//
// Each measurement is a process of its own. CPU seconds are those of the process,
// with the garbage collector's; of several runs the best one counts.
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
	"runtime/pprof"
	"strings"
)

func main() {
	log.SetFlags(0)
	runs := flag.Int("n", 3, "runs of each measurement")
	big := flag.Int64("big", 10_000_000, "states of the measurement of memory, 0 to leave it out")
	out := flag.String("o", "", "file for the page, standard output if empty")
	one := flag.String("one", "", "search one program and print figures (used internally)")
	var p plan
	flag.BoolVar(&p.Reduce, "reduce", false, "with -one: with reduction")
	flag.Int64Var(&p.Limit, "limit", 0, "with -one: stop after so many states")
	flag.Float64Var(&p.Seconds, "seconds", 0, "with -one: search again for so many CPU seconds, the fastest counts")
	profile := flag.String("cpuprofile", "", "with -one: file for a CPU profile")
	flag.Parse()
	if *one != "" {
		stop, err := startProfile(*profile)
		if err != nil {
			log.Fatal(err)
		}
		f, err := measure(*one, p)
		stop()
		if err == nil {
			err = json.NewEncoder(os.Stdout).Encode(f)
		}
		if err != nil {
			log.Fatal(err)
		}
		return
	}
	w := io.Writer(os.Stdout)
	if *out != "" {
		f, err := os.Create(*out)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		w = io.MultiWriter(os.Stdout, f)
	}
	b := bench{w: w, runs: *runs}
	fmt.Fprint(w, header)
	load := loadAverage()
	b.spin()
	if *big > 0 {
		b.memory(*big)
	}
	b.jpf()
	fmt.Fprintf(w, "\n%s, %s/%s, %d cores, best of %d runs; load average %s before and %s after.\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), *runs, load, loadAverage())
}

// startProfile begins a CPU profile in a file, if it has a name. The function ends it.
func startProfile(name string) (stop func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() { pprof.StopCPUProfile(); f.Close() }, nil
}

// loadAverage is how many processes wanted to run in the last minute. What else
// runs on a machine makes CPU seconds longer too: caches are shared.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

const header = `# Speed of the search

Programs of ` + "`bench/search/programs`" + `, searched completely with one worker. A state is one with another fingerprint;
matching is on, and reduction off unless it is said otherwise. CPU seconds are those of a check as the
command does it (` + "`check.Run`" + `), from the start of the program on: to load and compile it is a column of its own. A transition is a step of a
state, whether it was executed or known to lead to a state that was seen: see ` + "`internal/drive/stepcache.go`" + `.

    $ make bench-search
`

// A bench writes the page.
type bench struct {
	w    io.Writer
	runs int
}

// best runs a measurement in new processes and returns the fastest.
func (b *bench) best(program string, p plan) figures {
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	var best figures
	for range b.runs {
		cmd := exec.Command(self, "-one", program,
			fmt.Sprintf("-reduce=%v", p.Reduce), fmt.Sprintf("-limit=%d", p.Limit), fmt.Sprintf("-seconds=%g", p.Seconds))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			log.Fatalf("%s: %v", program, err)
		}
		var f figures
		if err := json.Unmarshal(out, &f); err != nil {
			log.Fatalf("%s: %v", program, err)
		}
		if best.States == 0 || f.rate() > best.rate() {
			best = f
		}
	}
	return best
}
