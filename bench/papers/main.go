// Papers repeats table 2 of paper 000 ("Efficient Model Checking of Networked
// Applications"): each row with its processes all in the checker, and with one of
// them in the checker and the others as live peers. It writes a Markdown page with
// the paper's figures beside. Two more tables say how long peers are waited for, and
// whether both ways, and both kinds of cache, find the same on programs with and
// without bugs.
//
//	papers                           go run ./bench/papers
//	 └─ heddle check -json           one part of one row, within the limits
//	     └─ peers                    the examples, built with plain go
//
// What is measured is kept in a file beside the page, so that rows can be run one at
// a time: -rows alphabet/3x5/client, or any other regular expression. Other papers have
// tables of their own: -paper 004.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	heddle := flag.String("heddle", "bin/heddle", "the command that is measured")
	which := flag.String("paper", "000", "the `number` of the paper")
	choice := flag.String("rows", "", "run only the parts whose name, as alphabet/3x5/client, begins so: a regular expression")
	out := flag.String("o", firstPage, "file for the page; figures are kept beside it, in one that ends in .json")
	list := flag.Bool("list", false, "print the commands and run nothing")
	fresh := flag.Bool("new", false, "forget what was measured before")
	timeLimit := flag.Duration("timeout", 10*time.Minute, "limit of time for each part")
	memory := flag.Int64("mem", 4<<30, "limit of memory for each part, in bytes")
	flag.Parse()
	chosen, err := regexp.Compile("^(?:" + *choice + ")")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := parseTable(table2)
	if err != nil {
		log.Fatal(err)
	}
	other, ok := others[*which]
	if !ok && *which != "000" {
		log.Fatalf("paper %s: no such paper", *which)
	}
	if ok && *out == firstPage {
		*out = "docs/results/paper" + *which + ".md"
	}
	kept := strings.TrimSuffix(*out, filepath.Ext(*out)) + ".json"
	b := bench{heddle: *heddle, limits: limits{*timeLimit, *memory}, measured: map[string]figures{}}
	if !*fresh {
		if err := b.load(kept); err != nil {
			log.Fatal(err)
		}
	}
	good := true
	if *list {
		b.build = func(folder string) (string, error) { return "bin/" + strings.ReplaceAll(folder, "/", "-"), nil }
	} else {
		dir, err := os.MkdirTemp("", "papers")
		if err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(dir)
		b.build = newBuilder(dir)
	}
	all := slices.Concat(jobs(rows), waitingJobs(), agreementJobs())
	if ok {
		all = other.jobs()
	}
	for _, j := range all {
		if !chosen.MatchString(j.name) {
			continue
		}
		if *list {
			fmt.Println(j.name+":", b.line(j))
			continue
		}
		good = b.run(j) && good
		if err := b.save(kept); err != nil {
			log.Fatal(err)
		}
	}
	if *list {
		return
	}
	text := page(rows, b.measured, b.limits, machine())
	if ok {
		text = other.page(b.measured, b.limits, machine())
	}
	if err := os.WriteFile(*out, []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
	if !good {
		log.Fatal("not all is as it should be")
	}
}

// firstPage is that of paper 000.
const firstPage = "docs/results/paper000.md"

// A paper is one of the other papers: what is to be run, and the page of results.
type paper struct {
	jobs func() []job
	page func(measured map[string]figures, l limits, machine string) string
}

// others are the other papers by their numbers.
var others = map[string]paper{}

// A job is one run of heddle.
type job struct {
	name string
	args func(builder) ([]string, error)
	good func(figures) bool // whether it is as it should be
	runs int                // so many of it are made, and the one in the middle counts: 1 if it is zero
	by   func(a, b figures) int
}

// jobs are all parts of all rows that the paper has.
func jobs(rows []row) []job {
	var all []job
	for _, r := range rows {
		for _, p := range parts {
			if c, ok := r.paper[p]; ok {
				all = append(all, job{
					name: jobName(r, p),
					args: func(b builder) ([]string, error) { return r.command(p, b) },
					good: func(f figures) bool { return judge(c, f) == fine },
				})
			}
		}
	}
	return all
}

func jobName(r row, p part) string { return r.name() + "/" + string(p) }

// A bench measures jobs.
type bench struct {
	heddle   string
	limits   limits
	build    builder
	measured map[string]figures // by the names of jobs
}

// line is the command of a job as one would type it.
func (b *bench) line(j job) string {
	args, err := j.args(b.build)
	if err != nil {
		log.Fatal(err)
	}
	for i, a := range args {
		if strings.ContainsAny(a, " {}") {
			args[i] = "'" + a + "'"
		}
	}
	return "heddle check " + strings.Join(args, " ")
}

// run measures one job, and reports whether it is as good as it should be.
func (b *bench) run(j job) bool {
	args, err := j.args(b.build)
	if err != nil {
		log.Fatal(err)
	}
	var all []figures
	for range max(j.runs, 1) {
		all = append(all, check(b.heddle, args, b.limits))
	}
	if j.by != nil {
		slices.SortFunc(all, j.by)
	}
	f := all[len(all)/2]
	b.measured[j.name] = f
	note := ""
	if !j.good(f) {
		note = " (not as it should be)"
	}
	log.Printf("%s: %s, %d states, %.1f s, %s %s%s", j.name, f.Verdict, f.States, f.Seconds, size(f.Memory), f.Why, note)
	return note == ""
}

func (b *bench) load(name string) error {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(data, &b.measured)
}

func (b *bench) save(name string) error {
	data, err := json.MarshalIndent(b.measured, "", "\t") // maps are sorted by key
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(data, '\n'), 0o666)
}

func machine() string {
	return fmt.Sprintf("%s, %s/%s, %d cores", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}
