package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A checked is what heddle test says of the tests of one package.
type checked struct {
	Package, Heddle string
	Error           string // why there is nothing to say
	Tests           []checkedTest
}

// A checkedTest is what is said of one test.
type checkedTest struct {
	Name    string
	Verdict string
	States  int64
	Steps   int64 // transitions
	CPU     float64
	Found   []string // kinds and messages of findings
	By      string   // which search has found something, as -search has it
	Why     string   // what was not covered, or why it could not be checked
	Refused bool     // it could not be checked
}

// check checks the tests of a module, each for as long as budget says.
func check(m *module, dir, heddle, budget, commit string) (list []*checked, err error) {
	folder, err := fetch(m, filepath.Join(dir, "src"))
	if err != nil {
		return nil, err
	}
	pkgs, err := testedPackages(m, folder)
	if err != nil {
		return nil, err
	}
	for _, pkg := range pkgs {
		file := filepath.Join(dir, "results", "check_"+strings.ReplaceAll(pkg, "/", "_")+".json")
		c := new(checked)
		if data, err := os.ReadFile(file); err == nil {
			if err := json.Unmarshal(data, c); err != nil {
				return nil, err
			}
			list = append(list, c)
			continue
		}
		*c = checked{Package: pkg, Heddle: commit}
		args := []string{"-budget", budget}
		if m.short {
			args = append(args, "-short")
		}
		c.run(heddle, folder, args...)
		fmt.Fprintf(os.Stderr, "%-50s %4d tests, %v\n", pkg, len(c.Tests), c.sums())
		data, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// run has heddle test check the package in a copy of its module, and keeps what
// it tells.
func (c *checked) run(heddle, folder string, args ...string) {
	args = append(append([]string{"test", "-json"}, args...), c.Package)
	cmd := exec.Command(heddle, args...)
	cmd.Dir, cmd.Env = folder, environment()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, _ := cmd.Output()
	if err := c.read(out); err != nil {
		c.Error = fmt.Sprintf("%v: %v\n%s", cmd.ProcessState, err, message(errs.String()))
	}
}

// read reads what heddle test -json tells.
func (c *checked) read(data []byte) error {
	var told struct {
		Findings []struct{ Target, Kind, Message string }
		Left     []struct{ Target, Reason, Text string }
		Targets  []struct {
			Target, Test, Verdict, Error string
			States, Transitions          int64
			CPU                          float64 `json:"cpu_seconds"`
			Hunt                         struct {
				Searches []struct {
					Search string
					Found  bool
				}
			}
		}
	}
	if err := json.Unmarshal(data, &told); err != nil {
		return err
	}
	for _, t := range told.Targets {
		test := checkedTest{Name: cmp.Or(t.Test, t.Target), Verdict: t.Verdict, States: t.States, Steps: t.Transitions, CPU: t.CPU, Why: t.Error, Refused: t.Error != ""}
		for _, f := range told.Findings {
			if f.Target == t.Target {
				test.Found = append(test.Found, f.Kind+": "+f.Message)
			}
		}
		if t.Verdict == "violation" {
			test.By = "dfs"
		}
		for _, h := range t.Hunt.Searches {
			if h.Found {
				test.By = h.Search
			}
		}
		for _, l := range told.Left {
			// What a program meets that cannot be followed says more than that the time was over.
			if l.Target == t.Target && (test.Why == "" || l.Reason == "bound") {
				test.Why = cmp.Or(map[string]string{"time": "time", "memory": "memory"}[l.Reason], l.Text)
			}
		}
		c.Tests = append(c.Tests, test)
	}
	return nil
}

// What a finding may be.
var classes = []string{"true", "own", "false"}

// sums counts tests by their verdicts.
func (c *checked) sums() map[string]int {
	n := map[string]int{}
	for _, t := range c.Tests {
		n[t.Verdict]++
	}
	return n
}

// checkedPage returns the page about all modules, and what is wrong with it.
func checkedPage(list []*module, parts [][]*checked, budget string) (string, []string) {
	var b strings.Builder
	var errs, commits, found, left []string
	total := map[string]int{}
	whys, by := map[string]int{}, map[string]int{}
	tests := 0
	var rows strings.Builder
	for i, m := range list {
		n := map[string]int{}
		sum := 0
		for _, c := range parts[i] {
			if !slices.Contains(commits, c.Heddle) {
				commits = append(commits, c.Heddle)
			}
			if c.Error != "" {
				errs = append(errs, c.Package+": "+c.Error)
				left = append(left, fmt.Sprintf("- %s: could not be checked: %s", c.Package, firstLine(c.Error)))
			}
			for _, t := range c.Tests {
				sum++
				switch t.Verdict {
				case "violation":
					class, why := m.classify(c.Package, t.Name)
					if class == "" {
						errs = append(errs, fmt.Sprintf("%s.%s: nobody has said what this is: %s", c.Package, t.Name, strings.Join(t.Found, "; ")))
						class, why = "not looked at", strings.Join(t.Found, "; ")
					}
					n[class]++
					by[t.By]++
					found = append(found, fmt.Sprintf("- %s %s (%s): %s", c.Package, t.Name, class, why))
				case "inconclusive":
					n[t.Verdict]++
					whys[firstLine(t.Why)]++
				default:
					n[t.Verdict]++
				}
			}
		}
		fmt.Fprintf(&rows, "| %v | %d | %d | %d | %d | %d | %d |\n", m, sum, n["verified"], n["true"], n["own"], n["false"]+n["not looked at"], n["inconclusive"])
		for k, v := range n {
			total[k] += v
		}
		tests += sum
	}
	answered := total["verified"] + total["true"] + total["own"]
	fmt.Fprintf(&b, "# The tests of popular modules, checked\n\n    $ make modules-checked\n\nCommit %s, %s, %s/%s.\n\n", strings.Join(commits, ", "), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(&b, "%s\n\n", strings.ReplaceAll(strings.TrimSpace(checkedIntro), "BUDGET", budget))
	fmt.Fprintf(&b, "**%d modules, %d tests: %d verified, %d with a finding that is true, %d with one that is the test's own, %d others, %d inconclusive. Answered: %.0f %%.**\n\n",
		len(list), tests, total["verified"], total["true"], total["own"], total["false"]+total["not looked at"], total["inconclusive"], 100*float64(answered)/float64(max(tests, 1)))
	b.WriteString("| module | tests | verified | true | own | other | inconclusive |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n" + rows.String())
	list1 := func(title string, items []string) {
		if len(items) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n", title, strings.Join(items, "\n"))
		}
	}
	if len(by) > 0 {
		b.WriteString("\nWhich search has found something, by default:")
		for i, search := range sorted(by) {
			fmt.Fprintf(&b, "%s %s %d", []string{"", ","}[min(i, 1)], search, by[search])
		}
		b.WriteString(".\n")
	}
	list1("Findings", found)
	for _, why := range sorted(whys) {
		left = append(left, fmt.Sprintf("- %d: %s", whys[why], why))
	}
	list1("What was not covered", left)
	return b.String(), errs
}

const checkedIntro = `
Each test of the modules is checked by ` + "`heddle test -budget BUDGET`" + `: tests at the top and examples are counted, as heddle test checks them. A finding is
*true* if the module does not do what it promises, or what Go demands of it; the test's *own* if the test leaves goroutines behind, races with itself or relies on
a schedule that is likely but not certain; *other* if it is false, or nobody has looked at it. On a busy computer more are inconclusive.
`

// classify says what the finding of a test is.
func (m *module) classify(pkg, test string) (class, why string) {
	for i := range m.found {
		if r := &m.found[i]; r.covers(pkg, test) {
			return r.limit, r.why
		}
	}
	return "", ""
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// checkAll checks the tests of all modules and writes the page.
func checkAll(list []*module, dir, heddle, budget, file string) {
	commit := version()
	var parts [][]*checked
	var errs []string
	for _, m := range list {
		p, err := check(m, dir, heddle, budget, commit)
		if err != nil {
			errs = append(errs, err.Error())
			log.Print(err)
		}
		parts = append(parts, p)
	}
	text, wrong := checkedPage(list, parts, budget)
	finish(text, file, append(errs, wrong...))
}
