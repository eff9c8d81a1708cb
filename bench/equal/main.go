// Command equal checks one program again and again with servers that give trouble. It fails if
// two runs with the same server do not write the same.
//
//	go run ./bench/equal -runs 50 -o docs/results/equal.md
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/bench/measure"
)

var kinds = []struct{ name, what string }{
	{"daemon", "leaves its parent, twice, before it listens"},
	{"early", "ends before it listens"},
	{"late", "ends when it is told something"},
	{"flood", "answers without end"},
	{"silent", "does not answer"},
}

// A row is all runs with one server.
type row struct {
	what, mode, verdict string
	code, runs, other   int
}

func main() {
	out := flag.String("o", "", "write the page to this file")
	runs := flag.Int("runs", 50, "how often each check is made")
	flag.Parse()
	rows, err := check(*runs)
	if err == nil {
		err = measure.Write(*out, page(rows))
	}
	for _, r := range rows {
		if r.other > 0 && err == nil {
			err = fmt.Errorf("a server that %s, %s: %d of %d runs differ from the first", r.what, r.mode, r.other, r.runs)
		}
	}
	measure.Exit("equal", err)
}

// check builds what is needed and does all checks.
func check(runs int) (rows []row, err error) {
	bin, err := measure.Build("cmd/heddle", "bench/equal/server")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(bin)
	for _, k := range kinds {
		for _, mode := range []string{"auto", "process"} {
			r := row{what: k.what, mode: "-cache " + mode, runs: runs}
			first := ""
			for i := range runs {
				text, code, err := once(bin, mode, k.name)
				if err != nil {
					return rows, err
				}
				if i == 0 {
					lines := strings.Split(strings.TrimSpace(text), "\n")
					first, r.code, r.verdict = text, code, lines[len(lines)-1]
				} else if text != first || code != r.code {
					r.other++
					fmt.Fprintf(os.Stderr, "%s, %s, run %d: got exit code %d and\n%swant %d and\n%s", k.name, mode, i+1, code, text, r.code, first)
				}
			}
			fmt.Fprintf(os.Stderr, "%s, %s: %d runs, %d others\n", k.name, mode, runs, r.other)
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// once returns what a check writes, and its exit code.
func once(bin, mode, kind string) (string, int, error) {
	cmd := exec.Command(filepath.Join(bin, "heddle"), "check", "-cache", mode, "-o", filepath.Join(bin, "out"),
		"-server", filepath.Join(bin, "server")+" {addr:7000} "+kind, "./bench/equal/talk")
	out, err := cmd.Output()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		return "", 0, err
	}
	return strings.ReplaceAll(string(out), bin, "BIN"), cmd.ProcessState.ExitCode(), nil
}

// page writes the results.
func page(rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Equal runs with servers that give trouble\n\n"+
		"One program, two goroutines that say hello on a connection each, checked again and again with default flags but for the cache. What is written to standard output and the exit\n"+
		"code have to be the same in all runs with one server. Made by `make equal`%s.\n\n"+
		"| the server | | runs | that differ | verdict |\n| --- | --- | ---: | ---: | --- |\n", measure.Commit())
	for _, r := range rows {
		verdict, _, _ := strings.Cut(r.verdict, "; ")
		fmt.Fprintf(&b, "| %s | `%s` | %d | %d | %s |\n", r.what, r.mode, r.runs, r.other, verdict)
	}
	return b.String()
}
