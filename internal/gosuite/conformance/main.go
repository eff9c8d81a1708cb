// Conformance runs the Go team's test programs in Heddle's machine and reports
// how they fared: those that did not pass, then the totals. It fails if a
// program gives a wrong answer, brings a bug of ours to light, takes too long,
// or is refused without being known for it, or the other way around.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/gosuite"
)

func main() {
	log.SetFlags(0)
	run := flag.String("run", "", "only programs whose name matches this `regexp`")
	timeout := flag.Duration("timeout", 100*time.Second, "of one program, in time of the processor")
	seed := flag.Uint64("seed", 0, "of the schedule, 0 for the plain one")
	workers := flag.Int("workers", 2, "programs that execute at one time")
	verbose := flag.Bool("v", false, "print every program, with details of failures")
	profile := flag.String("cpuprofile", "", "write a CPU profile to this `file`")
	report := flag.String("o", "", "write the results to this Markdown `file`")
	flag.Parse()
	re, err := regexp.Compile(*run)
	if err != nil {
		log.Fatal(err)
	}
	if *profile != "" {
		w, err := os.Create(*profile)
		if err != nil {
			log.Fatal(err)
		}
		defer w.Close()
		pprof.StartCPUProfile(w)
		defer pprof.StopCPUProfile()
	}
	goroot := goEnv("GOROOT")
	names, err := gosuite.List(goroot)
	if err != nil {
		log.Fatal(err)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !re.MatchString(n) })

	known := gosuite.Known()
	count := map[gosuite.Verdict]int{}
	bad := 0
	start := time.Now()
	results, err := gosuite.Run(names, gosuite.Options{
		GOROOT: goroot, Timeout: *timeout, Workers: *workers, Seed: *seed, Isolated: true,
		Each: func(r gosuite.Result) {
			count[r.Verdict]++
			mark := ""
			if gosuite.Unexpected(known, r) != "" {
				bad++
				mark = "UNEXPECTED "
			}
			if r.Verdict != gosuite.Pass || *verbose || mark != "" {
				detail := r.Detail
				if !*verbose {
					detail, _, _ = strings.Cut(detail, "\n")
				}
				fmt.Printf("%-8s %-40s %6.2fs %s%s\n", r.Verdict, r.Name, r.Seconds, mark, detail)
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	total := fmt.Sprintf("%d programs: %d pass, %d refused, %d wrong, %d timeout, %d crash; %.0f s", len(names),
		count[gosuite.Pass], count[gosuite.Refused], count[gosuite.Wrong], count[gosuite.Timeout], count[gosuite.Crash],
		time.Since(start).Seconds())
	fmt.Println(total)
	if *report != "" {
		if err := os.WriteFile(*report, markdown(total, results, known), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	if bad > 0 {
		fmt.Printf("%d unexpected\n", bad)
		pprof.StopCPUProfile()
		os.Exit(1)
	}
}

func goEnv(name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		log.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// markdown is the report for docs/results.
func markdown(total string, results []gosuite.Result, known map[string]string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The Go team's own test programs\n\n")
	fmt.Fprintf(&b, "Every file of `$GOROOT/test` marked `// run` without arguments, in one process that loads the standard\n"+
		"library once. A program passes if its exit code is 0 and its output is that of the `.out` file, or empty.\n\n")
	fmt.Fprintf(&b, "    $ make conformance\n    %s\n\n", total)
	fmt.Fprintf(&b, "%s, %d processors.\n\n", goEnv("GOVERSION"), runtime.NumCPU())
	fmt.Fprintf(&b, "## Not passed\n\n| program | verdict | reason |\n| --- | --- | --- |\n")
	for _, r := range results {
		if r.Verdict != gosuite.Pass {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.Name, r.Verdict, known[r.Name])
		}
	}
	return b.Bytes()
}
