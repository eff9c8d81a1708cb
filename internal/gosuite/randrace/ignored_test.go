package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// racing is a program of two or three goroutines that share variables, some of them under a lock. It ends in a panic that tells their values.
func racing(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0))
	vars := []string{"x", "y", "z"}[:1+r.IntN(3)]
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar mu, nu sync.Mutex\nvar at atomic.Int32\nvar c = make(chan int, 1)\nvar x, y, z int\n\nfunc main() {\n\tvar wg sync.WaitGroup\n")
	for g := range 2 + r.IntN(2) {
		b.WriteString("\twg.Add(1)\n\tgo func() {\n\t\tl := 0\n")
		held := ""
		for range 2 + r.IntN(4) {
			v, line := pick(vars...), ""
			switch r.IntN(8) {
			case 0:
				line = fmt.Sprintf("%s = %d", v, g*10+1+r.IntN(9))
			case 1:
				line = fmt.Sprintf("l = l*7 + %s", v)
			case 2:
				line = fmt.Sprintf("%s = %s + 1 + l%%5", v, v)
			case 3, 4:
				if held == "" {
					held = pick("mu", "nu")
					line = held + ".Lock()"
				} else {
					line, held = held+".Unlock()", ""
				}
			case 5:
				line = pick("at.Add(1)", "l += int(at.Load())")
			case 6:
				line = pick(fmt.Sprintf("select {\n\t\tcase c <- %s:\n\t\tdefault:\n\t\t}", v), "select {\n\t\tcase l = <-c:\n\t\tdefault:\n\t\t}")
			case 7:
				line = fmt.Sprintf("if at.Load() > 0 {\n\t\t\t%s = l + 3\n\t\t}", v)
			}
			b.WriteString("\t\t" + line + "\n")
		}
		if held != "" {
			b.WriteString("\t\t" + held + ".Unlock()\n")
		}
		b.WriteString("\t\t_ = l\n\t\twg.Done()\n\t}()\n")
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "\t%s = %d\n", pick(vars...), 50+r.IntN(9))
		}
	}
	b.WriteString("\twg.Wait()\n\tpanic(x*1000000 + y*1000 + z)\n}\n")
	return b.String()
}

// allIgnored searches a program as the command does when nothing that it finds counts. It returns what was ignored: the races, and
// the values that the variables have in the end.
func allIgnored(prog *bytecode.Program, reduce bool) (races int, ends []string, err error) {
	var mu sync.Mutex
	found := map[string]bool{}
	s := execute.Settings{}
	s.Properties.Off = []execute.Property{execute.Livelock}
	s.Properties.Ignore = func(f diag.Finding, _ ...diag.Pos) bool {
		mu.Lock()
		defer mu.Unlock()
		if f.Kind == string(execute.Race) {
			races++
		} else {
			found[f.Kind+": "+f.Message] = true
		}
		return true
	}
	pool := &check.Pool{Make: func() (lts.System, error) {
		return execute.NewSystem(prog, execute.Process{Args: []string{"main"}}, s)
	}}
	defer pool.Close()
	task := check.Task{Settings: &s, Pool: pool, Options: explore.Options{Reduce: reduce}, Trials: true}
	out, err := task.Search()
	if err == nil && (out.Verdict != explore.Verified || len(out.Findings)+len(out.Left) > 0) {
		err = fmt.Errorf("got %v", out.Result)
	}
	return races, slices.Sorted(maps.Keys(found)), err
}

// TestIgnoredRaces: where races do not count, a search that leaves out orders of steps comes to the same ends as one that leaves out none.
func TestIgnoredRaces(t *testing.T) {
	dir := t.TempDir()
	s, err := load.NewSession(load.Config{Patterns: []string{"sync", "sync/atomic"}, Intrinsic: native.Has})
	if err != nil {
		t.Fatal(err)
	}
	n := testlong.Or(25, 500)
	racy, several := 0, 0
	for seed := range uint64(n) {
		file := filepath.Join(dir, fmt.Sprintf("p%d.go", seed))
		if err := os.WriteFile(file, []byte(racing(seed)), 0o666); err != nil {
			t.Fatal(err)
		}
		prog, err := compiled(s, file)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, racing(seed))
		}
		_, want, err := allIgnored(prog, false)
		if err != nil {
			t.Fatalf("seed %d, not reduced: %v", seed, err)
		}
		races, got, err := allIgnored(prog, true)
		if err != nil {
			t.Fatalf("seed %d, reduced: %v", seed, err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: got the ends\n%s\nwant\n%s\nof\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"), racing(seed))
		}
		if races > 0 {
			racy++
		}
		if len(want) > 1 {
			several++
		}
	}
	if racy < n/3 || several < n/4 {
		t.Errorf("got %d programs with races and %d with several ends of %d, want more", racy, several, n)
	}
}
