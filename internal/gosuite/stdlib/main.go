// Stdlib runs the standard library's own tests in Heddle's machine and prints a
// Markdown table: for each package how many tests passed, failed and were left
// out, and why. What to run and what to leave out is in packages.txt.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed packages.txt
var packages string

// A pkg is a package to test.
type pkg struct {
	path string
	skip []skip
}

// A skip is a test that needs a real machine.
type skip struct{ test, why string }

// parse reads lines "path" and, indented below it, "Test: reason".
func parse(text string) (list []pkg) {
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '\t':
			name, why, ok := strings.Cut(strings.TrimSpace(line), ": ")
			if !ok {
				log.Fatalf("packages.txt: %q: want Test: reason", line)
			}
			p := &list[len(list)-1]
			p.skip = append(p.skip, skip{name, why})
		default:
			list = append(list, pkg{path: line})
		}
	}
	return list
}

// A result is what became of a package's tests.
type result struct {
	passed, failed, skipped int
	ok                      bool
	seconds                 float64
	failures                []string
	tail                    string
}

func main() {
	log.SetFlags(0)
	run := flag.String("run", "", "only packages whose path matches this `regexp`")
	heddle := flag.String("heddle", "bin/heddle", "the program to run")
	timeout := flag.Duration("timeout", 10*time.Minute, "of one package")
	flag.Parse()
	re, err := regexp.Compile(*run)
	if err != nil {
		log.Fatal(err)
	}
	list := slices.DeleteFunc(parse(packages), func(p pkg) bool { return !re.MatchString(p.path) })
	results := make([]result, len(list))
	next := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range next {
				results[i] = test(*heddle, list[i], *timeout)
				r := &results[i]
				fmt.Fprintf(os.Stderr, "%-30s ok=%v %d passed, %d failed, %.1f s %s\n%s", list[i].path, r.ok, r.passed, r.failed, r.seconds, strings.Join(r.failures, " "), r.tail)
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	wg.Wait()
	if !report(list, results) {
		os.Exit(1)
	}
}

var line = regexp.MustCompile(`(?m)^\s*--- (PASS|FAIL|SKIP): (Test\S+)`)

func test(heddle string, p pkg, timeout time.Duration) (r result) {
	args := []string{"test", "-once", "-v", "-short"}
	if len(p.skip) > 0 {
		var names []string
		for _, s := range p.skip {
			names = append(names, s.test)
		}
		args = append(args, "-skip", "^("+strings.Join(names, "|")+")$")
	}
	cmd := exec.Command(heddle, append(args, p.path)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	timer := time.AfterFunc(timeout, func() { cmd.Process.Kill() })
	err := cmd.Run()
	timer.Stop()
	r.seconds = time.Since(start).Seconds()
	r.ok = err == nil
	for _, m := range line.FindAllStringSubmatch(out.String(), -1) {
		if strings.Contains(m[2], "/") {
			continue // a subtest
		}
		switch m[1] {
		case "PASS":
			r.passed++
		case "FAIL":
			r.failed++
			r.failures = append(r.failures, m[2])
		case "SKIP":
			r.skipped++
		}
	}
	if !r.ok {
		s := out.String()
		r.tail = "\t" + strings.ReplaceAll(s[max(0, len(s)-1500):], "\n", "\n\t") + "\n"
	}
	return r
}

func report(list []pkg, results []result) bool {
	good := 0
	fmt.Print("# The standard library's own tests\n\n    $ make stdlib\n\n")
	fmt.Println("| package | passed | failed | skipped by itself | left out | seconds |\n| --- | --- | --- | --- | --- | --- |")
	for i, p := range list {
		r := results[i]
		mark := ""
		if r.ok {
			good++
		} else {
			mark = " **fails**"
		}
		fmt.Printf("| %s%s | %d | %d | %d | %d | %.1f |\n", p.path, mark, r.passed, r.failed, r.skipped, len(p.skip), r.seconds)
	}
	fmt.Printf("\n%d of %d packages pass. %s, %s/%s.\n\n", good, len(list), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Println("Tests run with -short. The machine's count of allocations stands still, so a test that allows at most so many")
	fmt.Println("allocations (testing.AllocsPerRun) passes without having shown anything about them.")
	fmt.Println()
	fmt.Println("Left out, with the reason:")
	fmt.Println()
	for _, p := range list {
		for _, s := range p.skip {
			fmt.Printf("- `%s` %s: %s\n", p.path, s.test, s.why)
		}
	}
	return good == len(list)
}
