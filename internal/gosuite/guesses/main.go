// Guesses measures what each guess and each view of the reduction is worth: how many states a search
// has without it, on programs that it was not made for.
//
//	program ──► heddle check ──► heddle check -without clock ──► ... ──► a row
//
// It writes docs/results/guesses.md.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/gosuite/goker"
	"github.com/heddle-mc/heddle/internal/gosuite/runcmd"
)

// groups are programs of the examples that run side by side.
var groups = [][]string{
	{"alphabet/server", "alphabet/client"},
	{"alphabet/server", "alphabet/client", "alphabet/client"},
	{"alphabet/epoll/server", "alphabet/client"},
	{"alphabet/udp/server", "alphabet/udp/client"},
	{"daytime/server", "daytime/client"},
	{"chat/server", "chat/client"},
	{"filetransfer/server", "filetransfer/client"},
	{"jget/server", "jget/client"},
}

// library are packages of the standard library whose tests are searched.
var library = []string{"container/list", "context", "errors", "sync", "sync/atomic", "text/tabwriter", "unique", "weak"}

// A row is what was measured of one program.
type row struct {
	Name, Kind string
	Limit      int64 // of states
	Base       result
	Without    []result // by name, in the order of names
}

// A result is that of one search.
type result struct {
	States  int64  `json:"states"`
	Verdict string `json:"verdict"`
}

var names = execute.CanBeWithout()

func main() {
	log.SetFlags(0)
	out := flag.String("o", "", "write the page to this `file`")
	states := flag.Int64("states", 3_000, "search so many `states` of each program at most, and six times as many of groups")
	only := flag.String("only", "", "only this `kind` of programs: group, example, kernel or library")
	keep := flag.String("keep", "", "keep what was measured in this `file`, and go on with what it has not")
	flag.Parse()
	rows := kept(*keep)
	measure := func(kind, name, verb string, patterns ...string) {
		if *only != "" && *only != kind || slices.ContainsFunc(rows, func(r row) bool { return r.Name == name && r.Kind == kind }) {
			return
		}
		dir, err := os.MkdirTemp("", "guesses")
		if err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(dir)
		var c runcmd.Command
		limit := *states
		if kind == "group" {
			limit *= 6
		}
		search := func(without string) (r result) {
			args := append([]string{verb, "-o", dir, "-without", without, "-json", "-all", "-states", fmt.Sprint(limit), "-timeout", "30s"}, patterns...)
			code, stdout, stderr := c.Run(args...)
			if err := json.Unmarshal([]byte(stdout), &r); err != nil || code == 2 || code == 4 {
				log.Printf("%s: exit code %d: %s", name, code, stderr)
				return result{}
			}
			return r
		}
		r := row{Name: name, Kind: kind, Limit: limit, Base: search("")}
		for _, n := range names {
			if r.Base.States > 1 && r.Base.States < limit {
				r.Without = append(r.Without, search(n))
			}
		}
		log.Println(kind, r.Name, r.Base, r.Without)
		rows = append(rows, r)
		if *keep != "" {
			data, _ := json.Marshal(rows) // texts and numbers can be written
			if err := os.WriteFile(*keep, data, 0o666); err != nil {
				log.Fatal(err)
			}
		}
		runtime.GC()
	}
	for _, g := range groups {
		var patterns []string
		for _, p := range g {
			patterns = append(patterns, "./examples/"+p)
		}
		measure("group", strings.Join(g, " "), "check", patterns...)
	}
	for pkg := range strings.FieldsSeq(output("go", "list", "-f", "{{if eq .Name \"main\"}}{{.ImportPath}}{{end}}", "./examples/...")) {
		_, name, _ := strings.Cut(pkg, "/examples/")
		measure("example", name, "check", pkg)
	}
	kernels, err := goker.Kernels(strings.TrimSpace(output("go", "env", "GOROOT")))
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range kernels {
		file := filepath.Join(os.TempDir(), "kernel.go")
		if err := os.WriteFile(file, k.Source, 0o666); err != nil {
			log.Fatal(err)
		}
		measure("kernel", k.Name, "check", file)
	}
	for _, p := range library {
		measure("library", p, "test", p)
	}
	page := page(rows, *states)
	if *out == "" {
		fmt.Print(page)
	} else if err := os.WriteFile(*out, []byte(page), 0o666); err != nil {
		log.Fatal(err)
	}
}

// kept reads what was measured before.
func kept(file string) (rows []row) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil // there is nothing yet
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		log.Fatalf("%s: %v", file, err)
	}
	return rows
}

func output(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		log.Fatal(err)
	}
	return string(out)
}

// page is what is written.
func page(rows []row, states int64) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What the guesses and views of the reduction are worth

Each program is searched with `+"`heddle check -all`"+` (packages of the library with `+"`heddle test -all`"+`), up to %d states (groups six times as many), and again
without one guess or view each, by `+"`-without`"+` (see [REDUCTION.md](../REDUCTION.md)). A guess that is refuted is given up in the first place, so
a program that does what a guess says that nobody does has the same states with it and without. Made by

    $ make guesses

`, states)
	fmt.Fprintf(&b, "| without | programs with more states | by (geometric mean) | at most by | with fewer |\n| --- | ---: | ---: | ---: | ---: |\n")
	for i, n := range names {
		more, fewer, sum, most := 0, 0, 0.0, 1.0
		for _, r := range rows {
			if len(r.Without) == 0 || r.Without[i].States == 0 {
				continue
			}
			ratio := float64(r.Without[i].States) / float64(r.Base.States)
			switch {
			case ratio > 1:
				more++
				sum += math.Log(ratio)
				most = max(most, ratio)
			case ratio < 1:
				fewer++
			}
		}
		mean := math.Exp(sum / float64(max(more, 1)))
		fmt.Fprintf(&b, "| `%s` | %d | %.2f | %.1f | %d |\n", n, more, mean, most, fewer)
	}
	measured, verdicts := 0, 0
	fmt.Fprintf(&b, "\nPrograms in which one of them makes a difference:\n\n| program | states | %s |\n| --- | ---: |%s\n", strings.Join(names, " | "), strings.Repeat(" ---: |", len(names)))
	for _, r := range rows {
		if len(r.Without) == 0 {
			continue
		}
		measured++
		cells, differs := "", false
		for _, w := range r.Without {
			cell := ""
			switch {
			case w.States >= r.Limit:
				cell = fmt.Sprintf("over %d", r.Limit)
			case w.States != r.Base.States:
				cell = fmt.Sprint(w.States)
			}
			if w.States < r.Limit && w.Verdict != r.Base.Verdict && w.States > 0 {
				verdicts++
				cell += " (" + w.Verdict + ")"
			}
			differs = differs || cell != ""
			cells += " " + cell + " |"
		}
		if differs {
			fmt.Fprintf(&b, "| %s %s | %d |%s\n", r.Kind, r.Name, r.Base.States, cells)
		}
	}
	fmt.Fprintf(&b, "\n%d programs, of which %d come to their end within the limit and are measured; verdicts that differ: %d.\n", len(rows), measured, verdicts)
	return b.String()
}
