package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A runner runs the tests of one package.
type runner struct {
	folder  string // of the module
	pkg     string
	short   bool
	scratch string        // a folder for the test binary
	heddle  string        // the program
	silence time.Duration // of the processor, after which a test is too slow
	total   time.Duration // of one run
}

// build builds the test binary and returns a runner's command for it: what go
// test -json does, several times with one build. The order of tests and their
// working directory are those of go test.
func (r *runner) build(file string) (command []string, dir string, err error) {
	cmd := exec.Command("go", "list", "-f", "{{.Dir}}", r.pkg)
	cmd.Dir, cmd.Env = r.folder, environment()
	out, err := cmd.Output()
	if err != nil {
		return nil, "", fmt.Errorf("go list %s: %v", r.pkg, err)
	}
	cmd = exec.Command("go", "test", "-c", "-vet=off", "-o", file, r.pkg)
	cmd.Dir, cmd.Env = r.folder, environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, "", fmt.Errorf("go test -c %s: %v\n%s", r.pkg, err, out)
	}
	command = []string{"go", "tool", "test2json", "-t", "-p", r.pkg, file, "-test.v=test2json", "-test.paniconexit0"}
	if r.short {
		command = append(command, "-test.short")
	}
	return command, strings.TrimSpace(string(out)), nil
}

// natively runs the tests n times, compiled.
func (r *runner) natively(n int) (list []outcomes, err error) {
	scratch, err := os.MkdirTemp(r.scratch, "native")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	command, dir, err := r.build(filepath.Join(scratch, "native.test"))
	if err != nil {
		return nil, err
	}
	for range n {
		tests, end := run(command, dir, r.total, r.total)
		if end.stopped || len(tests) == 0 || strings.Contains(tests[""].Output, "test2json: ") {
			return nil, fmt.Errorf("%s: its tests do not run natively: %s%s", r.pkg, end.errors, tests[""].Output)
		}
		list = append(list, tests)
	}
	return list, nil
}

// inMachine runs the tests that want names in the machine. When one of them ends
// the run, by being refused or too slow, the others run without it; where it is
// not clear which one of several did, each of them runs alone.
func (r *runner) inMachine(want []string) outcomes {
	all := outcomes{}
	todo := slices.Clone(want)
	for len(todo) > 0 {
		tests, end := r.machine(todo, len(todo) == len(want))
		culprits := tests.running()
		all.take(tests)
		if len(culprits) == 1 || len(todo) == 1 && len(culprits) == 0 {
			if len(culprits) == 0 {
				culprits = todo
			}
			all.blame(culprits[0], end)
		} else {
			for _, name := range culprits {
				alone, end := r.machine([]string{name}, false)
				all.take(alone)
				if !alone[name].ended() {
					all.blame(name, end)
				}
			}
		}
		left := slices.DeleteFunc(slices.Clone(todo), func(name string) bool {
			o, ok := all[name]
			return ok && (o.ended() || o.Why != "")
		})
		if len(left) == len(todo) {
			for _, name := range left {
				all.blame(name, end)
			}
			break
		}
		todo = left
	}
	return all
}

// machine runs tests in the machine, or all there are.
func (r *runner) machine(names []string, all bool) (outcomes, ending) {
	command := []string{r.heddle, "test", "-once", "-json"}
	if !all {
		command = append(command, "-run", "^("+strings.Join(names, "|")+")$")
	}
	if r.short {
		command = append(command, "-short")
	}
	return run(append(command, r.pkg), r.folder, r.silence, r.total)
}

// take adds what other tests have come to; what the package printed is kept from
// the first run.
func (tests outcomes) take(other outcomes) {
	for name, o := range other {
		if _, ok := tests[name]; !ok || name != "" {
			tests[name] = o
		}
	}
}

// blame says that a test and those of its subtests that have not ended were what
// ended the run, and how.
func (tests outcomes) blame(name string, end ending) {
	if _, ok := tests[name]; !ok {
		tests[name] = outcome{Result: died}
	}
	for test, o := range tests {
		if test == name || strings.HasPrefix(test, name+"/") {
			if o.ended() {
				continue
			}
			switch {
			case end.stopped:
				o.Result, o.Why = slow, "nothing for "+end.silence.String()
			case end.errors != "":
				o.Result, o.Why = refused, end.errors
			default:
				o.Why = "the process ended"
			}
			tests[test] = o
		}
	}
}
