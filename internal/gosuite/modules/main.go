// Modules runs the tests of popular modules once, natively by go test and in
// Heddle's machine by heddle test -once, compares them test by test, and writes
// a page: how many agree, and each difference with its reason. The modules, their
// versions and the reasons are in modules.txt; they are fetched as the go command
// does. With -budget each test is checked instead, and a second page says what
// was found and what was not covered. With -planted the faults of plants.txt are
// planted, and a third page says which were found. With -rates some tests are searched by an earlier heddle and by this one, with -reductions by this one without
// each part of its reduction. What was found out about a package is kept in a file, so a run that was
// interrupted goes on where it was.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	only := flag.String("modules", "", "only modules whose path matches this `regexp`")
	heddle := flag.String("heddle", "bin/heddle", "the program to run")
	dir := flag.String("dir", "bin/modules", "`folder` of the modules and the results")
	page := flag.String("o", "", "write the page to `file`")
	limits := flag.String("limits", "docs/LIMITS.md", "`file` of the limits that reasons name")
	silence := flag.Duration("silence", 90*time.Second, "a test that uses so much of the processor without a word is too slow")
	total := flag.Duration("total", 20*time.Minute, "the longest run of a package, by the clock")
	planted := flag.Bool("planted", false, "plant faults in modules and have them looked for, instead of running tests once")
	budget := flag.String("budget", "", "check each test for this `time`, instead of running it once")
	reductions := flag.Bool("reductions", false, "measure what the search of tests costs without each guess and view of the reduction")
	before := flag.String("rates", "", "measure how fast the tests of rates.txt are searched, at this earlier `commit` and now")
	flag.Parse()
	re, err := regexp.Compile(*only)
	if err != nil {
		log.Fatal(err)
	}
	list, err := parse(modules)
	if err != nil {
		log.Fatal(err)
	}
	list = slices.DeleteFunc(list, func(m *module) bool { return !re.MatchString(m.path) })
	program, err := filepath.Abs(*heddle)
	if err != nil {
		log.Fatal(err)
	}
	scratch, err := filepath.Abs(*dir)
	if err != nil {
		log.Fatal(err)
	}
	if *planted {
		plantAll(re, list, *dir, program, *page)
		return
	}
	if *reductions {
		reduceAll(list, *dir, program, *page)
		return
	}
	if *before != "" {
		rateAll(list, *dir, *before, program, *page)
		return
	}
	if *budget != "" {
		checkAll(list, *dir, program, *budget, *page)
		return
	}
	commit := version()
	var rows []row
	var errs []string
	for _, m := range list {
		parts, err := test(m, *dir, runner{scratch: scratch, heddle: program, silence: *silence, total: *total}, commit)
		if err != nil {
			errs = append(errs, err.Error())
			log.Print(err)
		}
		rows = append(rows, newRow(m, parts))
	}
	known, err := os.ReadFile(*limits)
	if err != nil {
		log.Fatal(err)
	}
	text, unknown := write(rows, string(known))
	finish(text, *page, append(errs, unknown...))
}

// finish writes a page, and says what is wrong with it.
func finish(text, file string, errs []string) {
	if file == "" {
		fmt.Print(text)
	} else if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
	for _, e := range errs {
		log.Print(e)
	}
	if len(errs) > 0 {
		os.Exit(1)
	}
}

// test fetches a module and runs the tests of its packages.
func test(m *module, dir string, r runner, commit string) (parts []*part, err error) {
	if r.folder, err = fetch(m, filepath.Join(dir, "src")); err != nil {
		return nil, err
	}
	pkgs, err := testedPackages(m, r.folder)
	if err != nil {
		return nil, err
	}
	r.short = m.short
	for _, r.pkg = range pkgs {
		file := filepath.Join(dir, "results", strings.ReplaceAll(r.pkg, "/", "_")+".json")
		p, err := r.part(m, file, commit)
		if err != nil {
			return parts, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// version names the sources that heddle was built from. The list of modules is
// not among them.
func version() string {
	git := func(args ...string) string {
		out, err := exec.Command("git", args...).Output()
		if err != nil {
			log.Fatalf("git %s: %v", args[0], err)
		}
		return strings.TrimSpace(string(out))
	}
	commit := git("rev-parse", "--short", "HEAD")
	if git("status", "--porcelain", "-uno", "--", "cmd", "internal", "verify", "go.mod", ":!internal/gosuite") != "" {
		commit += "-dirty"
	}
	return commit
}

// natively is how often the tests run natively, to see what they always do.
const natively = 3

// part returns what is known about a package, from a file if it is there.
func (r *runner) part(m *module, file, commit string) (*part, error) {
	p := new(part)
	if data, err := os.ReadFile(file); err == nil {
		return p, json.Unmarshal(data, p)
	}
	*p = part{Module: m.path, Package: r.pkg, Heddle: commit}
	start := time.Now()
	names := map[string]bool{}
	var err error
	if p.Native, err = r.natively(natively); err != nil {
		return nil, err
	}
	for _, tests := range p.Native {
		for name := range tests {
			if name != "" && !strings.Contains(name, "/") {
				names[name] = true
			}
		}
	}
	middle := time.Now()
	p.Machine = r.inMachine(sorted(names))
	p.Seconds = []float64{middle.Sub(start).Seconds() / natively, time.Since(middle).Seconds()}
	tests, diffs := p.compare()
	fmt.Fprintf(os.Stderr, "%-50s %4d tests, %d differ, %.0f s and %.0f s\n", r.pkg, len(tests), len(diffs), p.Seconds[0], p.Seconds[1])
	for _, d := range diffs {
		fmt.Fprintf(os.Stderr, "\t%s: %s, there %s: %s\n", d.test, d.native, d.there, d.detail)
	}
	data, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return nil, err
	}
	return p, os.WriteFile(file, data, 0o666)
}
