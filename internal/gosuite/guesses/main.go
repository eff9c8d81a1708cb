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
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/gosuite/goker"
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

// servers are programs of package net/http with several connections.
var servers = []string{"httprace/server", "httprace/server/buggy", "jget/http/server"}

// conforming are programs that are held against a model: what heddle conform gets.
var conforming = []string{
	"-map examples/alphabet/model/map.yaml ./examples/alphabet/server examples/alphabet/model/server.mcrl2",
	"-map examples/loadbalancer/model/map.yaml ./examples/loadbalancer examples/loadbalancer/model/balancer.mcrl2 -- -n 0 -rounds 0",
	"-map examples/loadbalancer/model/map.yaml ./examples/loadbalancer examples/loadbalancer/model/balancer.mcrl2 -- -n 0 -does done -issue 1",
}

// larger says by how much the limits of some kinds are larger.
var larger = map[string]int64{"group": 6, "http": 12, "conform": 20}

// A row is what was measured of one program.
type row struct {
	Name, Kind string
	Commit     string
	Limit      int64 // of states
	Base       result
	Without    []result // by name, in the order of names
}

var names = execute.CanBeWithout()

func main() {
	log.SetFlags(0)
	out := flag.String("o", "", "write the page to this `file`")
	states := flag.Int64("states", 3_000, "search so many `states` of each program at most, and more of some kinds")
	only := flag.String("only", "", "only this `kind` of programs: group, example, kernel, library, http or conform")
	keep := flag.String("keep", "", "keep what was measured in this `file`, and go on with what it has not")
	commit := flag.String("commit", "", "the `version` that is measured")
	flag.Parse()
	rows := kept(*keep)
	measure := func(kind, name, verb string, args ...string) {
		if *only != "" && *only != kind || slices.ContainsFunc(rows, func(r row) bool { return r.Name == name && r.Kind == kind }) {
			return
		}
		dir, err := os.MkdirTemp("", "guesses")
		if err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(dir)
		m := &measured{name: name, verb: verb, args: args, dir: dir, limit: *states * max(larger[kind], 1)}
		r := row{Name: name, Kind: kind, Commit: *commit, Limit: m.limit, Base: m.base()}
		for _, n := range names {
			if r.Base.States > 1 && !r.Base.Cut {
				r.Without = append(r.Without, m.search(n))
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
	for _, p := range servers {
		measure("http", p, "check", "./examples/"+p)
	}
	for _, args := range conforming {
		_, name, _ := strings.Cut(args, "./examples/")
		measure("conform", name, "conform", strings.Fields(args)...)
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
