// Command real checks the programs of examples/real, which use popular packages and talk to servers and clients as
// they come with Debian: each with a bug, and right. It fails if a verdict is not the expected one.
//
//	go run ./bench/real -o docs/results/real.md
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/bench/measure"
)

const folder = "examples/real"

// A row is one check, with the settings in the heddle.yaml beside the program.
type row struct {
	program
	way     string
	code    int
	last    string // the last line: the verdict
	before  string // the line before: what went over connections
	cpu     time.Duration
	skipped string // what is not installed
}

func main() {
	out := flag.String("o", "", "write the page to this file")
	only := flag.String("run", "", "check only those whose folder this regexp matches, as redis/wrong")
	flag.Parse()
	measure.Exit("real", run(*out, *only))
}

func run(out, only string) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	bin, err := measure.Build("cmd/heddle")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	var rows []row
	for _, p := range programs {
		for _, way := range ways {
			if !chosen.MatchString(p.name + "/" + way) {
				continue
			}
			r := row{program: p, way: way}
			if r.skipped = p.missing(); r.skipped == "" {
				if err := r.check(bin); err != nil {
					return err
				}
			}
			fmt.Fprintln(os.Stderr, r.tell())
			rows = append(rows, r)
		}
	}
	if err := measure.Write(out, page(rows)); err != nil {
		return err
	}
	if n := count(rows, func(r *row) bool { return !r.right() && !r.known() }); n > 0 {
		return fmt.Errorf("%d of %d verdicts are not the expected ones", n, len(rows))
	}
	return nil
}

// check runs the command.
func (r *row) check(bin string) error {
	dir := filepath.Join(folder, r.name, r.way)
	cmd := exec.Command(filepath.Join(bin, "heddle"), "check", "-C", dir, "-o", filepath.Join(bin, "out"), ".")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if cmd.ProcessState == nil {
		return err
	}
	r.code = cmd.ProcessState.ExitCode()
	r.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	lines := strings.Split(strings.TrimSpace(string(stdout)), "\n")
	r.last = lines[len(lines)-1]
	if len(lines) > 1 {
		r.before = lines[len(lines)-2]
	}
	if verdicts[r.code] == "" {
		return fmt.Errorf("%s: exit code %d: %s%s", dir, r.code, stdout, stderr.Bytes())
	}
	return nil
}

// verdicts are the words for exit codes.
var verdicts = map[int]string{0: "verified", 1: "violation", 3: "inconclusive"}

// expected is the verdict of a program that is right, or wrong.
var expected = map[string]string{"right": "verified", "wrong": "violation"}

// right reports whether the verdict is the expected one.
func (r *row) right() bool { return r.skipped == "" && verdicts[r.code] == expected[r.way] }

// known reports whether it is known that the check comes to no end, or whether it could not be made.
func (r *row) known() bool {
	return r.skipped != "" || verdicts[r.code] == "inconclusive" && r.open[r.way] != ""
}

// tell is one line about a row.
func (r *row) tell() string {
	name := r.name + "/" + r.way
	switch {
	case r.skipped != "":
		return fmt.Sprintf("SKIPPED %s: there is no %s: apt-get install %s", name, r.skipped, r.debian)
	case r.right():
		return fmt.Sprintf("ok      %s: %s, %.1f CPU s", name, verdicts[r.code], r.cpu.Seconds())
	case r.known():
		return fmt.Sprintf("open    %s: %s, %s is wanted: %s", name, verdicts[r.code], expected[r.way], r.open[r.way])
	}
	return fmt.Sprintf("WRONG   %s: %s is wanted: %s", name, expected[r.way], r.last)
}

func count(rows []row, is func(*row) bool) (n int) {
	for i := range rows {
		if is(&rows[i]) {
			n++
		}
	}
	return n
}

// page is the table, and what is missing.
func page(rows []row) string {
	var b strings.Builder
	b.WriteString(`# Real programs

The programs of [examples/real](../../examples/real/README.md), with the settings in the heddle.yaml beside each. Made by ` + "`make real`" + measure.Commit() + `.

| program | package | peer | version | verdict | states | restarts | CPU s |
| --- | --- | --- | --- | --- | ---: | ---: | ---: |
`)
	var open []string
	for i := range rows {
		r := &rows[i]
		name := r.name + "/" + r.way
		if r.skipped != "" {
			fmt.Fprintf(&b, "| %s | %s | %s | | skipped | | | |\n", name, r.pkg, r.peer)
			continue
		}
		verdict := verdicts[r.code]
		switch {
		case r.known():
			open = append(open, fmt.Sprintf("- %s: %s", name, r.open[r.way]))
		case !r.right():
			verdict = "**wrong**: " + verdict
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %.1f |\n", name, r.pkg, r.peer, r.version(), verdict,
			number(r.last, " states"), cmp.Or(number(r.before, " restart"), "0"), r.cpu.Seconds())
	}
	skipped := count(rows, func(r *row) bool { return r.skipped != "" })
	fmt.Fprintf(&b, "\n%d checks: %d verdicts are the expected ones, %d are inconclusive where another one is wanted, %d are wrong, %d were skipped.\n",
		len(rows), count(rows, (*row).right), len(open), len(rows)-count(rows, (*row).right)-len(open)-skipped, skipped)
	if len(open) > 0 {
		b.WriteString("\nInconclusive, and why:\n\n" + strings.Join(open, "\n") + "\n")
	}
	return b.String()
}

// number returns the number before a word.
func number(line, word string) string {
	before, _, ok := strings.Cut(line, word)
	if !ok {
		return ""
	}
	return before[strings.LastIndexAny(before, " ")+1:]
}
