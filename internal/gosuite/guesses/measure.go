package main

import (
	"encoding/json"
	"fmt"
	"log"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/gosuite/runcmd"
)

// A measured is a program, or the tests of a package, whose searches are measured.
type measured struct {
	name  string
	verb  string   // of the command
	args  []string // of the verb
	dir   string
	limit int64

	command runcmd.Command
}

// A result is that of one search.
type result struct {
	States  int64  `json:"states"`
	Verdict string `json:"verdict"`
	Cut     bool   // by a limit
}

// A report is what is read of what the command tells.
type report struct {
	result
	Left    []struct{ Target, Reason string }
	Targets []struct {
		Target, Test string
		States       int64
	}
}

// base searches with everything. Of tests only those count from then on that come to their end.
func (m *measured) base() result {
	if m.verb != "test" {
		return m.search("")
	}
	r := m.run("")
	var tests []string
	for _, t := range r.Targets {
		if t.States > 0 && !slices.ContainsFunc(r.Left, func(l struct{ Target, Reason string }) bool { return l.Target == t.Target }) {
			tests = append(tests, t.Test)
		}
	}
	if len(tests) == 0 {
		return result{}
	}
	m.args = append(m.args, "-run", "^("+strings.Join(tests, "|")+")$")
	return m.search("")
}

// search searches without a guess or view.
func (m *measured) search(without string) result {
	r := m.run(without)
	for _, l := range r.Left {
		r.Cut = r.Cut || l.Reason != "bound"
	}
	return r.result
}

// limitFlag is the flag for the time that one search may take.
func (m *measured) limitFlag() string {
	if m.verb == "test" {
		return "-budget"
	}
	return "-timeout"
}

// run runs the command without a guess or view. The report has no states if it cannot be run.
func (m *measured) run(without string) (r report) {
	args := []string{m.verb, "-o", m.dir, "-without", without, "-json", "-all", "-states", fmt.Sprint(m.limit), m.limitFlag(), "60s"}
	code, stdout, stderr := m.command.Run(append(args, m.args...)...)
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code == 2 || code == 4 {
		log.Printf("%s: exit code %d: %s", m.name, code, stderr)
		return report{}
	}
	return r
}
