// Conformance runs the Go team's test programs in Heddle's machine and reports
// how they fared, one line each, then the totals.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/gosuite"
)

func main() {
	log.SetFlags(0)
	run := flag.String("run", "", "only programs whose name matches this `regexp`")
	timeout := flag.Duration("timeout", 60*time.Second, "of one program")
	workers := flag.Int("workers", 2, "programs that execute at one time")
	verbose := flag.Bool("v", false, "print every program, with details of failures")
	profile := flag.String("cpuprofile", "", "write a CPU profile")
	flag.Parse()
	if *profile != "" {
		w, err := os.Create(*profile)
		if err != nil {
			log.Fatal(err)
		}
		defer w.Close()
		pprof.StartCPUProfile(w)
		defer pprof.StopCPUProfile()
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		log.Fatal(err)
	}
	goroot := strings.TrimSpace(string(out))
	names, err := gosuite.List(goroot)
	if err != nil {
		log.Fatal(err)
	}
	re, err := regexp.Compile(*run)
	if err != nil {
		log.Fatal(err)
	}
	var chosen []string
	for _, n := range names {
		if re.MatchString(n) {
			chosen = append(chosen, n)
		}
	}
	start := time.Now()
	count := map[gosuite.Verdict]int{}
	_, err = gosuite.Run(chosen, gosuite.Options{
		GOROOT: goroot, Timeout: *timeout, Workers: *workers,
		Each: func(r gosuite.Result) {
			count[r.Verdict]++
			if r.Verdict != gosuite.Pass || *verbose {
				detail := r.Detail
				if !*verbose {
					detail, _, _ = strings.Cut(detail, "\n")
				}
				fmt.Printf("%-8s %-40s %6.2fs %s\n", r.Verdict, r.Name, r.Seconds, detail)
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d programs: %d pass, %d refused, %d wrong, %d timeout, %d crash; %.0f s\n", len(chosen),
		count[gosuite.Pass], count[gosuite.Refused], count[gosuite.Wrong], count[gosuite.Timeout], count[gosuite.Crash],
		time.Since(start).Seconds())
	if count[gosuite.Wrong]+count[gosuite.Timeout]+count[gosuite.Crash] > 0 {
		os.Exit(1)
	}
}
