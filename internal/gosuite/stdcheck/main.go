// Stdcheck checks the standard library's own tests with heddle test and default flags, each package for a while, and
// writes a Markdown table of the verdicts. Each violation has to be explained in violations.txt: what it is, and
// whether it is true.
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
	"slices"
	"strings"
	"time"
)

// packages are those whose tests have to do with goroutines, locks, timers or connections first, then others.
//
//go:embed packages.txt
var packages string

// explained has lines "package.Test: why".
//
//go:embed violations.txt
var explained string

// A row is what became of the tests of a package.
type row struct {
	path     string
	verdicts map[string]int
	found    []string // the tests with violations, each with its findings
	missing  int      // tests that the time was not enough for
}

func main() {
	log.SetFlags(0)
	heddle := flag.String("heddle", "bin/heddle", "the program to run")
	each := flag.Duration("each", 90*time.Second, "time for a package")
	test := flag.Duration("test", 2*time.Second, "time for a test")
	run := flag.String("run", "", "only packages whose path matches this `regexp`")
	commit := flag.String("commit", "", "which the page says")
	out := flag.String("o", "", "write the page to this `file`")
	flag.Parse()
	re, err := regexp.Compile(*run)
	if err != nil {
		log.Fatal(err)
	}
	why, err := explanations(explained)
	if err != nil {
		log.Fatal(err)
	}
	var rows []row
	for path := range strings.FieldsSeq(packages) {
		if re.MatchString(path) {
			r := check(*heddle, path, *each, *test)
			log.Printf("%-24s %v, %d not reached", path, r.verdicts, r.missing)
			rows = append(rows, r)
		}
	}
	text, unknown := page(rows, why, *commit, *each, *test)
	if *out == "" {
		fmt.Print(text)
	} else if err := os.WriteFile(*out, []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
	if unknown > 0 {
		log.Fatalf("%d violations that nobody has looked at", unknown)
	}
}

// explanations reads violations.txt.
func explanations(text string) (why map[string]string, err error) {
	why = map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, text, ok := strings.Cut(line, ": ")
		if _, twice := why[name]; !ok || twice {
			return nil, fmt.Errorf("violations.txt: %q: want package.Test: why, once for each test", line)
		}
		why[name] = text
	}
	return why, nil
}

var (
	verdict = regexp.MustCompile(`^--- (verified|SKIP|FAIL|inconclusive|not checked): (Test\w*) `)
	finding = regexp.MustCompile(`^\S+:\d+(?::\d+)?: ([a-z]+): (.*)`)
	tests   = regexp.MustCompile(`(?m)^Test\S*$`)
)

// check checks the tests of a package.
func check(heddle, path string, each, test time.Duration) row {
	listed, err := exec.Command("go", "test", "-list", "^Test", path).Output()
	if err != nil {
		log.Fatalf("%s: %v", path, err)
	}
	exec.Command(heddle, "test", "-run", "^$", path).Run() // so that it is loaded; what is wrong with that is said again below
	cmd := exec.Command(heddle, "test", "-v", "-budget", test.String(), path)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	timer := time.AfterFunc(each, func() { cmd.Process.Signal(os.Interrupt) })
	cmd.Wait() // the verdicts say how it went
	timer.Stop()
	return read(path, string(listed), out.String())
}

// read makes a row of what go test -list and heddle test have printed.
func read(path, listed, out string) row {
	r := row{path: path, verdicts: map[string]int{}}
	var failed string // the test that the lines are about
	var why []string
	tell := func() {
		if failed != "" {
			r.found = append(r.found, path+"."+failed+"\t"+strings.Join(why, "; "))
		}
		failed, why = "", nil
	}
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if m := finding.FindStringSubmatch(line); m != nil && failed != "" {
			why = append(why, m[1]+": "+m[2])
		}
		if m := verdict.FindStringSubmatch(line); m != nil {
			tell()
			switch m[1] {
			case "verified", "SKIP":
				r.verdicts["verified"]++
			case "FAIL":
				r.verdicts["violation"]++
				failed = m[2]
			default:
				r.verdicts["inconclusive"]++
			}
		}
	}
	tell()
	r.missing = len(tests.FindAllString(listed, -1))
	for _, n := range r.verdicts {
		r.missing -= n
	}
	return r
}

// page writes the table. It returns how many violations are not explained.
func page(rows []row, why map[string]string, commit string, each, test time.Duration) (text string, unknown int) {
	var b strings.Builder
	fmt.Fprintf(&b, "# The standard library's own tests, checked\n\n    $ go run ./internal/gosuite/stdcheck -heddle bin/heddle -each %s -run REGEXP\n\nCommit %s. `heddle test` with default flags, at most %s for a test and %s for a package, on a machine with two processors.\n\n",
		each, commit, test, each)
	fmt.Fprintln(&b, "| package | verified | violation | inconclusive, or not reached in time |\n| --- | --- | --- | --- |")
	sum := map[string]int{}
	missing := 0
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", r.path, r.verdicts["verified"], r.verdicts["violation"], r.verdicts["inconclusive"]+r.missing)
		for k, n := range r.verdicts {
			sum[k] += n
		}
		missing += r.missing
	}
	fmt.Fprintf(&b, "| %d packages | %d | %d | %d |\n\n", len(rows), sum["verified"], sum["violation"], sum["inconclusive"]+missing)
	fmt.Fprint(&b, "Each violation, and what it is:\n\n")
	for _, r := range rows {
		slices.Sort(r.found)
		for _, f := range r.found {
			name, what, _ := strings.Cut(f, "\t")
			text, ok := why[name]
			if !ok {
				text = "**nobody has looked at it yet**"
				unknown++
			}
			fmt.Fprintf(&b, "- %s: `%s`. %s\n", name, what, text)
		}
	}
	return b.String(), unknown
}
