package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// spin compares the philosophers with SPIN.
func (b *bench) spin() {
	h := b.best("philosophers8", plan{})
	fmt.Fprintf(b.w, `
## Dining philosophers (8), side by side with SPIN

The model `+"`bench/search/spin/philosophers.pml`"+` has a step for each step of the program. SPIN stores more states than
Heddle because it tells apart which of the philosophers that are done is which.

| | states | transitions | CPU s | states / CPU s | µs / state | allocations / transition |
| --- | --- | --- | --- | --- | --- | --- |
| heddle, reduction off | %s | %s | %.2f | %s | %.2f | %.3f |
`, group(h.States), group(h.Transitions), h.CPU, group(int64(h.rate())), 1e6/h.rate(), float64(h.Allocs)/float64(h.Transitions))
	s, err := runSpin(b.runs)
	if err != nil {
		fmt.Fprintf(b.w, "\nSPIN was not run: %v.\n", err)
		return
	}
	fmt.Fprintf(b.w, "| SPIN, `-DSAFETY -DNOREDUCE` | %s | %s | %.2f | %s | %.2f | |\n",
		group(s.States), group(s.Transitions), s.CPU, group(int64(s.rate())), 1e6/s.rate())
	fmt.Fprintf(b.w, "\nHeddle takes %.1f times the CPU time of SPIN for a state (target: at most 2.5) and finds %s states a CPU second (target: at least 250,000).\n",
		s.rate()/h.rate(), group(int64(h.rate())))
	if h.rate() < 250_000 {
		fmt.Fprintln(b.w, "The second target was missed in this run.")
	}
}

// runSpin generates, compiles and runs the verifier.
func runSpin(runs int) (best figures, err error) {
	if _, err := exec.LookPath("spin"); err != nil {
		install := exec.Command("apt-get", "install", "-y", "-q", "spin")
		install.Stderr = os.Stderr
		if install.Run() != nil {
			return best, fmt.Errorf("it is not installed, and apt-get did not install it")
		}
	}
	model, err := filepath.Abs(filepath.Join("bench", "search", "spin", "philosophers.pml"))
	if err != nil {
		return best, err
	}
	dir, err := os.MkdirTemp("", "spin")
	if err != nil {
		return best, err
	}
	defer os.RemoveAll(dir)
	for _, args := range [][]string{
		{"spin", "-a", "-DN=8", model},
		{"gcc", "-O2", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return best, fmt.Errorf("%s: %v: %s", args[0], err, out)
		}
	}
	for range runs {
		cmd := exec.Command("./pan", "-c0", "-m100000")
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil && cmd.ProcessState == nil {
			return best, err
		}
		st := cmd.ProcessState
		f := figures{
			States:      number(out, `(\d+) states, stored`),
			Transitions: number(out, `(\d+) transitions`),
			CPU:         (st.UserTime() + st.SystemTime()).Seconds(),
		}
		if best.States == 0 || f.rate() > best.rate() {
			best = f
		}
	}
	return best, nil
}

func number(text []byte, pattern string) int64 {
	m := regexp.MustCompile(pattern).FindSubmatch(text)
	if m == nil {
		log.Fatalf("SPIN did not print %s", pattern)
	}
	n, err := strconv.ParseInt(string(m[1]), 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	return n
}

// memory searches many states and looks at the memory of the process.
func (b *bench) memory(states int64) {
	one := *b
	one.runs = 1
	f := one.best("philosophers10", plan{Limit: states})
	fmt.Fprintf(b.w, `
## Memory

%s states of philosophers10 (a search that is stopped there): %.0f MiB is the most that the process had resident, %.1f
bytes a state; %s states a CPU second. The target is 1 GiB for ten million states.
`, group(f.States), float64(f.RSS)/(1<<20), float64(f.RSS)/float64(f.States), group(int64(f.rate())))
}

// group writes a number with commas.
func group(n int64) string {
	s := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}
