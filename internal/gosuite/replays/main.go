// Replays checks programs in every way of searching, and replays what is found: each finding has to show
// again, with exit code 1. The programs are the examples, the kernels of the goroutine leak profile,
// and generated ones. It runs the command in its own process, so that programs are built once.
//
//	program ──► check, in each way ──► trace.json ──► replay
//
// It writes docs/results/replays.md.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/cli"
	"github.com/heddle-mc/heddle/internal/gosuite/goker"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
)

// ways are the ways of searching.
var ways = []struct {
	name  string
	flags []string
}{
	{"depth first", nil},
	{"breadth first", []string{"-search", "bfs"}},
	{"preemptions", []string{"-search", "preemptions"}},
	{"two workers", []string{"-workers", "2"}},
	{"all findings", []string{"-all"}},
}

// A tally is what was found in one way, in programs of one kind.
type tally struct{ programs, found, findings, replayed int }

// A kind is a kind of programs.
type kind struct {
	name string
	ways []tally
}

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 500, "how many generated programs")
	states := flag.Int("states", 3000, "search so many `states` of each")
	out := flag.String("o", "", "write the page to this `file`")
	only := flag.String("only", "", "only this `kind` of programs: examples, kernels, generated or descriptors")
	flag.Parse()
	r := &runner{states: fmt.Sprint(*states), dir: must(os.MkdirTemp("", "replays"))}
	defer os.RemoveAll(r.dir)
	wanted := func(name string) bool { return *only == "" || *only == name }
	if wanted("examples") {
		r.examples()
	}
	if wanted("kernels") {
		r.begin("kernels")
		for _, k := range must(goker.Kernels(strings.TrimSpace(string(must(exec.Command("go", "env", "GOROOT").Output()))))) {
			r.text(k.Name, string(k.Source))
		}
	}
	if wanted("generated") {
		r.begin("generated")
		for seed := range uint64(*n) {
			r.text(fmt.Sprint("seed ", seed), randconc.Program(seed, randconc.Options{}))
		}
	}
	if wanted("descriptors") {
		r.begin("descriptors")
		for seed := range uint64(max(*n/10, 1)) {
			r.text(fmt.Sprint("descriptors ", seed), descriptors(seed))
		}
	}
	page := r.page(*n)
	if *out == "" {
		fmt.Print(page)
	} else if err := os.WriteFile(*out, []byte(page), 0o666); err != nil {
		log.Fatal(err)
	}
	if len(r.wrong) > 0 {
		log.Fatal(strings.Join(r.wrong, "\n"))
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// A runner runs the command.
type runner struct {
	states string
	dir    string
	kinds  []kind
	wrong  []string
}

func (r *runner) begin(name string) { r.kinds = append(r.kinds, kind{name, make([]tally, len(ways))}) }

// examples checks the main packages of the examples. Those with peers have them in heddle.yaml.
func (r *runner) examples() {
	r.begin("examples")
	list := must(exec.Command("go", "list", "-f", "{{if eq .Name \"main\"}}{{.ImportPath}}{{end}}", "./examples/...").Output())
	for pkg := range strings.FieldsSeq(string(list)) {
		r.program(pkg, pkg)
	}
}

// text checks a program of one file.
func (r *runner) text(name, text string) {
	file := filepath.Join(r.dir, "main.go")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
	r.program(name, file)
}

// program checks a program in each way, and replays what is found.
func (r *runner) program(name, pattern string) {
	backend := &builder{}
	for i, w := range ways {
		t := &r.kinds[len(r.kinds)-1].ways[i]
		t.programs++
		folder := filepath.Join(r.dir, "out")
		os.RemoveAll(folder)
		code, text := run(backend, append(append([]string{"check", "-states", r.states, "-o", folder}, w.flags...), pattern)...)
		if code == 2 || code == 4 {
			r.wrong = append(r.wrong, fmt.Sprintf("%s, %s: check ends with exit code %d: %s", name, w.name, code, text))
		}
		if code != 1 {
			continue
		}
		t.found++
		for _, file := range traces(folder) {
			t.findings++
			if code, text := run(backend, "replay", file); code == 1 {
				t.replayed++
			} else {
				r.wrong = append(r.wrong, fmt.Sprintf("%s, %s: replay ends with exit code %d: %s", name, w.name, code, text))
			}
		}
	}
	runtime.GC()
}

// run runs the command.
func run(b *builder, args ...string) (code int, text string) {
	var out bytes.Buffer
	app := &cli.App{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &out, Backend: b}
	return app.Main(context.Background(), args), out.String()
}

func traces(folder string) (list []string) {
	filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Base(path) == "trace.json" {
			list = append(list, path)
		}
		return nil
	})
	slices.Sort(list)
	return list
}

// A builder builds one program once.
type builder struct {
	cli.Machine
	prog *cli.Program
	pkgs []cli.TestPackage
}

func (b *builder) Build(ctx context.Context, o cli.BuildOptions) (_ *cli.Program, err error) {
	if b.prog == nil {
		b.prog, err = b.Machine.Build(ctx, o)
	}
	return b.prog, err
}

func (b *builder) Tests(ctx context.Context, src cli.Source) (_ []cli.TestPackage, err error) {
	if b.pkgs == nil {
		b.pkgs, err = b.Machine.Tests(ctx, src)
	}
	return b.pkgs, err
}

// page is what is written.
func (r *runner) page(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Findings, replayed

Programs are checked in each way of searching, up to %s states, and each finding that is told is replayed by
`+"`heddle replay`"+`, which has to end with exit code 1. *Generated* programs are %d of package `+"`internal/gosuite/randconc`"+`;
those with *descriptors* have goroutines that are alike but for the numbers of descriptors of their own. Made by

    $ make replays

| programs | way | programs | with findings | findings | replayed |
| --- | --- | ---: | ---: | ---: | ---: |
`, r.states, n)
	for _, k := range r.kinds {
		for i, w := range ways {
			t := k.ways[i]
			fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d |\n", k.name, w.name, t.programs, t.found, t.findings, t.replayed)
		}
	}
	return b.String()
}
