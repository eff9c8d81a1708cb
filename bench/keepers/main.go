// Command keepers checks programs that talk on several connections to a server that keeps
// something, with default flags: five kinds of use, right and wrong, with the server in three
// languages. It fails if a verdict is wrong.
//
//	go run ./bench/keepers -o docs/results/keepers.md
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/bench/measure"
)

// servers are the commands of the servers, by language, and what they need.
var servers = []struct{ language, needs, command string }{
	{"Go", "go", "BIN/server {addr}"},
	{"Python", "python3", "python3 bench/keepers/server/keep.py {addr}"},
	{"Perl", "perl", "perl bench/keepers/server/keep.pl {addr}"},
}

var uses = []string{"store", "counter", "lock", "queue", "session"}

// A row is one check.
type row struct {
	use, way, language string
	code, want         int
	verdict            string // the last line
	peers              string // the line before
	took               time.Duration
}

func main() {
	out := flag.String("o", "", "write the page to this file")
	flag.Parse()
	rows, skipped, err := run()
	if err == nil {
		err = measure.Write(*out, page(rows, skipped))
	}
	if wrong := count(rows, func(r *row) bool { return r.code != r.want }); err == nil && wrong > 0 {
		err = fmt.Errorf("%d of %d verdicts are wrong", wrong, len(rows))
	}
	measure.Exit("keepers", err)
}

// run builds what is needed and does all checks.
func run() (rows []row, skipped []string, err error) {
	bin, err := measure.Build("cmd/heddle", "bench/keepers/server")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(bin)
	for _, s := range servers {
		if _, err := exec.LookPath(s.needs); err != nil {
			skipped = append(skipped, s.language)
			continue
		}
		for _, use := range uses {
			for _, way := range []string{"right", "wrong"} {
				r := row{use: use, way: way, language: s.language}
				if way == "wrong" {
					r.want = 1
				}
				if err := r.check(bin, strings.ReplaceAll(s.command, "BIN", bin)); err != nil {
					return rows, skipped, err
				}
				fmt.Fprintf(os.Stderr, "%s %s, %s: exit %d, %.1fs\n", use, way, s.language, r.code, r.took.Seconds())
				rows = append(rows, r)
			}
		}
	}
	return rows, skipped, nil
}

// check runs the command.
func (r *row) check(bin, server string) error {
	cmd := exec.Command(filepath.Join(bin, "heddle"), "check", "-o", filepath.Join(bin, "out"), "-server", server, "./bench/keepers/"+r.use, "--", r.way)
	start := time.Now()
	out, err := cmd.Output()
	r.took = time.Since(start)
	if cmd.ProcessState == nil {
		return err
	}
	r.code = cmd.ProcessState.ExitCode()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	r.verdict = lines[len(lines)-1]
	if len(lines) > 1 {
		r.peers = lines[len(lines)-2]
	}
	return nil
}

func count(rows []row, is func(*row) bool) (n int) {
	for i := range rows {
		if is(&rows[i]) {
			n++
		}
	}
	return n
}

// page is the table, and what was left out.
func page(rows []row, skipped []string) string {
	var b strings.Builder
	b.WriteString(`# Servers that keep something

Programs that talk on two or three connections to a server that keeps a value, a counter, a lock, a queue or sessions, checked with default
flags. The server is written in three languages: with goroutines, with threads, with select. Made by ` + "`make keepers`" + measure.Commit() + `.

| use | program | server | verdict | states | restarts | s |
| --- | --- | --- | --- | ---: | ---: | ---: |
`)
	for i := range rows {
		r := &rows[i]
		verdict := map[int]string{0: "verified", 1: "violation", 3: "inconclusive"}[r.code]
		if r.code != r.want {
			verdict = "**wrong**: " + verdict
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %.1f |\n", r.use, r.way, r.language, verdict,
			number(r.verdict, " state"), number(r.peers, " restart"), r.took.Seconds())
	}
	fmt.Fprintf(&b, "\n%d verdicts, %d of them right.\n", len(rows), count(rows, func(r *row) bool { return r.code == r.want }))
	for _, s := range skipped {
		fmt.Fprintf(&b, "\nSkipped: %s is not installed.\n", s)
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
